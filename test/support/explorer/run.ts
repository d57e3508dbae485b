import {
  chooseRollback,
  decideResume,
  latestRecord,
  whyNotWritten,
} from '../../../src/delivery/jobs.ts';
import {
  inDestination,
  placeInAll,
  type RunSteps,
  StartInAll,
} from '../../../src/delivery/protocol/all.ts';
import { Part } from '../../../src/delivery/protocol/part.ts';
import type { Wanted } from '../../../src/delivery/protocol/place.ts';
import type { Found, Wish } from '../../../src/delivery/protocol/situation.ts';
import {
  Interruption,
  isCancelled,
  type Reply,
  type SectionEnd,
} from '../../../src/delivery/protocol/steps.ts';
import type { StateRecord } from '../../../src/delivery/state.ts';
import { CourierError } from '../../../src/ground/errors.ts';
import type { StoreNames } from '../../../src/stores/port.ts';
import { EMPTY, type Sent, START_MS, type World } from './world.ts';

export interface Spec {
  readonly name: string;
  /** `idle`: a refresh of a link that is not due. */
  readonly kind: Wish['kind'] | 'idle';
  readonly attempt?: number;
  /** Of a named job. */
  readonly job?: string;
  /** Its destinations, in this order; all of them unless given. */
  readonly to?: readonly number[];
  /** How far its clock is off. */
  readonly clockMs?: number;
}

export type Outcome =
  /**
   * `hasWarned`: the run has said that a link of another one may still arrive. `orderAtStart`: that
   * of the live job when the run began.
   */
  | {
      readonly kind: 'completed';
      readonly job: string;
      readonly order: number;
      readonly hasWarned: boolean;
      readonly orderAtStart: number;
    }
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

export type Playing<T> = Generator<Sent, T, Reply>;
const DAY_MS = 86_400_000;
const NAMES = {
  destination: 'here',
  name: 'x',
  target: 'x',
  link: 'link',
  state: 'state',
  stateRight: 'right',
};

/** A destination of a run. */
class TestPart extends Part {
  readonly at: number;
  readonly whyChanged = '';
  readonly store: { readonly names: StoreNames } = { names: NAMES };
  end: SectionEnd | undefined;

  constructor(at: number, init: ConstructorParameters<typeof Part>[0]) {
    super(init);
    this.at = at;
  }

  get foundAtStart(): Found | undefined {
    return this.readingAtStart?.found;
  }
}

class Player {
  readonly #spec: Spec;
  readonly #key: string;
  readonly #all: readonly TestPart[];
  #nowMs = 0;
  #tokens = 0;
  #isCancelled = false;

