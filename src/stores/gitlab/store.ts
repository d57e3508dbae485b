import type * as z from 'zod/mini';
import {
  assertFailure,
  type CourierError,
  configError,
  courierError,
} from '../../ground/errors.ts';
import { type ApiRequest, type JsonApi, ONCE } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { claimsAmong } from '../claims.ts';
import {
  type CheckResult,
  type Claims,
  explained,
  hasStatus,
  ifFound,
  known,
  type LinkContent,
  type LinkStore,
  ok,
  type Part,
  type PartNames,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  UNSEEN,
  unknown,
  updateOrCreate,
} from '../port.ts';
import { signedServer } from '../server.ts';
import { formatAddress, type GitLabAddress } from './address.ts';
import {
  checkSettings,
  checkTokenKind,
  type GitLabVariable,
  gitLabApi,
  hintFor,
  holderReply,
  TOKEN_ADVICE,
  tokenReply,
  variableReply,
} from './api.ts';

interface GitLabStoreInit {
  readonly address: GitLabAddress;
  /** The address of the server, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The token of the run's own job, which is refused as `token`. */
  readonly jobToken: string | undefined;
  readonly http: Http;
}

// https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable: no white space, 8 characters or more,
// if nothing is expanded.
const MASKABLE_RAW = /^\S{8,}$/;
// https://docs.gitlab.com/ci/variables/: "The value can have up to 10,000 characters."
const MAX_VALUE_LENGTH = 10_000;
// https://docs.gitlab.com/api/rest/#pagination
const PAGE_SIZE = 100;
// A value has at most 10,000 characters, each of at most 6 bytes in JSON.
const PAGE_BYTES = 8 * 1024 * 1024;
/** GitLab's name for all environments. */
const ALL_ENVIRONMENTS = '*';

type FoundVariable = GitLabVariable | undefined;

/**
 * A CI/CD variable of a project or group, and one with `_STATE` after its name. A new link is
 * masked, protected and not expanded; an existing variable keeps all its settings. Two requests, so
 * not atomic; GitLab has neither dates nor versions.
 */
export class GitLabStore implements LinkStore {
  readonly names: StoreNames;
  // Claims keep other runs out while one writes. Each is a variable next to that of the state.
  readonly claims: Claims;
  readonly #init: GitLabStoreInit;
  readonly #api: JsonApi;
  readonly #keys: PartNames;
  readonly #environmentScope: string;
  /** The id of the project or group; known after `preflight`. */
  #holderId: number | undefined;
  /** GitLab does not show the value of the link, as far as the link was read. */
  #isHidden = false;

