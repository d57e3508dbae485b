import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import { PERMISSIONS, type Permission } from '../../inputs/inputs.ts';
import { plainLine } from '../../text/escape.ts';

/** `none` for everyone whom GitHub does not know as a collaborator. */
export type Rank = Permission | 'none';

export interface Standing {
  readonly permission: string;
  readonly role_name?: string | undefined;
}

const SCALE: readonly string[] = PERMISSIONS;

/**
 * The rank that a reply of the collaborator API stands for. `role_name` knows triage and maintain; a custom role has a name of
 * its own there, and `permission` then tells the standard role that it builds on.
 */
export function rankOf({ permission, role_name: role }: Standing): Rank {
  const told = role !== undefined && SCALE.includes(role) ? role : permission;
  return PERMISSIONS.find((name) => name === told) ?? 'none';
}

export function isAtLeast(rank: Rank, required: Permission): boolean {
  return rank !== 'none' && SCALE.indexOf(rank) >= SCALE.indexOf(required);
}

/** Looks up what people may do in a repository, each person once a run. */
export interface Permissions {
  /** Throws `network` when GitHub cannot tell: an outage is not a "no". */
  rank(login: string): Promise<Rank>;
}

export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

export function createPermissions(octokit: Octokit, repository: Repository): Permissions {
  const known = new Map<string, Promise<Rank>>();
  return {
    rank(login) {
      const key = login.toLowerCase();
      const lookup = known.get(key) ?? lookUp(octokit, repository, login);
      known.set(key, lookup);
      return lookup;
    },
  };
}

async function lookUp(octokit: Octokit, repository: Repository, login: string): Promise<Rank> {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login });
    return rankOf(data);
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    if (error.httpStatus === 404) return 'none';
    const told = error.code === 'forbidden' || error.code === 'unauthorized' || error.code === 'rate-limited';
    throw new CourierError({
      code: told ? error.code : 'network',
      message: `The permission of ${plainLine(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
      hint: error.hint ?? 'Run the job again when GitHub answers.',
      cause: error,
      httpStatus: error.httpStatus,
      retryAfterMs: error.retryAfterMs,
    });
  }
}