  constructor(spec: Spec, destinations: World['destinations']) {
    this.#spec = spec;
    this.#key = `${spec.name}/docs`;
    const { name, attempt = 1, clockMs = 0, to = destinations.map((_, index) => index) } = spec;
    this.#all = to.map((at) => {
      const abilities = destinations[at]?.abilities;
      if (abilities === undefined) throw new Error('no such destination');
      return new TestPart(at, {
        run: { runId: name, job: 'docs', runAttempt: attempt },
        takeOver: false,
        store: { signedAddress: String(at), can: abilities },
        wallMs: () => START_MS + clockMs + this.#nowMs,
        token: () => {
          this.#tokens += 1;
          return `${name}.${attempt}.${this.#tokens}`;
        },
        markOf: (link) => link,
      });
    });
  }

  *play(): Playing<Outcome> {
    try {
      return yield* this.#playOut();
    } catch (error) {
      if (error instanceof CourierError) return { kind: 'nothing', why: error.message };
      if (error instanceof Interruption)
        return { kind: 'failed', why: `${error.at}: ${error.error.code}` };
      throw error;
    }
  }

  *#send<T>(steps: RunSteps<TestPart, T>): Playing<T> {
    let next = steps.next();
    while (!next.done) {
      const { destination, request } = next.value;
      const reply: Reply = yield { at: destination?.at ?? -1, request, run: this.#key };
      this.#nowMs = reply.nowMs;
      this.#isCancelled ||= isCancelled(reply);
      next = steps.next(reply);
    }
    return next.value;
  }

  *#playOut(): Playing<Outcome> {
    const { kind, attempt = 1 } = this.#spec;
    const all = this.#all;
    for (const part of all) yield* this.#send(inDestination(part, part.look()));
    const foreign = all.find(
      ({ situationAtStart }) =>
        situationAtStart.kind === 'foreign' || situationAtStart.kind === 'unreadable',
    );
    if (foreign !== undefined) return { kind: 'failed', why: foreign.situationAtStart.kind };
    const { run, records } = this;
    switch (kind) {
      case 'export': {
        const resumes = all.map((part) =>
          decideResume(part, { ...run, runAttempt: attempt }, EMPTY.domain),
        );
        const known = resumes.find((one) => one.kind === 'attach');
        if (known !== undefined)
          return yield* this.#place({ kind, job: known.jobId, order: known.order });
        return yield* this.#export();
      }
      case 'refresh':
      case 'idle': {
        const fit = this.#fit('refresh');
        const live = latestRecord(records(fit));
        if (live === undefined) return this.#nothing('refresh');
        if (kind === 'idle' && all.every((part) => isGood(part, live.jobId)))
          return { kind: 'nothing', why: 'not due' };
        return yield* this.#place(
          { kind: 'refresh', job: live.jobId, order: live.jobOrder ?? 0 },
          fit,
        );
      }
      case 'rollback': {
        const fit = this.#fit('rollback');
        const state = latestRecord(records(fit));
        if (state === undefined) return this.#nothing('rollback');
        const wanted = {
          jobId: undefined,
          state,
          records: records(fit),
          run,
          destination: 'here',
          otherMode: 'refresh',
        } as const;
        const { export: back, from, isContinued } = chooseRollback(wanted);
        return yield* this.#place(
          { kind, job: back.job, order: isContinued ? (state.jobOrder ?? 0) : undefined, from },
          fit,
        );
      }
      case 'named':
        return yield* this.#place({ kind, job: this.#spec.job ?? 'job-named', order: undefined });
    }
  }

  get run() {
    return { runId: this.#spec.name, runAttempt: this.#spec.attempt ?? 1, job: 'docs' };
  }

  readonly records = (parts: readonly TestPart[]): readonly StateRecord[] =>
    parts.flatMap(({ situationAtStart: { record }, foundAtStart }) =>
      foundAtStart?.record === undefined && record.jobId === undefined ? [] : [record],
    );

  /** Those that a refresh or a rollback does not leave alone. */
  #fit(by: 'refresh' | 'rollback'): readonly TestPart[] {
    return this.#all.filter((part) => whyNotWritten(part, this.#all.length > 1, by) === undefined);
  }

  #nothing(by: 'refresh' | 'rollback'): Outcome {
    const why = this.#all
      .map((part) => whyNotWritten(part, this.#all.length > 1, by)?.code)
      .find((code) => code === 'integrity');
    return why === undefined ? { kind: 'nothing', why: 'no job' } : { kind: 'failed', why };
  }

  *#export(): Playing<Outcome> {
    const start = new StartInAll(this.#all);
    const reply = yield* this.#send(start.run());
    if (start.refused) return { kind: 'failed', why: `start ${textOf(start.refused.end)}` };
    if (reply.kind !== 'started') return { kind: 'failed', why: `start: ${reply.kind}` };
    // The state may name the job by now: as `startJob`, which follows no job of a cancelled run.
    if (this.#isCancelled) return { kind: 'failed', why: 'start: cancelled' };
    return yield* this.#place({ kind: 'export', job: reply.jobId, order: start.order });
  }

  *#place(
    wish: Pick<Wish, 'kind' | 'job' | 'from'> & { readonly order: number | undefined },
    parts = this.#all,
  ): Playing<Outcome> {
    const { name, attempt = 1 } = this.#spec;
    const { kind, job, from } = wish;
    const link = linkOf(name, attempt, job);
    const hasOthers = this.#all.length > 1;
    const wanted = (_: TestPart, order: number, isFirst: boolean): Wanted => ({
      wish: { kind, job, order, isFirst, from, hasOthers, run: this.#key },
      link,
      expiresAt: new Date(expiryOf(link)).toISOString(),
      by: kind === 'named' ? 'refresh' : kind,
      details: {},
    });
    const onEnd = (part: TestPart, end: SectionEnd) => {
      part.end = end;
    };
    const order = yield* this.#send(placeInAll(parts, wish.order, wanted, onEnd));
    const failed = parts.find(({ end }) => end?.kind !== 'done');
    if (order === undefined || failed !== undefined)
      return { kind: 'failed', why: textOf(failed?.end) };
    const left = this.#all.find((part) => !parts.includes(part));
    if (left !== undefined) return { kind: 'failed', why: left.situationAtStart.kind };
    const hasWarned = parts.some(
      ({ end }) => end?.kind === 'done' && (end.mayArrive?.length ?? 0) > 0,
    );
    const ordersAtStart = parts.map((part) => part.situationAtStart.record.jobOrder ?? 0);
    const orderAtStart = Math.min(...ordersAtStart);
    return { kind: 'completed', job, order, hasWarned, orderAtStart };
  }
}

function isGood({ situationAtStart, foundAtStart }: TestPart, job: string): boolean {
  const { kind, record } = situationAtStart;
  return (
    kind === 'known' &&
    foundAtStart?.link !== undefined &&
    record.jobId === job &&
    record.expiresAt !== undefined
  );
}

function textOf(end: SectionEnd | undefined): string {
  if (end?.kind === 'stopped') return `stopped: ${end.why}`;
  return end?.kind === 'failed' ? `${end.at}: ${end.error.code}` : String(end?.kind);
}

function linkOf(name: string, attempt: number, job: string): string {
  return `${name}.${attempt}>${job}`;
}

/** A link that was made later works longer. */
export function expiryOf(text: string): number {
  const days = /^[A-Z]\./.test(text) ? text.charCodeAt(0) - 63 : text.startsWith('old') ? 1 : 9;
  return START_MS + days * DAY_MS;
}

/** What a run does with the destinations, from its first request to its last. */
export function play(spec: Spec, destinations: World['destinations']): Playing<Outcome> {
  return new Player(spec, destinations).play();
}
