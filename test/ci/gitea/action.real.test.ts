import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/src/platform/emulator.ts';
import type { Advance } from '../../../emulator/src/platform/options.ts';
import { RealGitea } from '../../support/gitea-site.ts';
import { assertNoLeaks } from '../../support/leaks.ts';
import {
  GiteaRunner,
  type GiteaTask,
  stepOfTask,
} from '../../support/real-servers/gitea-runner.ts';
import { runStep, startStep } from '../../support/runner.ts';

const NAME = 'DOCS_BUNDLE_URL';
const ADMIN_KEY = 'svc_canaryAdminKeyOfGitea0123456789';

let gitea: RealGitea;
beforeAll(async () => {
  gitea = await RealGitea.start();
});
afterAll(() => gitea[Symbol.asyncDispose]());

/** A repository with a workflow, its runner, and a platform. */
async function startScene(events: string, advance: Advance = { advance: 'poll', polls: 1 }) {
  const site = await gitea.addSite();
  const { server } = gitea;
  const runner = await GiteaRunner.register(server, site.repository);
  const folder = `/repos/${site.repository}`;
  await server.expect(201, 'PUT', `${folder}/actions/secrets/DOCS_SECRET_TOKEN`, {
    data: site.tokens.owner,
  });
  await server.expect(201, 'PUT', `${folder}/actions/secrets/DOCS_ADMIN_KEY`, { data: ADMIN_KEY });
  const workflow = `name: Docs\non:\n${events}\njobs:\n  publish:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n`;
  const file = {
    content: Buffer.from(workflow).toString('base64'),
    message: 'Add the workflow',
    branch: 'main',
  };
  await server.expect(201, 'POST', `${folder}/contents/.gitea/workflows/docs.yml`, file);
  const platform = await startEmulator({
    sites: { acme: { 'index.md': '# Docs\n\nHello.' } },
    keys: { admin: ADMIN_KEY, assistant: 'svc_dsc_key0123456789' },
    exportJobs: advance,
  });
  return { site, runner, folder, server, platform, [Symbol.asyncDispose]: () => platform.close() };
}

/** The inputs of a workflow that gets its secrets from Gitea. */
function exportOf({ context, secrets }: GiteaTask, platform: Emulator): Record<string, string> {
  return {
    mode: 'export',
    'base-url': platform.url,
    'admin-api-key': secrets['DOCS_ADMIN_KEY'] ?? '',
    domain: 'acme.example.com',
    to: `gitea:repo/${context.repository}/${NAME}`,
    'secret-token': secrets['DOCS_SECRET_TOKEN'] ?? '',
  };
}

function addressOf(repository: string) {
  return { scheme: 'gitea', scope: 'repository', repository, name: NAME } as const;
}

const PUSH = '  push:\n    branches: [main]';

describe('the action in a job of a real Gitea', () => {
  test('A push on a real Gitea writes the link, and the next job reads it from its secret', async () => {
    await using scene = await startScene(`${PUSH}\n  workflow_dispatch:`);
    const { site, runner, folder, server, platform } = scene;
    const task = await runner.fetchTask();
    expect(task.context.event_name).toBe('push');
    const result = await runStep(stepOfTask(task, exportOf(task, platform)));
    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ status: 'completed' });
    const link = result.outputs['bundle-url'] ?? '';
    expect(await site.secret(addressOf(site.repository))).toBe(link);
    expect(result.log).toContain('its reply is the only confirmation');
    expect(result.log).toContain('Export of acme.example.com: completed');
    const printed = { log: result.log, summary: result.rawSummary };
    assertNoLeaks(
      { key: ADMIN_KEY, token: site.tokens.owner, link, job: task.context.token },
      printed,
    );
    await runner.report(task, 'RESULT_SUCCESS');

    await server.expect(204, 'POST', `${folder}/actions/workflows/docs.yml/dispatches`, {
      ref: 'main',
    });
    const next = await runner.fetchTask();
    expect(next.context.event_name).toBe('workflow_dispatch');
    const digest = (value = '') => createHash('sha256').update(value).digest('hex');
    expect(digest(next.secrets[NAME])).toBe(digest(link));
    const second = await runStep(stepOfTask(next, exportOf(next, platform)));
    expect(second.exitCode, second.log).toBe(0);
    expect(await site.secret(addressOf(site.repository))).toBe(second.outputs['bundle-url']);
    await runner.report(next, 'RESULT_SUCCESS');
  });

  test('A re-run of a killed job on a real Gitea attaches to the same export job', async () => {
    await using scene = await startScene(PUSH, { advance: 'time', durationMs: 8000 });
    const { site, runner, folder, server, platform } = scene;
    const task = await runner.fetchTask();
    const step = await startStep(stepOfTask(task, exportOf(task, platform)));
    await expect.poll(() => step.outputsSoFar()['job-id'], { timeout: 30_000 }).toBeTruthy();
    const jobId = step.outputsSoFar()['job-id'] ?? '';
    const state = `${folder}/actions/variables/${NAME}_STATE`;
    const isStored = async () =>
      JSON.stringify((await server.api('GET', state)).body).includes(jobId);
    await expect.poll(isStored, { timeout: 30_000 }).toBe(true);
    // How Gitea cancels a job: no signal that a step could answer.
    step.kill('SIGKILL');
    await step.done;
    await runner.report(task, 'RESULT_CANCELLED');
    expect(await site.secret(addressOf(site.repository))).toBeUndefined();
    await server.expect(201, 'POST', `${folder}/actions/runs/${task.context.run_id}/rerun`);
    const again = await runner.fetchTask();
    expect(again.context).toMatchObject({ run_id: task.context.run_id, run_attempt: '2' });
    const result = await runStep(stepOfTask(again, exportOf(again, platform)));
    expect(result.exitCode, result.log).toBe(0);
    expect(platform.exportJobs).toHaveLength(1);
    expect(result.outputs['job-id']).toBe(platform.exportJobs[0]?.jobId);
    await runner.report(again, 'RESULT_SUCCESS');
  });

  test('A run for a comment writes no link, and mode agent says that it does not run there', async () => {
    await using scene = await startScene(`${PUSH}\n  issue_comment:\n    types: [created]`);
    const { runner, platform, server, folder } = scene;
    await runner.report(await runner.fetchTask(), 'RESULT_SUCCESS');
    await server.expect(201, 'POST', `${folder}/issues`, { title: 'An issue' });
    await server.expect(201, 'POST', `${folder}/issues/1/comments`, { body: '/docs write it' });
    const task = await runner.fetchTask();
    expect(task.context.event_name).toBe('issue_comment');
    const refused = await runStep(stepOfTask(task, exportOf(task, platform)));
    expect(refused.outputs['error-code'], refused.log).toBe('refused');
    const agent = {
      mode: 'agent',
      'base-url': platform.url,
      'admin-api-key': ADMIN_KEY,
      'project-id': 'project-1',
    };
    const foreign = await runStep(stepOfTask(task, agent));
    expect(foreign.outputs['error-code'], foreign.log).toBe('config');
    expect(foreign.log).toContain('mode agent does not run on Gitea and Forgejo');
    expect(platform.requests).toHaveLength(0);
    await runner.report(task, 'RESULT_SUCCESS');
  });
});
