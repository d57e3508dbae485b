import * as z from 'zod/mini';
import {
  type CourierError,
  courierError,
  type ErrorCode,
  type Hint,
  hasCode,
} from '../../ground/errors.ts';
import { type JsonApi, ONCE } from '../../http/api.ts';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http } from '../../http/http.ts';
import { claimsAmong } from '../claims.ts';
import {
  type CheckResult,
  type Claims,
  explained,
  ifFound,
  known,
  type LinkStore,
  ok,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  UNSEEN,
  unknown,
  updateOrCreate,
} from '../port.ts';
import { signedServer } from '../server.ts';
import { formatAddress, type GiteaAddress } from './address.ts';
import { giteaApi, PAGE_SIZE } from './api.ts';

interface GiteaStoreInit {
  readonly address: GiteaAddress;
  /** Such as `https://gitea.example.com`, without a trailing slash. */
  readonly serverUrl: string;
  readonly token: string;
  /**
   * The tokens of the job, which cannot write secrets: a `token` equal to one of them is refused
   * before any request.
   */
  readonly jobTokens: readonly (string | undefined)[];
  readonly http: Http;
}

const holderReply = z.object({ id: z.number() });
const secretEntry = z.object({ name: z.string(), description: z.optional(z.string()) });
const namedVariable = z.object({ name: z.string() });
const variableReply = z.object({ data: z.string(), description: z.optional(z.string()) });

/**
 * An Actions secret of Gitea or Forgejo, with the state in a variable next to it. Gitea takes the
 * value in the clear (TLS protects it on the way) and shows neither the value nor the date of the
 * last change, so that only the reply confirms a write. Everyone who may write the variable may
 * write the secret too.
 */
export class GiteaStore implements LinkStore {
  readonly names: StoreNames;
  readonly can = { guard: 'claims', shows: 'nothing' } as const;
  // Claims keep other runs out while one writes. Each is a variable next to that of the state.
  readonly claims: Claims;
  readonly #init: GiteaStoreInit;
  readonly #api: JsonApi;
  readonly #owner: Owner;
  readonly #stateName: string;
  #holderId: number | undefined;
  /**
   * The descriptions of the secret and of the variable: a write without its description would
   * remove it.
   */
  #secretDescription: string | undefined;
  #stateDescription: string | undefined;

  constructor(init: GiteaStoreInit) {
    const address = init.address;
    this.#init = init;
    this.#api = giteaApi(init.http, init.serverUrl, init.token);
    this.#stateName = `${address.name}_STATE`;
    this.#owner = ownerOf(address);
    this.claims = claimsAmong(
      {
        create: (name, value, signal) => this.#create(name, value, signal),
        find: async (name, signal) => {
          const claim = await this.#findVariable(name, signal);
          return claim && { text: claim.data };
        },
        names: async (signal) => {
          const variables = await this.#list('variables', namedVariable, signal);
          return variables.map((variable) => variable.name);
        },
        remove: (name, signal) => {
          const path = this.#variablePath(name);
          const sent = this.#api.send({ method: 'DELETE', path, signal, ...ONCE });
          return this.#explainVariable('delete', name, sent);
        },
      },
      this.#stateName,
    );
    const target = this.#owner.name;
    this.names = {
      destination: formatAddress(address),
      name: address.name,
      target,
      link: `secret ${address.name} of ${target}`,
      state: `variable ${this.#stateName} of ${target}`,
      stateRight: `token of an owner, with the scope ${this.#owner.tokenScope}`,
    };
  }

