import { basename } from 'node:path';
import { cancelled } from '../../clock.ts';
import { findProgram } from '../../confined-files.ts';
import { CourierError } from '../../errors.ts';
import { ONCE } from '../../http/api.ts';
import { pathOf, runProgram } from '../../programs.ts';
import { createRedact, excerpt } from '../../text/redact.ts';
import {
  type CheckResult,
  type Claims,
  type LinkStore,
  type Part,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  UNSEEN,
} from '../port.ts';

interface CommandStoreInit {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** PATH and HOME: the program gets these and no key. */
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  /** The workspace contains what a stranger may have written: no folder of PATH in it is used. */
  readonly isCheckout?: boolean | undefined;
  /** Keeps the state that belongs to the link. */
  readonly state: LinkStore;
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number | undefined;
}

// As any other write of a link: after that, another run may write.
const TIME_LIMIT_MS = ONCE.timeLimitMs;

/**
 * A program of the user that puts the link where it belongs. It gets the link on its standard
 * input, and nowhere else.
 */
export class CommandStore implements LinkStore {
  readonly names: StoreNames;
  readonly can: LinkStore['can'];
  readonly claims: Claims | undefined;
  readonly #init: CommandStoreInit;

  constructor(init: CommandStoreInit) {
    this.#init = init;
    const { claims, can } = init.state;
    this.claims = claims;
    // The program takes no part in a write of the state, so that versions of the state guard
    // nothing of the link.
    const guard = claims === undefined ? 'none' : 'claims';
    this.can = { guard, shows: 'nothing', maxStateBytes: can.maxStateBytes };
    const name = basename(init.words[0] ?? '');
    // Without its arguments, which may be private.
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

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    if (use !== 'read') await this.#find();
    const detail = 'The program was found. It is first run when the link is written.';
    return [
      ...(await this.#init.state.preflight(use)),
      { what: this.names.link, outcome: 'unknown', detail },
    ];
  }

  async read(seen?: Snapshot, part?: Part, signal?: AbortSignal): Promise<Snapshot> {
    return withoutLink(await this.#init.state.read(seen, part, signal));
  }

  async write(
    { link, state }: StoreChange,
    seen: Snapshot,
    signal = this.#init.signal,
  ): Promise<Snapshot> {
    if (link !== undefined) await this.#hand(link, signal);
    if (state === undefined) return seen;
    return withoutLink(await this.#init.state.write({ state }, seen, signal));
  }

  async #hand(link: string, signal: AbortSignal): Promise<void> {
    const { words, env, timeLimitMs = TIME_LIMIT_MS } = this.#init;
    const { PATH: _, ...others } = env;
    const { program, PATH } = await this.#find();
    const call = {
      args: words.slice(1),
      env: { PATH, ...others },
      input: link,
      timeLimitMs,
      signal,
    };
    const { failure, started, output, problem } = await runProgram(program, {
      ...call,
      wanted: 'effect',
    });
    if (failure === undefined) return;
    const written = started
      ? 'Whether it has written the link is unknown.'
      : 'Nothing was written.';
    if (signal.aborted) {
      const error = cancelled(signal.reason);
      const message = `${error.message} The ${this.names.link} was stopped. ${written}`;
      throw error.with({ message, mayHaveStarted: started });
    }
    const printed = excerpt(`${problem}\n${output}`.trim(), {
      redact: createRedact([link]),
      max: 300,
    });
    throw new CourierError({
      code: 'io',
      message: `The ${this.names.link} ${failure}. ${written}${printed === '' ? '' : ` It printed: ${printed}`}`,
      hint: 'Run the command manually with a text on its standard input. It gets only the variables PATH and HOME, and must end with exit code 0.',
      mayHaveStarted: started,
    });
  }

  /** Throws `config` if the program does not exist: before an export is started. */
  async #find(): Promise<{ readonly program: string; readonly PATH: string | undefined }> {
    const { words, env, workspace, isCheckout = false } = this.#init;
    const [name = ''] = words;
    const place = {
      PATH: pathOf(env),
      workspace: isCheckout ? workspace : undefined,
      folder: workspace,
    };
    const { program, PATH } = await findProgram(name, place);
    if (program !== undefined) return { program, PATH };
    const isPath = /[\\/]/.test(name);
    throw new CourierError({
      code: 'config',
      message: `--to-command: there is no program ${basename(name)} ${isPath ? 'at this path' : 'in the folders of PATH outside the workspace'}. Nothing was sent.`,
      hint: 'Give a program and its arguments. There is no shell: for one, name it, as in --to-command "sh -c \'…\'".',
    });
  }
}

/** What a program has written cannot be read back. */
function withoutLink({ state, stateWrittenAtMs, version }: Snapshot): Snapshot {
  return {
    link: state === undefined ? undefined : {},
    content: UNSEEN,
    state,
    stateWrittenAtMs,
    version,
  };
}
