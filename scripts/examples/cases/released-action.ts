import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXPLANATIONS } from '../../../src/run/explanations.ts';
import { openStage } from '../stage.ts';
import { CHECKOUT, commit } from '../workspace.ts';
import { assertDelivered, assertGreen } from './case.ts';

/**
 * Uses the action of a release's archive in a repository that has nothing else of this project.
 * `release`: the version and commit that it must name.
 */
export async function runReleasedAction(archive: string, release: string): Promise<string> {
  await using stage = await openStage({ action: CHECKOUT, store: undefined });
  rmSync(join(stage.repository, '.github'), { recursive: true });
  const folder = join(stage.repository, 'docs-courier');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  commit(stage.repository);
  const example = {
    example: 'artifact.yml',
    eventName: 'push',
    addresses: { './.github/actions/docs-courier': './docs-courier' },
  };
  const exported = await stage.run(example);
  assertGreen(exported);
  const files = await assertDelivered(stage, join(stage.folder, 'artifacts/docs'));
  assert.ok(exported.log.includes(`Docs Courier ${release}`), exported.log);
  const outputs = [...exported.outputs.values()].find(({ status }) => status !== undefined);
  assert.equal(outputs?.status, 'completed');
  assert.equal(basename(outputs?.['site-path'] ?? ''), 'site');

  const refused = await stage.run({ ...example, secrets: { DOCS_ADMIN_API_KEY: 'svc_revoked' } });
  assert.ok(!refused.ok, 'an export without a valid key succeeded');
  const code = [...refused.outputs.values()].flatMap((each) => each['error-code'] ?? []);
  assert.deepEqual(code, ['unauthorized']);
  // act prints the summary after the log.
  const quoted = `About the error code \`unauthorized\`: ${EXPLANATIONS.unauthorized[0]}`;
  assert.ok(refused.log.includes(quoted), refused.log);
  return `the action of its archive exported ${files} files, and explained a wrong key`;
}
