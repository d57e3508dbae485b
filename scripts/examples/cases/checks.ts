import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAct } from '../act.ts';
import { actionFolders } from '../stage.ts';
import { readWorkflow } from '../workflow.ts';
import { CHECKOUT, commit, copyTracked, git, write } from '../workspace.ts';
import { assertGreen } from './case.ts';

const WORKFLOW = '.github/workflows/ci.yml';

/** The job of our own checks that uses the action and the emulator from the checkout. */
export async function actionJob(): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), 'docs-courier-ci-'));
  try {
    const [repository, home] = [join(base, 'repository'), join(base, 'home')];
    for (const path of [repository, home]) mkdirSync(path);
    git(repository, 'init', '--quiet', '--initial-branch=main');
    git(repository, 'remote', 'add', 'origin', 'https://github.com/docs-courier/docs-courier.git');
    copyTracked(repository);
    commit(repository);
    const job = readWorkflow(readFileSync(join(CHECKOUT, WORKFLOW), 'utf8'))?.find(
      ({ id }) => id === 'action',
    );
    assert.ok(job, `${WORKFLOW} has no job action`);
    const eventFile = join(home, 'event.json');
    write(eventFile, JSON.stringify({ ref: 'refs/heads/main' }));
    const run = await runAct({
      repository,
      workflow: WORKFLOW,
      job: { id: job.id, matrix: 'os:ubuntu-latest' },
      eventName: 'push',
      eventFile,
      home,
      timeoutMs: 180_000,
      vars: {},
      secrets: {},
      env: {},
      actions: actionFolders([job]),
      onJob: () => undefined,
    });
    assertGreen(run);
    assert.match(run.log, /POST \/v1\/static-export\/jobs 401/);
    return 'exported, searched, and failed with a wrong key, all from the checkout itself';
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
