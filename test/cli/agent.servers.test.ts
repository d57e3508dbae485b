import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { startPullRequest } from '../support/world/pull-request.ts';

async function openClone(remote: string | undefined) {
  const world = await startPullRequest();
  const folder = world.workspace;
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  if (remote !== undefined)
    execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: folder });
  const runWith = async (more: Readonly<Record<string, string>>, ...args: string[]) => {
    const lines: string[] = [];
    const env = {
      PATH: process.env['PATH'],
      DOCS_COURIER_BASE_URL: world.platform.url,
      DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
      DOCS_COURIER_GITHUB_TOKEN: TOKEN,
      DOCS_COURIER_PROJECT_ID: world.platform.projectId,
      GITHUB_API_URL: world.github.url,
      ...more,
    };
    const exitCode = await runCommand({
      args: ['agent', '--agent-job-id', 'job-1', ...args],
      host: {
        env,
        cwd: folder,
        temp: world.runnerTemp,
        write: (line) => lines.push(line),
        program: 'docs-courier',
      },
      print: () => {},
      clock: world.clock,
      signal: new AbortController().signal,
    });
    return { exitCode, log: lines.join('\n') };
  };
  const run = (...args: string[]) => runWith({}, ...args);
  return { world, run, runWith, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test.each([
  'https://github.com/acme/docs.git',
  'git@github.com:acme/docs.git',
  'ssh://git@github.com/acme/docs',
])('In a clone of %s a person instructs the agent with --pull-request', async (remote) => {
  await using clone = await openClone(remote);
  const { world } = clone;
  const { exitCode, log } = await clone.run('--pull-request', '7', 'Document the flag.');
  expect(log).not.toMatch(/error/i);
  expect(exitCode).toBe(0);
  expect(world.platform.messages[0]?.prompt).toMatch(/^Document the flag\./);
  const [comment = ''] = world.statusComments();
  expect(comment).toContain('The docs agent has finished');
  expect(comment).not.toContain('Log of the run');
});

test.each([
  undefined,
  'https://gitlab.example.com/acme/docs.git',
  'https://github.com.evil.example/acme/docs',
])(
  'With the remote %s nothing is sent, and the message says which variable to set',
  async (remote) => {
    await using clone = await openClone(remote);
    const { exitCode, log } = await clone.run('--pull-request', '7', 'Document the flag.');
    expect(exitCode).toBe(2);
    expect(log).toContain('GITHUB_REPOSITORY');
    expect(clone.world.platform.messages).toEqual([]);
  },
);

test('Without a pull request nothing is sent', async () => {
  await using clone = await openClone('https://github.com/acme/docs.git');
  const { exitCode, log } = await clone.run('Document the flag.');
  expect(exitCode).toBe(2);
  expect(log).toContain('the event names no pull request');
  expect(log).toContain('--pull-request');
  expect(clone.world.platform.messages).toEqual([]);
});
