import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import {
  getJson,
  listAll,
  MAY_BE_ABSENT,
  type Octokit,
  ONCE,
  readReply,
} from '../../github/client.ts';
import { explained, updateOrCreate } from '../port.ts';
import type { SecretAccess } from './address.ts';
import { type GitHubTarget, ownerAndRepo, scopeOf, settingHint } from './target.ts';

/** A client for the API with the token of the store. `signal` is used instead of the run's own. */
export type Connect = (signal?: AbortSignal) => Promise<Octokit>;

interface PlannedCall {
  readonly kind: 'secrets' | 'variables';
  /** Completes "Could not …", such as `read the public key`. */
  readonly action: string;
}

interface SettingCall extends PlannedCall {
  /** Below the path of the scope, such as `GET /secrets/public-key`. */
  readonly route: string;
  /** For the braces of the route, its query or its body. */
  readonly fields?: Fields | undefined;
  /** `ONCE` for a write: what it writes is decided again before it is sent again. */
  readonly request?: typeof ONCE | typeof MAY_BE_ABSENT;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Calls about one secret and the variable next to it. Their failures name the permission that is
 * missing.
 */
export class GitHubSettings {
  readonly target: GitHubTarget;
  readonly scope: ReturnType<typeof scopeOf>;
  /** Of the secret. */
  readonly name: string;
  readonly #connect: Connect;

  constructor(target: GitHubTarget, name: string, connect: Connect) {
    this.target = target;
    this.scope = scopeOf(target);
    this.name = name;
    this.#connect = connect;
  }

  /** The same destination, asked with another signal. */
  with(signal: AbortSignal | undefined): GitHubSettings {
    return signal === undefined
      ? this
      : new GitHubSettings(this.target, this.name, () => this.#connect(signal));
  }

  call({ route, fields, request, ...call }: SettingCall) {
    const all = { ...this.#filled(fields), ...(request && { request }) };
    return this.#explained(call, (octokit) => octokit.request(this.#route(route), all));
  }

  /** As `call`, for all pages of a list. */
  list<T>(
    { route, fields, ...call }: SettingCall,
    schema: z.ZodMiniType<T>,
  ): Promise<readonly T[]> {
    return this.#explained(call, (octokit) =>
      listAll(octokit, this.#route(route), this.#filled(fields), schema),
    );
  }

  async #explained<T>(
    { kind, action }: PlannedCall,
    send: (octokit: Octokit) => Promise<T>,
  ): Promise<T> {
    const octokit = await this.#connect();
    const hint = (error: CourierError) => settingHint(error, { target: this.target, kind });
    return explained(`${action} of ${this.scope.name}`, send(octokit), hint);
  }

  /** The id of a repository that the token can see. Throws `not-found`. */
  async repositoryId(fullName: string): Promise<number> {
    const call = { kind: 'secrets', action: `look up ${fullName} for the secret` } as const;
    const read = (octokit: Octokit) =>
      getJson(octokit, 'GET /repos/{owner}/{repo}', ownerAndRepo(fullName), repositoryId);
    return (await this.#explained(call, read)).id;
  }

  #route(route: string): string {
    return route.replace(' ', ` ${this.scope.path}`);
  }

  #filled(fields: Fields | undefined) {
    return { ...this.scope.parameters, ...fields };
  }
}

/** Which repositories see an organization's secret or variable. */
export interface SettingAccess {
  readonly visibility: 'all' | 'private' | 'selected';
  /** With `selected` only. */
  readonly repositoryIds: readonly number[] | undefined;
}

const repositoryIds = z.object({
  total_count: z.number(),
  repositories: z.array(z.object({ id: z.number() })),
});
const repositoryId = z.object({ id: z.number() });
export const variable = z.object({ value: z.string(), updated_at: z.optional(z.string()) });
export type StoredVariable = z.infer<typeof variable>;
const PAGE_SIZE = 100;
// Far more repositories than an organization lists manually; a reply that never ends must not keep
// us.
const MAX_PAGES = 100;

/**
 * Who sees the secret: what the address says, else what it has now; undefined for the scopes that
 * have no visibility.
 */
export async function readAccess(
  settings: GitHubSettings,
  wanted: SecretAccess,
  existing: { readonly visibility?: SettingAccess['visibility'] | undefined } | undefined,
): Promise<SettingAccess | undefined> {
  const { target, name } = settings;
  if (target.scope !== 'organization') return undefined;
  const { organization } = target;
  const visibility = wanted.visibility ?? existing?.visibility;
  const missing = (why: string, query: string) =>
    new CourierError({
      code: 'config',
      message: `${why}: the address needs ${query}.`,
      hint: {
        text: 'Say which repositories may read the secret (all, private or selected):',
        inputs: { to: `github:org/${organization}/${name}?visibility=selected&repositories=REPO` },
      },
    });
  if (visibility === undefined)
    throw missing(`${name} is new to organization ${organization}`, '?visibility=');
  if (visibility !== 'selected') return { visibility, repositoryIds: undefined };
  if (wanted.repositories !== undefined) {
    const ids = new Set<number>();
    for (const one of wanted.repositories) ids.add(await resolveId(settings, organization, one));
    return { visibility, repositoryIds: [...ids] };
  }
  if (existing?.visibility !== 'selected')
    throw missing('With visibility=selected', '&repositories=');
  return { visibility, repositoryIds: await listSelected(settings) };
}

async function resolveId(
  settings: GitHubSettings,
  organization: string,
  name: string,
): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  const fullName = name.includes('/') ? name : `${organization}/${name}`;
  try {
    return await settings.repositoryId(fullName);
  } catch (error) {
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `?repositories= names ${fullName}, which secret-token cannot see.`,
      hint: 'Check the name, give the id instead, or let the token cover the repository.',
    });
  }
}

