import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { type Octokit, readReply } from '../../github/client.ts';
import { explainSettingError } from './advice.ts';
import { type GitHubTarget, ownerAndRepo, type SettingScope, settingScope } from './target.ts';

/** A client for the API with the token of the store. `signal` is used instead of the run's own. */
export type Connect = (signal?: AbortSignal) => Promise<Octokit>;

/** Calls about one secret and the variable next to it. Their failures name the permission that is missing. */
export class GitHubSettings {
  readonly target: GitHubTarget;
  /** Of the secret. */
  readonly name: string;
  readonly scope: SettingScope;
  readonly #connect: Connect;

  constructor(target: GitHubTarget, name: string, connect: Connect) {
    this.target = target;
    this.name = name;
    this.scope = settingScope(target);
    this.#connect = connect;
  }

  /** The same destination, asked with another signal. */
  with(signal: AbortSignal | undefined): GitHubSettings {
    return signal === undefined ? this : new GitHubSettings(this.target, this.name, () => this.#connect(signal));
  }

  /** `action` completes "Could not …", such as `read the public key`. */
  async call<T>(kind: 'secrets' | 'variables', action: string, request: (octokit: Octokit) => Promise<T>): Promise<T> {
    const octokit = await this.#connect();
    try {
      return await request(octokit);
    } catch (error) {
      throw explainSettingError(error, { target: this.target, kind, action });
    }
  }

  /** A call whose failure the caller explains itself. */
  async request<T>(request: (octokit: Octokit) => Promise<T>): Promise<T> {
    return request(await this.#connect());
  }
}

/** Which repositories see an organization's secret or variable. */
export interface SettingAccess {
  readonly visibility: 'all' | 'private' | 'selected';
  /** With `selected` only. */
  readonly repositoryIds: readonly number[] | undefined;
}

/** What the inputs say about an organization's secret; undefined fields keep what the existing secret has. */
export interface OrganizationAccess {
  readonly visibility: SettingAccess['visibility'] | undefined;
  /** Names, `owner/name` or ids. */
  readonly selectedRepositories: readonly string[] | undefined;
}

const repositoryIds = z.object({ total_count: z.number(), repositories: z.array(z.object({ id: z.number() })) });
const repositoryId = z.object({ id: z.number() });
export const variable = z.object({ value: z.string(), updated_at: z.optional(z.string()) });
export type StoredVariable = z.infer<typeof variable>;
/** For a variable that appears or disappears between two requests. */
const MAX_ROUNDS = 3;
const PAGE_SIZE = 100;
// Far more repositories than an organization lists by hand; a reply that never ends must not keep us.
const MAX_PAGES = 100;

/** Who sees the secret: what the inputs say, else what it has now; undefined for the scopes that have no visibility. */
export async function readAccess(
  settings: GitHubSettings,
  { visibility: wanted, selectedRepositories }: OrganizationAccess,
  existing: { readonly visibility?: SettingAccess['visibility'] | undefined } | undefined,
): Promise<SettingAccess | undefined> {
  const { target, name } = settings;
  if (target.scope !== 'organization') return undefined;
  const visibility = wanted ?? existing?.visibility;
  if (visibility === undefined) {
    throw missing(`${name} is new to organization ${target.organization}`, settings, '?visibility=');
  }
  if (visibility !== 'selected') return { visibility, repositoryIds: undefined };
  if (selectedRepositories !== undefined) {
    return { visibility, repositoryIds: await resolveIds(settings, target.organization, selectedRepositories) };
  }
  if (existing?.visibility !== 'selected') throw missing('With visibility=selected', settings, '&repositories=');
  return { visibility, repositoryIds: await listSelected(settings) };
}

function missing(why: string, { target, name }: GitHubSettings, query: string): CourierError {
  const organization = target.scope === 'organization' ? target.organization : '';
  return new CourierError({
    code: 'config',
    message: `${why}: the address needs ${query}.`,
    hint: {
      text: 'Say which repositories may read the secret (all, private or selected):',
      inputs: { to: `github:org/${organization}/${name}?visibility=selected&repositories=app` },
    },
  });
}

async function resolveIds(settings: GitHubSettings, organization: string, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const fullName = name.includes('/') ? name : `${organization}/${name}`;
    ids.push(/^\d+$/.test(name) ? Number(name) : await resolveId(settings, fullName));
  }
  return [...new Set(ids)];
}

async function resolveId(settings: GitHubSettings, fullName: string): Promise<number> {
  try {
    const { data } = await settings.call('secrets', `look up ${fullName} for the secret`, (octokit) =>
      octokit.request('GET /repos/{owner}/{repo}', ownerAndRepo(fullName)),
    );
    return readReply(repositoryId, data).id;
  } catch (error) {
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `?repositories= names ${fullName}, which secret-token cannot see.`,
      hint: 'Check the name, give the id instead, or let the token cover the repository.',
    });
  }
}

