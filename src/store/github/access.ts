import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import { readReply } from '../../github/reply.ts';
import type { SecretTarget, SecretVisibility } from '../../inputs/inputs.ts';
import { ownerAndRepo, settingScope } from './scope.ts';

/** Which repositories see an organization's secret or variable. */
export interface SettingAccess {
  readonly visibility: SecretVisibility;
  /** With `selected` only. */
  readonly repositoryIds: readonly number[] | undefined;
}

interface AccessInit {
  readonly octokit: Octokit;
  readonly target: SecretTarget;
  readonly name: string;
  /** Of the secret that stands there; undefined when there is none. */
  readonly existing: { readonly visibility?: SecretVisibility | undefined } | undefined;
  /** Makes a call; its failure names the permission that is missing. */
  readonly explained: <T>(action: string, call: () => Promise<T>) => Promise<T>;
}

const repositoryIds = z.object({ total_count: z.number(), repositories: z.array(z.object({ id: z.number() })) });
const repositoryId = z.object({ id: z.number() });
const PAGE_SIZE = 100;
// Far more repositories than an organization lists by hand; a reply that never ends must not keep us.
const MAX_PAGES = 100;

/** What the inputs say, else what stands; undefined for the scopes that have no visibility. */
export async function readAccess(init: AccessInit): Promise<SettingAccess | undefined> {
  const { target, name, existing } = init;
  if (target.scope !== 'organization') return undefined;
  const visibility = target.visibility ?? existing?.visibility;
  if (visibility === undefined)
    throw missing(`${name} is new to organization ${target.organization}`, 'secret-visibility');
  if (visibility !== 'selected') return { visibility, repositoryIds: undefined };
  if (target.selectedRepositories !== undefined) {
    return { visibility, repositoryIds: await resolveIds(init, target.organization, target.selectedRepositories) };
  }
  if (existing?.visibility !== 'selected') throw missing('With visibility selected', 'secret-selected-repositories');
  return { visibility, repositoryIds: await listSelected(init) };
}

function missing(why: string, input: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `${why}: ${input} is needed.`,
    hint: {
      text: 'Say which repositories may read the secret (selected, private or all):',
      inputs: { 'secret-visibility': 'selected', 'secret-selected-repositories': 'acme/app' },
    },
  });
}

async function resolveIds(init: AccessInit, organization: string, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const fullName = name.includes('/') ? name : `${organization}/${name}`;
    ids.push(/^\d+$/.test(name) ? Number(name) : await resolveId(init, fullName));
  }
  return [...new Set(ids)];
}

async function resolveId({ octokit, explained }: AccessInit, fullName: string): Promise<number> {
  const place = ownerAndRepo(fullName);
  try {
    const { data } = await explained(`look up ${fullName} for the secret`, () =>
      octokit.request('GET /repos/{owner}/{repo}', place),
    );
    return readReply(repositoryId, data).id;
  } catch (error) {
    if (!(error instanceof CourierError) || error.code !== 'not-found') throw error;
    throw new CourierError({
      code: 'not-found',
      message: `secret-selected-repositories names ${fullName}, which secret-token does not see.`,
      hint: 'Check the name, give the id instead, or let the token cover the repository.',
      cause: error,
    });
  }
}

async function listSelected({ octokit, target, name, explained }: AccessInit): Promise<number[]> {
  const { path, parameters } = settingScope(target);
  const ids: number[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await explained(`list the repositories that see secret ${name}`, () =>
      octokit.request(`GET ${path}/secrets/{secret_name}/repositories`, {
        ...parameters,
        secret_name: name,
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
