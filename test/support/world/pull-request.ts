import { fakeClock } from '../fake-clock.ts';
import { startWorld, type World } from '../world.ts';
import { HUNK, PULL, TOKEN } from './conversation.ts';
import { REPOSITORY } from './names.ts';

/** The start time of the tests of agent mode, in epoch milliseconds. */
export const OPENED = Date.parse('2026-01-01T12:00:00Z');

const FILES = [
  {
    filename: 'src/list.ts',
    status: 'modified' as const,
    additions: 2,
    deletions: 1,
    patch: `${HUNK}\n+else print(table(rows));\n }`,
  },
  {
    filename: 'package-lock.json',
    status: 'modified' as const,
    additions: 120,
    deletions: 80,
    patch: '@@ -1 +1 @@\n-a\n+b',
  },
  { filename: 'docs/logo.png', status: 'added' as const, additions: 0, deletions: 0 },
];

/**
 * A world with pull request 7, the agent's job `job-1`, and people with each permission. Everything
 * uses one fake clock.
 */
export async function startPullRequest(
  permissions: Record<string, 'read' | 'write'> = { pull_requests: 'write', contents: 'read' },
): Promise<World> {
  const clock = fakeClock({ now: OPENED });
  const collaborators = { maya: 'write', rita: 'read', tom: 'triage', ada: 'admin' };
  const world = await startWorld({
    clock,
    github: {
      tokens: { [TOKEN]: { kind: 'workflow', permissions } },
      repositories: [{ fullName: REPOSITORY, private: false, collaborators }],
    },
    platform: { sites: {}, projectId: 'project-1' },
  });
  world.github.addPullRequest({
    repository: REPOSITORY,
    ...PULL,
    user: 'maya',
    head: { ref: 'json-flag', sha: 'a'.repeat(40) },
    base: { ref: 'main', sha: 'b'.repeat(40) },
    files: FILES,
    createdAt: OPENED - 7_200_000,
  });
  const source = { repository: `https://github.com/${REPOSITORY}`, ref: 'docs/agent' };
  world.platform.addAgentJob({ id: 'job-1', source });
  return world;
}