async function listSelected(settings: GitHubSettings): Promise<number[]> {
  const { path, parameters } = settings.scope;
  const ids: number[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await settings.call(
      'secrets',
      `list the repositories that see secret ${settings.name}`,
      (octokit) =>
        octokit.request(`GET ${path}/secrets/{secret_name}/repositories`, {
          ...parameters,
          secret_name: settings.name,
          per_page: PAGE_SIZE,
          page,
        }),
    );
    const { total_count: total, repositories } = readReply(repositoryIds, data);
    ids.push(...repositories.map(({ id }) => id));
    if (repositories.length === 0 || ids.length >= total) break;
  }
  return ids;
}

/** The fields of a request body for it. */
export function accessFields(access: SettingAccess | undefined): Record<string, unknown> {
  if (access === undefined) return {};
  const { visibility, repositoryIds } = access;
  return { visibility, ...(repositoryIds !== undefined && { selected_repository_ids: repositoryIds }) };
}

/** The Actions variable `<NAME>_STATE` next to a secret. `forbidden` is a token without the Variables permission. */
export class GitHubVariable {
  readonly #settings: GitHubSettings;
  readonly #name: string;
  readonly #access: SettingAccess | undefined;

  /** In an organization the variable is seen by those who see the secret. */
  constructor(settings: GitHubSettings, access: SettingAccess | undefined) {
    this.#settings = settings;
    this.#name = stateName(settings.name);
    this.#access = access;
  }

  /** undefined: there is no such variable. */
  async read(): Promise<StoredVariable | undefined> {
    try {
      const { data } = await this.#settings.call('variables', `read variable ${this.#name}`, (octokit) =>
        octokit.request(`GET ${this.#settings.scope.path}/variables/{variable}`, this.#named),
      );
      return readReply(variable, data);
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** Sets it, whether it exists or not. `isNew`: it did not exist when it was last read. */
  async write(value: string, isNew: boolean): Promise<void> {
    await this.#settings.call('variables', `write variable ${this.#name}`, () => this.#set(value, isNew));
  }

  // Not called `name`: that is the name of a field in the body, and the path's part must not become one.
  get #named() {
    return { ...this.#settings.scope.parameters, variable: this.#name };
  }

  async #set(value: string, isNew: boolean): Promise<void> {
    for (let round = 1; ; round += 1) {
      try {
        if (!isNew || round > 1) return await this.#update(value);
      } catch (error) {
        if (!hasCode(error, 'not-found')) throw error;
      }
      try {
        return await this.#create(value);
      } catch (error) {
        // Another run made it meanwhile, or perhaps this very call, whose reply was lost: the update decides.
        const mayExist = hasCode(error, 'conflict') || (error instanceof CourierError && error.mayHaveStarted);
        if (!mayExist || round === MAX_ROUNDS) throw error;
      }
    }
  }

  async #update(value: string): Promise<void> {
    await this.#settings.request((octokit) =>
      octokit.request(`PATCH ${this.#settings.scope.path}/variables/{variable}`, {
        ...this.#named,
        value,
        ...accessFields(this.#access),
      }),
    );
  }

  async #create(value: string): Promise<void> {
    const { path, parameters } = this.#settings.scope;
    await this.#settings.request((octokit) =>
      octokit.request(`POST ${path}/variables`, {
        ...parameters,
        name: this.#name,
        value,
        ...accessFields(this.#access),
      }),
    );
  }
}

export function stateName(secretName: string): string {
  return `${secretName}_STATE`;
}
