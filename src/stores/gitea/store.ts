import * as z from 'zod/mini';
import { CourierError, type Hint, hasCode } from '../../errors.ts';
import { GiteaApi } from '../../gitea/api.ts';
import type { Http } from '../../http/http.ts';
import { formatAddress, type GiteaAddress } from '../address.ts';
import {
  type CheckResult,
  type LinkStore,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  UNSEEN,
} from '../port.ts';

export interface GiteaStoreInit {
  readonly address: GiteaAddress;
  /** Such as `https://gitea.example.com`, without a trailing slash. */
  readonly serverUrl: string;
  readonly token: string;
  /** The tokens of the job, which cannot write secrets: a `token` equal to one of them is refused before any request. */
  readonly jobTokens: readonly (string | undefined)[];
  readonly http: Http;
}

const secretEntry = z.object({ name: z.string(), description: z.optional(z.string()) });
const variableReply = z.object({ data: z.string(), description: z.optional(z.string()) });
const MAX_ROUNDS = 3;

/**
 * An Actions secret of Gitea or Forgejo, with the state in a variable next to it. Gitea takes the value in the clear (TLS
 * protects it on the way) and shows neither the value nor a date of the last change: its reply is all there is to confirm a
 * write. A person who may write the variable may write the secret too.
 */
export class GiteaStore implements LinkStore {
  readonly names: StoreNames;
  readonly signedAddress: string;
  readonly can = { atomic: false, verify: 'none' } as const;
  readonly #init: GiteaStoreInit;
  readonly #api: GiteaApi;
  readonly #stateName: string;
  /** What a person wrote next to the secret and the variable: a write without it would remove it. */
  readonly #descriptions: { secret?: string | undefined; variable?: string | undefined } = {};

  constructor(init: GiteaStoreInit) {
    const { address, http, serverUrl, token } = init;
    this.#init = init;
    this.#api = new GiteaApi(http, serverUrl, token);
    this.#stateName = `${address.name}_STATE`;
    const target = targetName(address);
    this.names = {
      destination: formatAddress(address),
      name: address.name,
      target,
      link: `secret ${address.name} of ${target}`,
      state: `variable ${this.#stateName} of ${target}`,
      stateRight: stateRight(address),
    };
    this.signedAddress = signedAddress(serverUrl, address);
  }

  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    const { address, token, jobTokens } = this.#init;
    if (jobTokens.includes(token)) throw jobTokenError(address);
    if (use === 'read') return [];
    await this.#proveRight();
    const unseen = 'Gitea shows nothing of a secret: a write is confirmed by its reply alone.';
    return [
      { what: this.names.link, outcome: 'ok', detail: 'The token may write secrets and variables.' },
      { what: 'verification', outcome: 'unknown', detail: unseen },
    ];
  }

  async read(seen?: Snapshot): Promise<Snapshot> {
    const link = seen === undefined ? await this.#readLink() : seen.link;
    const variable = await this.#readVariable();
    this.#descriptions.variable = variable?.description;
    return { link, content: link && UNSEEN, state: variable?.data, version: undefined };
  }

  async write({ link, state }: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    if (link !== undefined) {
      await this.#explain(`write ${this.names.link}`, () => this.#putSecret(link, signal));
      return { ...seen, link: {} };
    }
    if (state !== undefined) {
      await this.#explain(`write ${this.names.state}`, () =>
        this.#setVariable(state, seen.state === undefined, signal),
      );
      return { ...seen, state };
    }
    return seen;
  }

  async #readLink(): Promise<Snapshot['link']> {
    const { name } = this.#init.address;
    const request = { method: 'GET', path: [...this.#folder, 'secrets'] } as const;
    const all = await this.#explain('list the secrets', () => this.#api.readAll(request, secretEntry));
    const existing = all.find((secret) => secret.name.toUpperCase() === name);
    this.#descriptions.secret = existing?.description;
    return existing && {};
  }

  /**
   * A token that may only read shows now, and not after the export. Gitea judges the rights first and the request after that,
   * and this one it refuses on two counts: the name is reserved, and the value is empty.
   */
  async #proveRight(): Promise<void> {
    const path = [...this.#folder, 'secrets', 'GITHUB_TOKEN'];
    await this.#explain('find out whether the token may write secrets', () =>
      this.#api.send({ method: 'PUT', path, body: { data: '' }, accepts: ({ status }) => [400, 422].includes(status) }),
    );
  }

  async #readVariable() {
    const request = { method: 'GET', path: this.#variable } as const;
    try {
      return await this.#explain(`read ${this.names.state}`, () => this.#api.read(request, variableReply));
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  async #putSecret(data: string, signal: AbortSignal | undefined): Promise<void> {
    const path = [...this.#folder, 'secrets', this.#init.address.name];
    const { secret: description } = this.#descriptions;
    await this.#api.send({ method: 'PUT', path, body: { data, ...(description && { description }) }, signal });
  }

  /** PUT changes a variable that exists, POST makes a new one; neither does both. */
  async #setVariable(value: string, isNew: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { variable: description } = this.#descriptions;
    const request = { path: this.#variable, body: { value, ...(description && { description }) }, signal };
    for (let round = 1; ; round += 1) {
      try {
        if (!isNew || round > 1) return void (await this.#api.send({ method: 'PUT', ...request }));
      } catch (error) {
        if (!hasCode(error, 'not-found')) throw error;
      }
      try {
        return void (await this.#api.send({ method: 'POST', ...request }));
      } catch (error) {
        // Another run made it meanwhile, or an attempt of ours whose reply was lost: the update decides.
        if (!hasCode(error, 'conflict') || round === MAX_ROUNDS) throw error;
      }
    }
  }

  get #folder(): readonly string[] {
    const { address } = this.#init;
    const owner = address.scope === 'organization' ? ['orgs', address.organization] : ['repos', ...parts(address)];
    return [...owner, 'actions'];
  }

  get #variable(): readonly string[] {
    return [...this.#folder, 'variables', this.#stateName];
  }

  async #explain<T>(action: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw explained(error, action, this.#init.address);
    }
  }
}

