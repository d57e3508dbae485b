import { WORKFLOW_TOKEN } from './merge.ts';
import { REPOSITORY } from './world/names.ts';
import { type RunOptions, startWorld, type World, type WorldOptions } from './world.ts';

/** Pull request 7 from a branch of the repository, and the newest commits of that branch. */
export const BRANCH = 'docs/new';
export const HEAD = '4'.repeat(40);
export const NEXT = '5'.repeat(40);
const FIRST = '1'.repeat(40);

interface Given extends WorldOptions {
  readonly isPublic?: boolean;
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>;
}

/** A platform whose previews take 20 s, and an open pull request. */
export async function startPreviews({
  isPublic = false,
  permissions,
  ...options
}: Given = {}): Promise<World> {
  const rights = permissions ?? { contents: 'read', pull_requests: 'write' };
  const world = await startWorld({
    ...options,
    platform: { projectId: 'project-1', publishLagMs: 20_000, ...options.platform },
    github: {
      tokens: { [WORKFLOW_TOKEN]: { kind: 'workflow', permissions: rights } },
      repositories: [{ fullName: REPOSITORY, id: 11, private: !isPublic }],
    },
  });
  world.github.addCommit({ repository: REPOSITORY, sha: FIRST });
  world.github.addPullRequest({
    repository: REPOSITORY,
    number: 7,
    head: { ref: BRANCH, sha: HEAD },
  });
  await pushHead(world, HEAD);
  return world;
}

/** A commit that becomes the newest one of the branch, on GitHub and on the platform. */
export async function pushHead(
  world: World,
  sha: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  world.github.addCommit({ repository: REPOSITORY, sha, branch: BRANCH });
  world.github.push({ repository: REPOSITORY, number: 7, sha });
  const content = {
    'index.md': `# Docs\n\nText of ${sha.slice(0, 7)}.`,
    'install.md': '# Install',
    ...files,
  };
  await world.platform.push({ sha, branch: BRANCH, content });
}

/** The run on an event of pull request 7. */
export function onPullRequest(sha = HEAD, change: object = {}, head: object = {}): RunOptions {
  return {
    eventName: 'pull_request',
    payload: {
      action: 'synchronize',
      repository: { default_branch: 'main' },
      pull_request: {
        number: 7,
        state: 'open',
        merged: false,
        head: { ref: BRANCH, sha, repo: { full_name: REPOSITORY }, ...head },
        base: { ref: 'main' },
        ...change,
      },
    },
    // The commit of a tried merge.
    run: { sha: '9'.repeat(40) },
    env: { GITHUB_REF_NAME: '7/merge', GITHUB_REF_TYPE: 'branch' },
  };
}