  /**
   * Bound to the id of the repository or organization, which stays when that is renamed. Known after
   * `preflight`.
   */
  get signedAddress(): string {
    const { serverUrl, address } = this.#init;
    const holder = `${address.scope === 'organization' ? 'org' : 'repo'}/${known(this.#holderId)}`;
    // In lower case, as Gitea ignores case in names.
    return `${signedServer('gitea', serverUrl)}/${holder}/${address.name}`.toLowerCase();
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    // Gitea gives the token of a job no right to secrets, whatever the workflow asks for.
    if (this.#init.jobTokens.includes(this.#init.token)) {
      throw courierError(
        'forbidden',
        "secret-token is the job's own token, which can never write secrets. Nothing was sent.",
        howToMakeToken(this.#owner),
      );
    }
    // A run that only reads the state needs no right to write.
    if (use !== 'read') await this.#checkRightToWrite();
    const found = this.#api.read({ method: 'GET', path: this.#owner.path }, holderReply);
    this.#holderId = (await this.#explain(`find the ${this.#owner.name}`, found)).id;
    if (use === 'read') return [];
    const unseen = 'Gitea shows nothing of a secret: a write is confirmed by its reply alone.';
    return [
      ok(this.names.link, 'The token may write secrets and variables.'),
      unknown('verification', unseen),
    ];
  }

  async read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const link = seen === undefined ? await this.#readLink(signal) : seen.link;
    const variable = await this.#findVariable(this.#stateName, signal);
    this.#stateDescription = variable?.description;
    // Gitea shows no values of secrets: if the secret exists, it may contain something else than a
    // link.
    return { link, foreignContent: link && UNSEEN, state: variable?.data };
  }