function parts({ repository }: { readonly repository: string }): readonly string[] {
  return repository.split('/');
}

function targetName(address: GiteaAddress): string {
  return address.scope === 'organization' ? `organization ${address.organization}` : `repository ${address.repository}`;
}

/** With the server's host and path; in lower case, as Gitea ignores case in names. */
function signedAddress(serverUrl: string, address: GiteaAddress): string {
  const { host, pathname } = new URL(serverUrl);
  const owner = address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository}`;
  return `gitea://${host}${pathname.replace(/\/+$/, '')}/${owner}/${address.name}`.toLowerCase();
}

function scopeOf(address: GiteaAddress): string {
  return address.scope === 'organization' ? 'write:organization' : 'write:repository';
}

/** Who may write secrets and variables there. Admin rights on a repository are not enough; run against Gitea 1.26. */
function ownerOf(address: GiteaAddress): string {
  if (address.scope === 'organization') return `an owner of the organization ${address.organization}`;
  const [owner = ''] = address.repository.split('/');
  return `the owner of ${address.repository}: the account ${owner}, or a member of the team Owners if ${owner} is an organization`;
}

function stateRight(address: GiteaAddress): string {
  return `token of an owner, with the scope ${scopeOf(address)}`;
}

/** How to make a token that works, after what is wrong with the one that was given. */
function withToken(why: string, address: GiteaAddress): Hint {
  const made = `As ${ownerOf(address)}: Settings, Applications, Generate New Token, with the permission ${scopeOf(address)} and nothing else.`;
  return {
    text: `${why}${made}`,
    steps: {
      how: 'Store it as an Actions secret of this repository, and give it to the step:',
      yaml: 'with:\n  secret-token: ${{ secrets.DOCS_SECRET_TOKEN }}',
    },
  };
}

/** A failed call about a secret or a variable, with what the token lacks. Other errors are passed on as they are. */
function explained(error: unknown, action: string, address: GiteaAddress): unknown {
  if (!(error instanceof CourierError)) return error;
  const hint = hintOf(error, address);
  return hint === undefined ? error : error.with({ message: `Could not ${action}. ${error.message}`, hint });
}

function hintOf({ code }: CourierError, address: GiteaAddress): Hint | undefined {
  switch (code) {
    case 'unauthorized':
      return withToken(
        `secret-token is not accepted: it was deleted, or it is for another server. Make a new one. `,
        address,
      );
    case 'forbidden':
      return withToken(
        `secret-token lacks a right: its account must be an owner, and the token needs the scope ${scopeOf(address)}. `,
        address,
      );
    case 'not-found':
      return withToken(
        `Check the address: ${address.scope === 'organization' ? `the organization ${address.organization}` : `the repository ${address.repository}`} must exist and be visible to secret-token. Variables need Gitea 1.22 or newer. `,
        address,
      );
    default:
      return undefined;
  }
}

/** Gitea gives the token of a job no right to secrets, whatever the workflow asks for. */
function jobTokenError(address: GiteaAddress): CourierError {
  return new CourierError({
    code: 'forbidden',
    message: "secret-token is the job's own token, which can never write secrets. Nothing was sent.",
    hint: withToken('', address),
  });
}
