/**
 * GitLab's REST API for CI/CD variables, as a local HTTP server. Paths, fields and statuses come
 * from GitLab's own OpenAPI description; rules for masked and hidden variables from its
 * documentation. It was not compared with a real server.
 */
import { type Fault, FaultScript } from '../faults.ts';
import { type Arrival, startServer } from '../server.ts';
import { createApp } from './app.ts';
import type {
  HolderSeed,
  RecordedGitLabRequest,
  TokenSeed,
  Variable,
  VariableHolder,
} from './entities.ts';
import { Variables } from './store.ts';

export type * from './entities.ts';

export interface GitLabEmulatorOptions {
  /** Default: any free port. */
  readonly port?: number | undefined;
  readonly projects?: readonly HolderSeed[] | undefined;
  readonly groups?: readonly HolderSeed[] | undefined;
  readonly tokens?: Readonly<Record<string, TokenSeed>> | undefined;
  /** Receives one line per request. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A variable as a person creates it in the settings. */
type VariableSeed = Partial<Variable> & Pick<Variable, 'key' | 'value'>;

export class GitLabEmulator implements AsyncDisposable {
  /** The address of the server, without `/api/v4`. */
  readonly url: string;
  readonly requests: readonly RecordedGitLabRequest[];
  readonly #variables: Variables;
  readonly #holders: readonly VariableHolder[];
  readonly #faults: FaultScript;
  readonly #close: () => Promise<void>;

  static async start(options: GitLabEmulatorOptions = {}): Promise<GitLabEmulator> {
    const { port = 0, log, projects = [], groups = [], tokens = {} } = options;
    const variables = new Variables();
    const holders = [
      ...projects.map((seed, index) => holderOf('project', seed, 100 + index)),
      ...groups.map((seed, index) => holderOf('group', seed, 10 + index)),
    ];
    const requests: RecordedGitLabRequest[] = [];
    const faults = new FaultScript();
    const app = createApp({ variables, holders, token: (value) => tokens[value] });
    const service = {
      faults,
      record: (arrival: Arrival) => record(requests, arrival),
      fetch: app.fetch,
    };
    const { url, close } = await startServer({ service, port, log });
    return new GitLabEmulator(url, { variables, holders, requests, faults, close });
  }

  private constructor(
    url: string,
    parts: {
      readonly variables: Variables;
      readonly holders: readonly VariableHolder[];
      readonly requests: readonly RecordedGitLabRequest[];
      readonly faults: FaultScript;
      readonly close: () => Promise<void>;
    },
  ) {
    this.url = url;
    this.requests = parts.requests;
    this.#variables = parts.variables;
    this.#holders = parts.holders;
    this.#faults = parts.faults;
    this.#close = parts.close;
  }

  inject(fault: Fault): void {
    this.#faults.inject(fault);
  }

  /** Also returns the value of a hidden one. `path` is a project's or a group's. */
  variable(path: string, key: string, scope = '*'): Variable | undefined {
    return this.#variables.find(this.#holder(path), key, scope)[0];
  }

  /**
   * Creates the variable, or replaces the one with the same scope, as a person does in the
   * settings.
   */
  setVariable(path: string, seed: VariableSeed): void {
    const holder = this.#holder(path);
    const before = this.variable(path, seed.key, seed.environment_scope);
    if (before !== undefined) this.#variables.remove(holder, before);
    const { hidden, ...write } = { ...before, ...seed };
    this.#variables.create(holder, { ...write, masked_and_hidden: hidden });
  }

  close(): Promise<void> {
    return this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  #holder(path: string): VariableHolder {
    const holder = this.#holders.find((entry) => entry.path === path);
    if (holder === undefined) throw new Error(`project or group ${path} does not exist`);
    return holder;
  }
}

function holderOf(
  kind: VariableHolder['kind'],
  { path, id, hasScopes = true }: HolderSeed,
  nextId: number,
) {
  return { kind, path, id: id ?? nextId, hasScopes };
}

function record(
  requests: RecordedGitLabRequest[],
  { method, url, body }: Arrival,
): RecordedGitLabRequest {
  const entry = {
    method,
    path: url.pathname.replace(/^\/api\/v4/, ''),
    query: Object.fromEntries(url.searchParams),
    body: new TextDecoder().decode(body),
    status: undefined,
  };
  requests.push(entry);
  return entry;
}