  // A store with claims is given the link or the state, never both at once.
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, state } = change;
    if (link !== undefined) {
      await this.#explain(`write ${this.names.link}`, this.#putSecret(link, signal));
      // `{}`: Gitea shows only that the secret is there. `foreignContent` stays as it was read:
      // only before the first write does it matter whether other content is there.
      return { ...seen, link: {} };
    }
    if (state === undefined) return seen;
    await this.#explain(`write ${this.names.state}`, this.#setState(state, seen, signal));
    return { ...seen, state };
  }

  /**
   * An empty object if the secret exists: Gitea shows nothing else of it. Notes its description.
   */
  async #readLink(signal?: AbortSignal): Promise<Snapshot['link']> {
    const secrets = await this.#list('secrets', secretEntry, signal);
    // Gitea ignores case in names; the name in an address is in capital letters.
    const { name } = this.#init.address;
    const existing = secrets.find((secret) => secret.name.toUpperCase() === name);
    this.#secretDescription = existing?.description;
    return existing && {};
  }

  /**
   * Throws `forbidden` for a token that may only read, so that the run ends before the export and
   * not after it. Asks Gitea to write a secret that it always refuses: the name is reserved, and
   * the value is empty. Gitea checks the rights first, so that a refusal of the request itself (400
   * or 422) shows that the token may write.
   */
  async #checkRightToWrite(): Promise<void> {
    const path = [...this.#folder, 'secrets', 'GITHUB_TOKEN'];
    // 400 is for a reserved name, 422 for an empty value.
    const accepts = (reply: HttpReply) => reply.status === 400 || reply.status === 422;
    const sent = this.#api.send({ method: 'PUT', path, body: { data: '' }, accepts });
    await this.#explain('find out whether the token may write secrets', sent);
  }

  /**
   * Writes the link, whether its secret exists or not. The description is sent again, since Gitea
   * would remove it; an empty one is left out.
   */
  #putSecret(data: string, signal?: AbortSignal): Promise<unknown> {
    const path = [...this.#folder, 'secrets', this.#init.address.name];
    const body = { data, description: this.#secretDescription || undefined };
    return this.#api.send({ method: 'PUT', path, body, signal, ...ONCE });
  }

  /** Writes the state, whether its variable exists or not. */
  #setState(value: string, seen: Snapshot, signal?: AbortSignal): Promise<unknown> {
    const body = { value, description: this.#stateDescription || undefined };
    const request = { path: this.#variablePath(this.#stateName), body, signal, ...ONCE };
    // PUT changes a variable, and answers 404 if there is none; POST creates one, and answers 409
    // (in some versions another status) if there is one.
    const update = () => this.#api.send({ method: 'PUT', ...request });
    const create = () => this.#api.send({ method: 'POST', ...request });
    return updateOrCreate(update, create, seen.state === undefined);
  }

  /** Creates a variable. Throws `conflict` if it exists. */
  async #create(name: string, value: string, signal?: AbortSignal): Promise<void> {
    const path = this.#variablePath(name);
    const sent = this.#api.send({ method: 'POST', path, body: { value }, signal, ...ONCE });
    try {
      await this.#explainVariable('create', name, sent);
    } catch (error) {
      // If the variable exists, some versions of Gitea answer as for a wrong value, and not with
      // 409: reading shows whether it does. If the request may have acted, the variable may be the
      // one that it made.
      if (!hasCode(error, 'config') || error.mayHaveActed) throw error;
      if ((await this.#findVariable(name, signal)) === undefined) throw error;
      throw error.with({ code: 'conflict' });
    }
  }

  /** The variable; undefined: there is none. */
  #findVariable(name: string, signal?: AbortSignal) {
    const path = this.#variablePath(name);
    const reply = this.#api.read({ method: 'GET', path, signal }, variableReply);
    return ifFound(this.#explainVariable('read', name, reply));
  }

  #list<T>(what: string, entry: z.ZodMiniType<T>, signal?: AbortSignal): Promise<T[]> {
    const path = [...this.#folder, what];
    const request = { method: 'GET', path, query: { limit: PAGE_SIZE }, signal } as const;
    return this.#explain(`list the ${what}`, this.#api.listAll(request, PAGE_SIZE, entry));
  }

  /** The path in the API that secrets and variables are below. */
  get #folder(): readonly string[] {
    return [...this.#owner.path, 'actions'];
  }

  /** The path of a variable in the API. */
  #variablePath(name: string): readonly string[] {
    return [...this.#folder, 'variables', name];
  }

  #explainVariable<T>(action: string, name: string, call: Promise<T>): Promise<T> {
    return this.#explain(`${action} variable ${name} of ${this.#owner.name}`, call);
  }

  /** Makes the call; its failure says what to do. `action` completes "Could not …". */
  #explain<T>(action: string, call: Promise<T>): Promise<T> {
    return explained(action, call, (error) => hintOf(error, this.#owner));
  }
}

type Owner = ReturnType<typeof ownerOf>;

/** The organization or the repository of a destination, as messages and the API name it. */
function ownerOf(address: GiteaAddress) {
  if (address.scope === 'organization') {
    const organization = address.organization;
    return {
      name: `organization ${organization}`,
      path: ['orgs', organization],
      tokenScope: 'write:organization',
      writers: `an owner of the organization ${organization}`,
    };
  }
  const repository = address.repository;
  // Both are there: the address was checked.
  const [owner = '', name = ''] = repository.split('/');
  return {
    name: `repository ${repository}`,
    path: ['repos', owner, name],
    tokenScope: 'write:repository',
    // Admin rights on a repository are not enough; run against Gitea 1.26.
    writers: `the owner of ${repository}: the account ${owner}, or a member of the team Owners if ${owner} is an organization`,
  };
}

/**
 * How to make a token that works. `why`: what is wrong with the token that was given, with a space
 * after it; empty if the message says it.
 */
function howToMakeToken(owner: Owner, why = ''): Hint {
  return {
    text: `${why}As ${owner.writers}: Settings, Applications, Generate New Token, with the permission ${owner.tokenScope} and nothing else. Store it as a secret of the CI system, and give it to the run:`,
    inputs: { 'secret-token': '' },
  };
}

/** What to do about a failed call; undefined if the error says it all. */
function hintOf(error: CourierError, owner: Owner): Hint | undefined {
  // Each text ends with a space: the advice of `howToMakeToken` follows it.
  const texts: Partial<Record<ErrorCode, string>> = {
    unauthorized:
      'secret-token is not accepted: it was deleted, or it is for another server. Make a new one. ',
    forbidden: `secret-token lacks a right: its account must be an owner, and the token needs the scope ${owner.tokenScope}. `,
    'not-found': `Check the address: the ${owner.name} must exist and be visible to secret-token. Variables need Gitea 1.22 or newer. `,
  };
  const text = texts[error.code];
  if (text === undefined) return undefined;
  return howToMakeToken(owner, text);
}
