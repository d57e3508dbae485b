import type { Parts, Worlds } from './numbers.ts';
import { Integers, Rows } from './rows.ts';
import type { Fault, Runs } from './running.ts';
import { type Event, hasClaimChanged, isWrite, Variants } from './variants.ts';

/** What a move depends on besides its run and its world. */
interface Condition {
  /** The claim that the run waits for is over. */
  readonly isOver: boolean;
  /** False: only what happens without a further fault. */
  readonly mayFail: boolean;
  /** The runs that have decided, with a bit for the index of each. */
  readonly decided: number;
}

/** What the next request of a run leads to, worked out once for each run in each world. */
export class Moves {
  readonly #runs: Runs;
  readonly #worlds: Worlds;
  readonly #variants: Variants;
  readonly #known = new Rows(3);
  /** Where the moves of each row end. */
  readonly #ends = new Integers();
  /** For each move: the world, the run and the event. */
  readonly #moves = new Integers();

  constructor(runs: Runs, worlds: Worlds, events: Parts<Event>, only: ReadonlySet<Fault>) {
    this.#runs = runs;
    this.#worlds = worlds;
    this.#variants = new Variants(runs, worlds, events, only);
  }

  /**
   * Calls `take` for each move, with the numbers of world and run after it and of the event. False:
   * there is none, because the run waits or has ended.
   */
  each(
    run: number,
    world: number,
    when: Condition,
    take: (world: number, run: number, event: number) => void,
  ): boolean {
    const flags = when.decided * 4 + Number(when.isOver) * 2 + Number(when.mayFail);
    const row = this.#known.add([run, world, flags]);
    if (row === this.#ends.length) {
      this.#add(run, world, when);
      this.#ends.push(this.#moves.length);
    }
    const from = row === 0 ? 0 : this.#ends.at(row - 1);
    const end = this.#ends.at(row);
    for (let at = from; at < end; at += 3)
      take(this.#moves.at(at), this.#moves.at(at + 1), this.#moves.at(at + 2));
    return end > from;
  }

  #add(number: number, world: number, { isOver, mayFail, decided }: Condition): void {
    const run = this.#runs.get(number);
    const sent = run?.node.next;
    if (run === undefined || sent === undefined) return;
    const now = this.#worlds.get(world);
    if (!isOver && !hasClaimChanged(sent, now)) return;
    const firstAfter = isWrite(sent) && run.after < 0 ? decided : run.after;
    for (const variant of this.#variants.of(run, sent, now, mayFail)) {
      const { event, part, copy, reply } = variant;
      const after = reply < 0 ? run.after : firstAfter;
      const node = reply < 0 ? run.node : this.#runs.child(run.node, reply);
      this.#moves.push(this.#worlds.changed(world, sent.at, part, copy));
      this.#moves.push(this.#runs.numberOf({ node, ...variant.run, after }));
      this.#moves.push(event);
    }
  }
}
