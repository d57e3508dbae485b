import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { readReply } from '../../github/client.ts';
import type { GitHubSettings } from './settings.ts';
import { ownerAndRepo } from './target.ts';

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
