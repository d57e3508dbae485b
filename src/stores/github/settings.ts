import * as z from 'zod/mini';
import {
  getJson,
  MAY_BE_ABSENT,
  type Octokit,
  ONCE,
  type Parameters,
  readReply,
} from '../../github/client.ts';
import { ownerAndRepo } from '../../github/connection.ts';
import { listAll } from '../../github/lists.ts';
import { amended, assertFailure, CourierError, configError } from '../../ground/errors.ts';
import { explained, updateOrCreate } from '../port.ts';
import type { SecretAccess } from './address.ts';
import { type GitHubTarget, scopeOf, settingHint } from './target.ts';

/** A client for the API with the token of the store. `signal` is used instead of the run's own. */
export type Connect = (signal?: AbortSignal) => Promise<Octokit>;

/**
 * Calls about one secret and the variable next to it. Their failures name the permission that is
 * missing. `action` completes "Could not …"; `route` is below the path of the scope, such as `GET
 * /secrets/public-key`; `fields` are for its braces, its query or its body.
 */
export class GitHubSettings {
  readonly target: GitHubTarget;
  readonly scope: ReturnType<typeof scopeOf>;
  /** The name of the secret. */
  readonly name: string;
  /** The name of the variable with the state. */
  readonly stateName: string;
  readonly #connect: Connect;

  constructor(target: GitHubTarget, name: string, connect: Connect) {
    this.target = target;
    this.scope = scopeOf(target);
    this.name = name;
    this.stateName = `${name}_STATE`;
    this.#connect = connect;
  }

