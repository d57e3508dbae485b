import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runStep } from '../support/runner.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';

test('A plan step needs no key, outputs a matrix of the sites that the push changes, and says why', async () => {
  await using world = await startWorld(NO_SERVERS);
  const { workspace } = world;
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: workspace,
    }).toString();
  const config = 'sites: { guide: { paths: guide/** }, api: { paths: api/** } }\n';
  git('init', '-q', '-b', 'main');
  for (const [name, text] of [
    ['docs-courier.yml', config],
    ['README.md', 'x'],
    ['api.txt', 'x'],
  ] as const) {
    writeFileSync(join(workspace, name), text);
    git('add', '-A');
    git('commit', '-q', '-m', name);
  }
  world.write('guide/new.md', 'new');
  git('add', '-A');
  git('commit', '-q', '-m', 'guide');
  const before = git('rev-parse', 'HEAD~1').trim();
  const step = {
    workspace,
    eventName: 'push',
    event: { before },
    inputs: { mode: 'plan', 'config-file': 'docs-courier.yml' },
  };
  const result = await runStep(step);
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs).toMatchObject({
    matrix: '{"include":[{"site":"guide"}]}',
    changed: 'true',
  });
  expect(result.summary).toContain('| `api` | no | no file of it has changed |');
  const scheduled = await runStep({ ...step, eventName: 'schedule' });
  expect(JSON.parse(scheduled.outputs.matrix ?? '').include).toHaveLength(2);
});
