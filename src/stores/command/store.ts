import { basename } from 'node:path';
import { cancelled } from '../../ground/clock.ts';
import { findProgram } from '../../ground/confined-files.ts';
import { configError, courierError } from '../../ground/errors.ts';
import { runProgram, variableOf } from '../../ground/programs.ts';
import { createRedact, excerpt } from '../../ground/text/redact.ts';
import { ONCE } from '../../http/api.ts';
import {
  type CheckResult,
  type Claims,
  type LinkStore,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  UNSEEN,
  unknown,
} from '../port.ts';

interface CommandStoreInit {
  /** The program and its arguments; never empty. */
  readonly words: readonly string[];
  /** PATH and HOME: the program gets these and no key. */
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  /**
   * The workspace is a checkout, in which a stranger may have written files: a folder of PATH in
   * the workspace is not used.
   */
  readonly isCheckout?: boolean;
  /** The store that keeps the state of the link. */
  readonly state: LinkStore;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number;
}

/**
 * A program of the user that stores the link to the last export. The program gets the link only on
 * its standard input. The state, a signed text about the exports, is in another store.
 */
export class CommandStore implements LinkStore {
  readonly names: StoreNames;
  readonly can: LinkStore['can'];
  readonly claims: Claims | undefined;
  readonly #init: CommandStoreInit;

  constructor(init: CommandStoreInit) {
    this.#init = init;
    // By claims, runs take turns. Versions do not help: they guard a write of link and state
    // together, and here the store gets only the state.
    this.claims = init.state.claims;
    const guard = this.claims === undefined ? 'none' : 'claims';
    this.can = { guard, shows: 'nothing', maxStateBytes: init.state.can.maxStateBytes };
    // Without its arguments, which may be private.
    const name = basename(init.words[0] ?? '');
    this.names = {
      ...init.state.names,
      destination: `command:${name}`,
      name,
      target: 'command',
      link: `command ${name}`,
    };
  }

  get signedAddress(): string {
    return `command+${this.#init.state.signedAddress}`;
  }

  /**
   * Checks, before a run does anything, that there is a program, and that the state can be kept.
   */
  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    // Reading does not run it.
    if (use !== 'read') await this.#find();
    const detail = 'The program was found. It is first run when the link is written.';
    return [...(await this.#init.state.preflight(use)), unknown(this.names.link, detail)];
  }

  async read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    return withoutLink(await this.#init.state.read(seen, signal));
  }

  /** Runs the program with the link, writes the state, or both. */
  async write(change: StoreChange, seen: Snapshot, signal = this.#init.signal): Promise<Snapshot> {
    const { link, state } = change;
    if (link !== undefined) await this.#runWith(link, signal);
    // The program does not show what it stored: as far as can be seen, nothing has changed.
    if (state === undefined) return seen;
    return withoutLink(await this.#init.state.write({ state }, seen, signal));
  }

  /** Runs the program with the link on its standard input. Throws if it fails or is stopped. */
  async #runWith(link: string, signal: AbortSignal): Promise<void> {
    const { program, PATH } = await this.#find();
    const ended = await runProgram(program, {
      args: this.#init.words.slice(1),
      env: { ...this.#init.env, PATH },
      input: link,
      // The limit of each write of a link: later, another run may write.
      timeLimitMs: this.#init.timeLimitMs ?? ONCE.timeLimitMs,
      signal,
      wanted: 'effect',
    });
    if (ended.failure === undefined) return;
    const effect = ended.started
      ? 'Whether it has written the link is unknown.'
      : 'Nothing was written.';
    if (signal.aborted) {
      const error = cancelled(signal.reason);
      const message = `${error.message} The ${this.names.link} was stopped. ${effect}`;
      throw error.with({ message, mayHaveActed: ended.started });
    }
    // First `problem`, its standard error.
    const printed = excerpt(`${ended.problem}\n${ended.output}`.trim(), {
      redact: createRedact([link]),
      max: 300,
    });
    const quoted = printed === '' ? '' : ` It printed: ${printed}`;
    throw courierError(
      'io',
      `The ${this.names.link} ${ended.failure}. ${effect}${quoted}`,
      'Run the command manually with a text on its standard input. It gets only the variables PATH and HOME, and must end with exit code 0.',
      { mayHaveActed: ended.started },
    );
  }

  /**
   * The path of the program, and the PATH for it, which has no folders of a checkout. Throws
   * `config` if the program does not exist; `preflight` calls it, so that this shows before an
   * export is started.
   */
  async #find(): Promise<{ readonly program: string; readonly PATH: string | undefined }> {
    const { words, env, workspace } = this.#init;
    const [name = ''] = words;
    const { program, PATH } = await findProgram(name, {
      PATH: variableOf(env, 'PATH'),
      workspace: this.#init.isCheckout ? workspace : undefined,
      // Where a relative path begins.
      folder: workspace,
    });
    if (program !== undefined) return { program, PATH };
    const isPath = /[\\/]/.test(name);
    const where = isPath ? 'at this path' : 'in the folders of PATH outside the workspace';
    throw configError(
      `--to-command: there is no program ${basename(name)} ${where}. Nothing was sent.`,
      'Give a program and its arguments. There is no shell: for one, name it, as in --to-command "sh -c \'…\'".',
    );
  }
}

/**
 * The snapshot of the store of the state, for a link that cannot be read back. A link was written
 * if there is a state.
 */
function withoutLink(snapshot: Snapshot): Snapshot {
  return {
    link: snapshot.state === undefined ? undefined : {},
    foreignContent: UNSEEN,
    state: snapshot.state,
    stateError: snapshot.stateError,
    stateWrittenAtMs: snapshot.stateWrittenAtMs,
    version: snapshot.version,
  };
}