  /** The same destination, asked with another signal. */
  withSignal(signal: AbortSignal | undefined): GitHubSettings {
    if (signal === undefined) return this;
    return new GitHubSettings(this.target, this.name, () => this.#connect(signal));
  }

  /**
   * Makes one call. `request`: `ONCE` for a write that is not repeated, since the caller reads and
   * decides again first; `MAY_BE_ABSENT` if a 404 is an answer.
   */
  async call(
    action: string,
    route: string,
    fields?: Parameters,
    request?: Partial<typeof ONCE & typeof MAY_BE_ABSENT>,
  ) {
    const parameters = { ...this.scope.parameters, ...fields };
    const octokit = await this.#connect();
    // Octokit does not take `request: undefined`.
    const options = request === undefined ? parameters : { ...parameters, request };
    const sent = octokit.request(this.#withPath(route), options);
    return this.#withHint(action, route, sent);
  }

  /** All entries of a list. */
  async list<T>(
    action: string,
    route: string,
    fields: Parameters,
    schema: z.ZodMiniType<T>,
  ): Promise<readonly T[]> {
    const parameters = { ...this.scope.parameters, ...fields };
    const sent = listAll(await this.#connect(), this.#withPath(route), parameters, schema);
    return this.#withHint(action, route, sent);
  }

  /** The route with the path of the scope, such as `GET /orgs/{org}/actions/secrets/public-key`. */
  #withPath(route: string): string {
    return route.replace(' ', ` ${this.scope.path}`);
  }

  /** Awaits the call; its failure names the permission that is missing, if one is. */
  #withHint<T>(action: string, route: string, sent: Promise<T>): Promise<T> {
    // Each other call is for the secret, also the one that looks up a repository.
    const kind = route.includes('/variables') ? 'variables' : 'secrets';
    return explained(`${action} of ${this.scope.name}`, sent, (error) =>
      settingHint(error, this.target, kind),
    );
  }

  /** The id of the repository or organization of the secret. Throws `not-found`. */
  holderId(): Promise<number> {
    const { target } = this;
    if (target.scope !== 'organization') return this.repositoryId(target.repository);
    const org = target.organization;
    return this.#lookUp(org, 'GET /orgs/{org}', { org });
  }

  /** The id of a repository that the token can see. Throws `not-found`. */
  repositoryId(fullName: string): Promise<number> {
    return this.#lookUp(fullName, 'GET /repos/{owner}/{repo}', ownerAndRepo(fullName));
  }

  async #lookUp(name: string, route: string, parameters: Parameters): Promise<number> {
    const sent = getJson(await this.#connect(), route, parameters, idReply);
    return (await this.#withHint(`look up ${name} for the secret`, route, sent)).id;
  }

  /**
   * The Actions variable `NAME_STATE` next to the secret, or `NAME_STATE_7`; undefined: there is
   * none. `forbidden` without the permission.
   */
  async variable(name: string): Promise<StoredVariable | undefined> {
    const fields = { variable: name };
    const route = 'GET /variables/{variable}';
    const reply = await this.call(`read variable ${name}`, route, fields, MAY_BE_ABSENT);
    if (reply.status === 404) return undefined;
    return readReply(variable, reply.data);
  }

  /** The names of all variables next to the secret. */
  async variableNames(): Promise<readonly string[]> {
    const fields = { per_page: VARIABLES_PER_PAGE };
    const action = 'list the variables';
    const variables = await this.list(action, 'GET /variables', fields, namedVariable);
    return variables.map((entry) => entry.name);
  }

  /**
   * Writes the state, whether its variable exists or not. In an organization, the repositories that
   * see the secret see the variable too. `isNew`: the variable did not exist when it was last read.
   */
  async writeState(
    value: string,
    access: SettingAccess | undefined,
    isNew: boolean,
  ): Promise<void> {
    const name = this.stateName;
    // Octokit puts the fields that the path does not use into the body. The path's field is called
    // `variable`, since a `name` in the body would rename the variable.
    const fields = { variable: name, value, ...accessFields(access) };
    // GitHub answers a PATCH of a missing variable with 404, and a POST of an existing one with 409.
    const update = () =>
      this.call(`write variable ${name}`, 'PATCH /variables/{variable}', fields, ONCE);
    const create = () => this.createVariable(name, value, access);
    await updateOrCreate<unknown>(update, create, isNew);
  }

  /** Creates a variable. Throws `conflict` if it exists, and says so if there are too many. */
  async createVariable(
    name: string,
    value: string,
    access: SettingAccess | undefined,
  ): Promise<unknown> {
    const fields = { name, value, ...accessFields(access) };
    try {
      return await this.call(`write variable ${name}`, 'POST /variables', fields, ONCE);
    } catch (error) {
      if (error instanceof CourierError) await this.throwIfFull('variables', name, error);
      throw error;
    }
  }

  /** Deletes a variable, if it exists. */
  async removeVariable(name: string): Promise<void> {
    const fields = { variable: name };
    const route = 'DELETE /variables/{variable}';
    await this.call(`delete variable ${name}`, route, fields, { ...ONCE, ...MAY_BE_ABSENT });
  }

  /**
   * Throws if a new secret or variable was refused (`error`) since there are too many. GitHub
   * answers with the status of another refusal too, so the secrets or variables are counted.
   */
  async throwIfFull(
    kind: 'secrets' | 'variables',
    name: string,
    error: CourierError,
  ): Promise<void> {
    const mayBeFull = error.httpStatus === 422 || error.httpStatus === 403;
    if (!mayBeFull) return;
    const limit = LIMITS[kind][this.target.scope];
    const count = await this.#countOfAll(kind);
    if (count < limit) return;
    const noun = kind === 'secrets' ? 'Secret' : 'Variable';
    throw error.with({
      code: 'forbidden',
      message: `${noun} ${name} was not written: ${this.scope.name} already has ${limit} ${kind}, which is GitHub's limit.`,
      hint: `Delete a ${noun.toLowerCase()} that is no longer used, or use another scope.`,
      // The limit is the reason: a permission would not help.
      lacksPermission: false,
    });
  }

  /**
   * How many secrets or variables there are; 0, which is below every limit, if the count fails: the
   * caller then reports the refusal as GitHub gave it.
   */
  async #countOfAll(kind: string): Promise<number> {
    try {
      const reply = await this.call(`count the ${kind}`, `GET /${kind}`, { per_page: 1 });
      return readReply(settingList, reply.data).total_count;
    } catch (error) {
      assertFailure(error);
      return 0;
    }
  }
}

/** Which repositories see an organization's secret or variable. */
export interface SettingAccess {
  readonly visibility: 'all' | 'private' | 'selected';
  /** Set only if the visibility is `selected`. */
  readonly repositoryIds: readonly number[] | undefined;
}

const idReply = z.object({ id: z.number() });
const variable = z.object({ value: z.string(), updated_at: z.optional(z.string()) });
type StoredVariable = z.infer<typeof variable>;

/**
 * Which repositories see an organization's secret: what the address says (`wanted`), else what the
 * secret has now (`existing`). undefined: the secret is not one of an organization. Throws `config`
 * if the secret is new and the address does not say it.
 */
export async function readAccess(
  settings: GitHubSettings,
  wanted: SecretAccess,
  existing: { readonly visibility?: SettingAccess['visibility'] | undefined } | undefined,
): Promise<SettingAccess | undefined> {
  if (settings.target.scope !== 'organization') return undefined;
  const organization = settings.target.organization;
  const address = `github:org/${organization}/${settings.name}`;
  const visibility = wanted.visibility ?? existing?.visibility;
  if (visibility === undefined) {
    const why = `${settings.name} is new to organization ${organization}`;
    throw missingAccess(`${why}: the address needs ?visibility=.`, address);
  }
  // `all` and `private` name their repositories themselves.
  if (visibility !== 'selected') return { visibility, repositoryIds: undefined };
  if (wanted.repositories !== undefined) {
    const ids = new Set<number>();
    for (const repository of wanted.repositories) {
      ids.add(await resolveId(settings, organization, repository));
    }
    return { visibility, repositoryIds: [...ids] };
  }
  // Without a list in the address, that of the secret stays. It has one only if it is `selected`:
  // the secret may be new, or still have another visibility.
  if (existing?.visibility !== 'selected') {
    const why = 'With visibility=selected: the address needs &repositories=.';
    throw missingAccess(why, address);
  }
  return { visibility, repositoryIds: await listSelected(settings) };
}

/** The error for an address that does not say which repositories see a new secret. */
function missingAccess(message: string, address: string): CourierError {
  return configError(message, {
    text: 'Say which repositories may read the secret (all, private or selected):',
    inputs: { to: `${address}?visibility=selected&repositories=REPO` },
  });
}

/** The id of a repository that the address names by its id, its name or `owner/name`. */
async function resolveId(
  settings: GitHubSettings,
  organization: string,
  name: string,
): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name);
  // A name alone is one of a repository of the organization.
  const fullName = name.includes('/') ? name : `${organization}/${name}`;
  return amended(['not-found'], settings.repositoryId(fullName), () => ({
    message: `?repositories= names ${fullName}, which secret-token cannot see.`,
    hint: 'Check the name, give the id instead, or let the token cover the repository.',
  }));
}

/** The ids of the repositories that see the secret now. */
async function listSelected(settings: GitHubSettings): Promise<number[]> {
  const name = settings.name;
  const action = `list the repositories that see secret ${name}`;
  const route = 'GET /secrets/{secret_name}/repositories';
  // With a part of the list, the next write would take the secret from the others: then it throws.
  const repositories = await settings.list(action, route, { secret_name: name }, idReply);
  return repositories.map((repository) => repository.id);
}

/** The fields of a request body that say which repositories see the secret or variable. */
export function accessFields(access: SettingAccess | undefined): Parameters {
  if (access === undefined) return {};
  if (access.repositoryIds === undefined) return { visibility: access.visibility };
  return { visibility: access.visibility, selected_repository_ids: access.repositoryIds };
}

// https://docs.github.com/actions/reference/security/secrets and …/workflows-and-actions/variables,
// limits.
const LIMITS = {
  secrets: { repository: 100, environment: 100, organization: 1000 },
  variables: { repository: 500, environment: 100, organization: 1000 },
};
const settingList = z.object({ total_count: z.number() });

const namedVariable = z.object({ name: z.string() });
// https://docs.github.com/rest/actions/variables: at most 30 a page.
const VARIABLES_PER_PAGE = 30;
