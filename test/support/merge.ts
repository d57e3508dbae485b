import { SECRET_TOKEN } from './make-inputs.ts';
import { ALL_RIGHTS, REPOSITORY } from './world/names.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** The token of a workflow that may read the repository, its checks and its deployments. */
export const WORKFLOW_TOKEN = 'ghs_workflowTokenForTests0123456789abc';
/** The commit before the merge, the merge, and one after it. */
export const FIRST = '1'.repeat(40);
export const MERGED = '2'.repeat(40);
export const LATER = '3'.repeat(40);
/** The run on the push of the merge, and its second attempt. */
export const PUSH = {
  eventName: 'push',
  payload: { repository: { default_branch: 'main' }, ref: 'refs/heads/main' },
  env: { GITHUB_REF_NAME: 'main', GITHUB_SHA: MERGED },
  run: { sha: MERGED },
} as const;
export const AGAIN = { ...PUSH, run: { ...PUSH.run, runAttempt: 2 } } as const;

/**
 * A platform that publishes 20 s later what is pushed, and a merge that it has not published yet.
 */
export async function startMerge(options: WorldOptions = {}): Promise<World> {
  const permissions = { checks: 'read', contents: 'read', deployments: 'read' } as const;
  const world = await startWorld({
    ...options,
    platform: { projectId: 'project-1', publishLagMs: 20_000, ...options.platform },
    github: {
      tokens: {
        [SECRET_TOKEN]: { permissions: ALL_RIGHTS },
        [WORKFLOW_TOKEN]: { kind: 'workflow', permissions },
      },
      repositories: [{ fullName: REPOSITORY, id: 11 }],
    },
  });
  for (const sha of [FIRST, MERGED]) world.github.addCommit({ repository: REPOSITORY, sha });
  await push(world, MERGED, 'Merged text.');
  return world;
}

/** A commit on the deployment branch, whose start page has this text. */
export function push({ platform }: World, sha: string, text: string): Promise<void> {
  return platform.push({
    sha,
    content: { 'index.md': `# Docs\n\n${text}`, 'install.md': '# Install\n\nOne command.' },
  });
}

const creator = { login: 'acme-docs[bot]', type: 'Bot' };

/** The platform's App `acme-docs` reports a success of a deployment. */
export function deploymentEvent(change: object = {}, status: object = {}) {
  const deployment = {
    id: 12,
    sha: MERGED,
    ref: 'main',
    environment: 'production',
    creator,
    ...change,
  };
  const payload = {
    repository: { default_branch: 'main' },
    deployment,
    deployment_status: { state: 'success', creator, ...status },
  };
  return { eventName: 'deployment_status', payload, run: { sha: MERGED } };
}