async function listSelected(settings: GitHubSettings): Promise<number[]> {
  const { name } = settings;
  const action = `list the repositories that see secret ${name}`;
  const route = 'GET /secrets/{secret_name}/repositories';
  const ids: number[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const fields = { secret_name: name, per_page: PAGE_SIZE, page };
    const { data } = await settings.call({ kind: 'secrets', action, route, fields });
    const { total_count: total, repositories } = readReply(repositoryIds, data);
    ids.push(...repositories.map(({ id }) => id));
    if (repositories.length === 0 || ids.length >= total) return ids;
  }
  // With a part of them, the others would lose the secret at the next write.
  throw new CourierError({
    code: 'protocol',
    message: `GitHub lists more than ${MAX_PAGES * PAGE_SIZE} repositories that see secret ${name}. Nothing was written.`,
  });
}

/** The fields of a request body for it. */
export function accessFields(access: SettingAccess | undefined): Fields {
  if (access === undefined) return {};
  const { visibility, repositoryIds } = access;
  return {
    visibility,
    ...(repositoryIds !== undefined && { selected_repository_ids: repositoryIds }),
  };
}

/**
 * The Actions variable `NAME_STATE` next to a secret, or `NAME_STATE_7`; undefined: there is none.
 * `forbidden` without the permission.
 */
export async function readActionsVariable(
  settings: GitHubSettings,
  name: string,
): Promise<StoredVariable | undefined> {
  const action = `read variable ${name}`;
  const route = 'GET /variables/{variable}';
  const call = { kind: 'variables', action, route, request: MAY_BE_ABSENT } as const;
  const { status, data } = await settings.call({ ...call, fields: { variable: name } });
  return status === 404 ? undefined : readReply(variable, data);
}

interface VariableWrite {
  readonly name: string;
  readonly value: string;
  /** In an organization the variable is seen by those who see the secret. */
  readonly access: SettingAccess | undefined;
}

