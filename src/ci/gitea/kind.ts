import type { CiKind, Env } from '../port.ts';

export type GiteaKind = Extract<CiKind, 'gitea' | 'forgejo'>;

/** Which of the two runs this job; undefined: neither. Both also set the variables of GitHub Actions. */
export function giteaKind({ GITEA_ACTIONS, FORGEJO_ACTIONS }: Env): GiteaKind | undefined {
  if (FORGEJO_ACTIONS === 'true') return 'forgejo';
  return GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
}