  /** Throws `config` for a token of a wrong kind. */
  constructor(init: GitLabStoreInit) {
    const address = init.address;
    checkTokenKind(init.token, init.jobToken);
    this.#init = init;
    this.#api = gitLabApi(init.http, init.url, init.token);
    this.#keys = { link: address.name, state: `${address.name}_STATE` };
    this.#environmentScope = address.environment ?? ALL_ENVIRONMENTS;
    this.claims = claimsAmong(
      {
        // Not masked: a claim is not a secret, and GitLab cannot mask every text.
        create: (key, text, signal) => this.#create(key, text, { isMasked: false }, signal),
        find: async (key, signal) => {
          const text = (await this.#findVariable(key, signal))?.value;
          // null: a person has hidden the variable. It counts like a claim that does not show yet,
          // since nothing says whose claim it is.
          return typeof text === 'string' ? { text } : undefined;
        },
        names: (signal) => this.#listKeys(signal),
        remove: (key, signal) => this.#remove(key, signal),
      },
      this.#keys.state,
    );
    let target = `${address.scope} ${address.id}`;
    if (address.environment !== undefined) target += `, environment ${address.environment}`;
    this.names = {
      destination: formatAddress(address),
      name: address.name,
      target,
      link: `CI/CD variable ${this.#keys.link} of ${target}`,
      state: `CI/CD variable ${this.#keys.state} of ${target}`,
      stateRight: `role ${address.scope === 'project' ? 'Maintainer' : 'Owner'} and token scope "api"`,
    };
  }

  /**
   * Bound to the numeric id: a project has an id and a path, and the path may change. Known after
   * `preflight`.
   */
  get signedAddress(): string {
    const address = this.#init.address;
    const server = signedServer('gitlab', this.#init.url);
    const environment = encodeURIComponent(this.#environmentScope);
    return `${server}/${address.scope}/${known(this.#holderId)}/${address.name}?environment=${environment}`;
  }

  /**
   * A hidden link is never shown, so its write cannot be confirmed by reading. Whether the link is
   * hidden is known once it was read.
   */
  get can() {
    const shows = this.#isHidden ? 'nothing' : 'value';
    return { guard: 'claims', shows, maxStateBytes: MAX_VALUE_LENGTH } as const;
  }

  async preflight(): Promise<readonly CheckResult[]> {
    this.#holderId = await this.#findHolder();
    // The project or group was found; only the scopes of the token say whether it may write there.
    return [ok(this.names.link), await this.#checkScopes()];
  }

  async read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    // With `seen`, only the state is wanted: the link is another request.
    const { link, foreignContent } = seen ?? (await this.#readLink(signal));
    const stateVariable = await this.#findVariable(this.#keys.state, signal);
    checkSettings('state', stateVariable, this.names);
    // A person may have created the variable of the state with an empty text, which is not a state.
    return { link, foreignContent, state: stateVariable?.value || undefined };
  }

  async #readLink(signal?: AbortSignal): Promise<LinkContent> {
    const variable = await this.#findVariable(this.#keys.link, signal);
    this.#noteHidden(variable);
    checkSettings('link', variable, this.names);
    return linkIn(variable);
  }

  // A store with claims is given the link or the state, never both at once.
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, state } = change;
    if (link !== undefined)
      return { ...seen, ...linkIn(await this.#set('link', link, seen, signal)) };
    if (state === undefined) return seen;
    await this.#set('state', state, seen, signal);
    return { ...seen, state };
  }

  /**
   * Writes the link or the state, whether the variable exists or not, and gives the variable that
   * the reply shows. Throws `integrity` if it has another value.
   */
  async #set(
    part: Part,
    value: string,
    seen: Snapshot,
    signal?: AbortSignal,
  ): Promise<FoundVariable> {
    const key = this.#keys[part];
    // A link is masked from the moment when its variable is created, so that no job can print it,
    // unless GitLab cannot mask it. The state is not a secret.
    const isMasked = part === 'link' && MASKABLE_RAW.test(value);
    // GitLab does not create with PUT (404), nor overwrite with POST: see `isTaken`.
    const update = () => this.#update(key, value, signal);
    const create = () => this.#create(key, value, { isMasked }, signal);
    const isNew = seen[part] === undefined;
    const written = await updateOrCreate(update, create, isNew);
    // The reply shows no value of a hidden link: that GitLab accepted it is the only confirmation.
    const isHiddenLink = part === 'link' && this.#isHidden;
    if (written.value === value || isHiddenLink) {
      // A hidden variable that was deleted since it was read is created again, and not hidden.
      if (part === 'link') this.#noteHidden(written);
      return written;
    }
    throw courierError(
      'integrity',
      `GitLab accepted the ${this.names[part]} and shows another value.`,
      'Look for a program that writes this variable too.',
      { mayHaveActed: true },
    );
  }

  #update(key: string, value: string, signal?: AbortSignal): Promise<GitLabVariable> {
    const body = { value, filter: { environment_scope: this.#environmentScope } };
    const call: ApiRequest = { method: 'PUT', path: [...this.#path, key], body, signal, ...ONCE };
    return this.#send(`write the ${this.#describe(key)}`, call, variableReply);
  }

  /** Creates a variable. Throws `conflict` if it exists. */
  async #create(
    key: string,
    value: string,
    { isMasked }: { readonly isMasked: boolean },
    signal?: AbortSignal,
  ): Promise<GitLabVariable> {
    const flags = { masked: isMasked, raw: true, protected: true, variable_type: 'env_var' };
    const body = { key, value, environment_scope: this.#environmentScope, ...flags };
    const made = await this.#send(
      `create the ${this.#describe(key)}`,
      { method: 'POST', path: this.#path, body, signal, ...ONCE },
      variableReply,
    ).catch((error) => {
      throw isTaken(error) ? error.with({ code: 'conflict' }) : error;
    });
    const madeScope = environmentScopeOf(made);
    if (madeScope === this.#environmentScope) return made;
    // GitLab has ignored the environment scope that was asked for, and has written the value for
    // all environments. Only if it is the link does that give them anything.
    const isLink = key === this.#keys.link;
    const effect = isLink
      ? 'Every environment can read the link now.'
      : 'The link was not written.';
    throw configError(
      `GitLab made the ${this.#describe(key)} for the environments "${madeScope}", and not for "${this.#environmentScope}": this tier has no environment scopes for groups. ${effect}`,
      'Delete the variable. Use a variable of a project, or leave ?environment= out of the address.',
      { mayHaveActed: true },
    );
  }

  #describe(key: string): string {
    return `CI/CD variable ${key} of ${this.names.target}`;
  }

  /**
   * The variable; undefined: there is none. A 404 can only mean the variable: `preflight` has found
   * the project or group.
   */
  #findVariable(key: string, signal?: AbortSignal): Promise<FoundVariable> {
    const query = { 'filter[environment_scope]': this.#environmentScope };
    const path = [...this.#path, key];
    const action = `read the ${this.#describe(key)}`;
    return ifFound(this.#send(action, { method: 'GET', path, query, signal }, variableReply));
  }

  #remove(key: string, signal?: AbortSignal): Promise<unknown> {
    const query = { 'filter[environment_scope]': this.#environmentScope };
    const path = [...this.#path, key];
    const sent = this.#api.send({ method: 'DELETE', path, query, signal, ...ONCE });
    return this.#withHint(`delete the ${this.#describe(key)}`, sent);
  }

  #noteHidden(link: FoundVariable): void {
    // A version of GitLab that does not say `hidden` still shows no value of such a variable.
    this.#isHidden = link?.hidden || link?.value === null;
  }

  /** The keys of all variables of this environment scope: in another, one may have the same key. */
  async #listKeys(signal?: AbortSignal): Promise<readonly string[]> {
    const query = { per_page: PAGE_SIZE };
    const limits = { bodyBytes: PAGE_BYTES };
    const request = { method: 'GET', path: this.#path, query, signal, limits } as const;
    const listed = this.#api.listAll(request, PAGE_SIZE, variableReply);
    const variables = await this.#withHint('list the variables', listed);
    return variables
      .filter((variable) => environmentScopeOf(variable) === this.#environmentScope)
      .map((variable) => variable.key);
  }

  /** The id of the project or group. */
  async #findHolder(): Promise<number> {
    const { scope, id } = this.#init.address;
    // A group is asked for without its projects, which can be many.
    const query = scope === 'group' ? { with_projects: 'false' } : undefined;
    const reply = await this.#send(
      `find ${scope} ${id}`,
      { method: 'GET', path: [`${scope}s`, id], query },
      holderReply,
    );
    return reply.id;
  }

  /**
   * The scopes of the token; `unknown` if GitLab does not show them. Throws `forbidden` for a token
   * without the scope api, so that the run ends before the export and not after it.
   */
  async #checkScopes(): Promise<CheckResult> {
    const what = 'Scopes of secret-token';
    let token: z.infer<typeof tokenReply>;
    try {
      const path = ['personal_access_tokens', 'self'];
      token = await this.#api.read({ method: 'GET', path }, tokenReply);
    } catch (error) {
      assertFailure(error);
      // Some kinds of token, and older versions of GitLab, have no such answer.
      return unknown(what, `GitLab does not show them. ${error.message}`);
    }
    const expiry = token.expires_at ? `, and expires on ${token.expires_at}` : '';
    const detail = `It has ${token.scopes.join(', ')}${expiry}.`;
    if (token.scopes.includes('api')) return ok(what, detail);
    throw courierError(
      'forbidden',
      `secret-token lacks the scope api, which writing variables needs. ${detail} Nothing was written.`,
      TOKEN_ADVICE,
    );
  }

  get #path(): readonly string[] {
    return [`${this.#init.address.scope}s`, this.#init.address.id, 'variables'];
  }

  #send<T>(action: string, request: ApiRequest, schema: z.ZodMiniType<T>): Promise<T> {
    return this.#withHint(action, this.#api.read(request, schema));
  }

  /** Makes the call; its failure says what to do. `action` completes "Could not …". */
  #withHint<T>(action: string, call: Promise<T>): Promise<T> {
    return explained(action, call, (error) => hintFor(error, this.#init.address, this.#init.url));
  }
}

function environmentScopeOf(variable: GitLabVariable): string {
  return variable.environment_scope ?? ALL_ENVIRONMENTS;
}

/**
 * True if the variable to create exists. GitLab answers 400, as for every wrong field, with the
 * text "key has already been taken".
 */
function isTaken(error: unknown): error is CourierError {
  return hasStatus(error, 400) && /already been taken/i.test(error.message);
}

/** What the variable says about the link. */
function linkIn(link: FoundVariable): LinkContent {
  // A hidden variable exists, and GitLab shows nothing of its value.
  if (link?.value === null) return { link: {}, foreignContent: UNSEEN };
  return readLinkValue(link?.value);
}