/** Sets the variable, whether it exists or not. `isNew`: it did not exist when it was last read. */
export async function writeVariable(
  settings: GitHubSettings,
  write: VariableWrite,
  isNew: boolean,
): Promise<void> {
  const { name, value, access } = write;
  const call = { kind: 'variables', action: `write variable ${name}`, request: ONCE } as const;
  // Not called `name`: that is the name of a field in the body, and the path's part must not become
  // one.
  const fields = { variable: name, value, ...accessFields(access) };
  await updateOrCreate({
    isNew,
    update: () => settings.call({ ...call, route: 'PATCH /variables/{variable}', fields }),
    create: () => createVariable(settings, write),
  });
}

/** Throws `conflict` if it exists. */
export async function createVariable(
  settings: GitHubSettings,
  { name, value, access }: VariableWrite,
): Promise<unknown> {
  const call = {
    kind: 'variables',
    action: `write variable ${name}`,
    route: 'POST /variables',
    request: ONCE,
  } as const;
  try {
    return await settings.call({ ...call, fields: { name, value, ...accessFields(access) } });
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    throw (await fullError(settings, { kind: 'variables', name, error })) ?? error;
  }
}

// https://docs.github.com/actions/reference/security/secrets and …/workflows-and-actions/variables,
// limits.
const LIMITS = {
  secrets: { repository: 100, environment: 100, organization: 1000 },
  variables: { repository: 500, environment: 100, organization: 1000 },
} as const;
const settingList = z.object({ total_count: z.number() });

interface NotCreated extends Pick<PlannedCall, 'kind'> {
  readonly name: string;
  readonly error: CourierError;
}

/**
 * Why a new secret or variable was refused, if there are too many; undefined: for another reason.
 * GitHub refuses one beyond the limit with a status that it also uses for other reasons; the count
 * decides.
 */
export async function fullError(
  settings: GitHubSettings,
  refused: NotCreated,
): Promise<CourierError | undefined> {
  const { kind, name, error } = refused;
  if (error.httpStatus !== 422 && error.httpStatus !== 403) return undefined;
  const { target, scope } = settings;
  const limit = LIMITS[kind][target.scope];
  if ((await countOfAll(settings, kind)) < limit) return undefined;
  const one = kind === 'secrets' ? 'secret' : 'variable';
  return error.with({
    code: 'forbidden',
    message: `${one === 'secret' ? 'Secret' : 'Variable'} ${name} was not written: ${scope.name} already has ${limit} ${kind}, which is GitHub's limit.`,
    hint: `Delete a ${one} that is no longer used, or use another scope.`,
    lacksPermission: false,
  });
}

/** 0: it cannot be known. */
async function countOfAll(settings: GitHubSettings, kind: PlannedCall['kind']): Promise<number> {
  try {
    const call = { kind, action: `count the ${kind}`, route: `GET /${kind}` } as const;
    const { data } = await settings.call({ ...call, fields: { per_page: 1 } });
    return readReply(settingList, data).total_count;
  } catch (error) {
    if (error instanceof CourierError && error.code !== 'cancelled') return 0;
    throw error;
  }
}

/** Does nothing if it does not exist. */
export async function removeVariable(settings: GitHubSettings, name: string): Promise<void> {
  const call = {
    kind: 'variables',
    action: `delete variable ${name}`,
    route: 'DELETE /variables/{variable}',
  } as const;
  await settings.call({ ...call, request: MAY_BE_ABSENT, fields: { variable: name } });
}

const namedVariable = z.object({ name: z.string() });

/** The names of all variables next to the secret. */
export async function listVariables(settings: GitHubSettings): Promise<readonly string[]> {
  const call = {
    kind: 'variables',
    action: 'list the variables',
    route: 'GET /variables',
  } as const;
  // GitHub gives at most 30 of them in one reply.
  const found = await settings.list({ ...call, fields: { per_page: 30 } }, namedVariable);
  return found.map(({ name }) => name);
}

export function stateName(secretName: string): string {
  return `${secretName}_STATE`;
}

export function claimName(secretName: string, number: number): string {
  return `${stateName(secretName)}_${number}`;
}
