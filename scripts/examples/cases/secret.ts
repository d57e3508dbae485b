import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Scope } from '../../../emulator/src/github/emulator.ts';
import type { Stage } from '../stage.ts';
import { commit, git, REPOSITORY } from '../workspace.ts';
import { assertGreen, type ExampleCase, fetchBundle, startsOf } from './case.ts';

const NAME = 'DOCS_BUNDLE_URL';
const HOUR_MS = 3_600_000;
const inRepository: Scope = { scope: 'repository', repository: REPOSITORY };
const inEnvironment: Scope = {
  scope: 'environment',
  repository: REPOSITORY,
  environment: 'production',
};
const inOrganization: Scope = { scope: 'organization', organization: 'acme' };

function readLink({ github }: Stage, scope: Scope): string {
  const secret = github.secret(scope, NAME);
  assert.ok(secret, `the secret ${NAME} was not written`);
  return secret.value;
}

const MERGED = 'This sentence was merged a moment ago.';

/**
 * The platform publishes the merge 20 s after it is asked to: the export has it, and the state says
 * from which commit.
 */
async function exportMerge(stage: Stage): Promise<string> {
  stage.platform.behaviour.publishLagMs = 20_000;
  appendFileSync(join(stage.repository, 'docs/index.md'), `\n${MERGED}\n`);
  const effect = await exportInto(stage, 'export-on-merge.yml', inRepository);
  const sha = git(stage.repository, 'rev-parse', 'HEAD');
  await assertPublished(stage, sha);
  return `${effect}; the merge is in it`;
}

/** The deployment of the App starts the run; a preview does not. */
async function exportPublished(stage: Stage): Promise<string> {
  const example = 'export-when-published.yml';
  appendFileSync(join(stage.repository, 'docs/index.md'), `\n${MERGED}\n`);
  commit(stage.repository);
  const sha = git(stage.repository, 'rev-parse', 'HEAD');
  stage.github.addCommit({ repository: REPOSITORY, sha });
  const creator = { login: 'acme-docs[bot]', type: 'Bot' };
  const event = {
    deployment: { id: 12, sha, ref: 'main', creator, transient_environment: false },
    deployment_status: { state: 'success', creator },
  };
  assertGreen(await stage.run({ example, eventName: 'deployment_status', event }));
  await assertPublished(stage, sha);
  const preview = { ...event, deployment: { ...event.deployment, transient_environment: true } };
  await stage.run({ example, eventName: 'deployment_status', event: preview });
  assert.equal(startsOf(stage), 1, 'a preview was exported');
  return 'secret opened, its link returns what was published; a preview is left out';
}

async function assertPublished(stage: Stage, sha: string): Promise<void> {
  const reply = await fetch(readLink(stage, inRepository));
  const files = gunzipSync(Buffer.from(await reply.arrayBuffer())).toString('utf8');
  assert.ok(files.includes(MERGED), 'the export does not have the merge');
  const state = JSON.parse(stage.github.variable(inRepository, `${NAME}_STATE`)?.value ?? '{}');
  assert.equal(state.history?.[0]?.contentCommit, sha);
}

/**
 * Runs an export and opens the secret: its link returns the bundle, and the state is next to it.
 */
async function exportInto(
  stage: Stage,
  example: string,
  scope: Scope,
  eventName = 'push',
): Promise<string> {
  assertGreen(await stage.run({ example, eventName }));
  const bytes = await fetchBundle(readLink(stage, scope));
  assert.equal(startsOf(stage), 1);
  assert.ok(
    stage.github.variable(scope, `${NAME}_STATE`)?.value.includes('"signature"'),
    'the state next to it is missing',
  );
  return `secret opened, its link returns ${Math.round(bytes / 1024)} KiB; 1 export started; state next to it`;
}

async function refreshDue(stage: Stage): Promise<string> {
  stage.platform.behaviour.linkLifetimeMs = HOUR_MS;
  await exportInto(stage, 'export-on-merge.yml', inRepository);
  const before = readLink(stage, inRepository);
  stage.platform.behaviour.linkLifetimeMs = 48 * HOUR_MS;
  assertGreen(await stage.run({ example: 'refresh-on-schedule.yml', eventName: 'schedule' }));
  const after = readLink(stage, inRepository);
  assert.notEqual(after, before);
  assert.equal(
    readFileSync(join(stage.folder, 'deployed'), 'utf8'),
    after,
    'deploy.sh got another link',
  );
  assert.equal(startsOf(stage), 1);
  return 'new link in the secret and passed to deploy.sh; no second export';
}

async function refreshNotDue(stage: Stage): Promise<string> {
  stage.platform.behaviour.linkLifetimeMs = 48 * HOUR_MS;
  await exportInto(stage, 'export-on-merge.yml', inRepository);
  const before = readLink(stage, inRepository);
  const run = await stage.run({ example: 'refresh-on-schedule.yml', eventName: 'schedule' });
  assertGreen(run);
  assert.equal(run.outputs.get('refresh')?.changed, 'false');
  assert.equal(readLink(stage, inRepository), before);
  assert.ok(!existsSync(join(stage.folder, 'deployed')), 'deploy.sh ran');
  return 'nothing written, nothing deployed';
}

async function refreshFails(stage: Stage): Promise<string> {
  stage.platform.behaviour.linkLifetimeMs = HOUR_MS;
  await exportInto(stage, 'export-on-merge.yml', inRepository);
  const before = readLink(stage, inRepository);
  const schedule = { example: 'refresh-on-schedule.yml', eventName: 'schedule' };
  stage.platform.inject({ match: { path: '/bundle' }, status: 403 });
  assert.ok(!(await stage.run(schedule)).ok, 'a refresh that was refused is green');
  assert.equal(readLink(stage, inRepository), before);
  assertGreen(await stage.run(schedule));
  assert.notEqual(readLink(stage, inRepository), before);
  return 'the refused run is red and leaves the link; the next one renews it';
}

async function rollBack(stage: Stage): Promise<string> {
  stage.platform.behaviour.linkLifetimeMs = HOUR_MS;
  await exportInto(stage, 'export-on-merge.yml', inRepository);
  const good = stage.platform.exportJobs[0]?.jobId ?? '';
  assertGreen(await stage.run({ example: 'export-on-merge.yml', eventName: 'push' }));
  assert.ok(
    !readLink(stage, inRepository).includes(good),
    'the second export is not in the secret',
  );
  const run = await stage.run({ example: 'roll-back.yml', eventName: 'workflow_dispatch' });
  assertGreen(run);
  assert.equal(run.outputs.get('rollback')?.['job-id'], good);
  assert.ok(
    readLink(stage, inRepository).includes(good),
    'the earlier export is not in the secret',
  );
  const link = readLink(stage, inRepository);
  assert.equal(readFileSync(join(stage.folder, 'deployed'), 'utf8'), link);
  stage.platform.behaviour.linkLifetimeMs = 48 * HOUR_MS;
  assertGreen(await stage.run({ example: 'refresh-on-schedule.yml', eventName: 'schedule' }));
  const refreshed = readLink(stage, inRepository);
  assert.notEqual(refreshed, link);
  assert.ok(refreshed.includes(good), 'the refresh continued with the export that was rolled back');
  assert.equal(startsOf(stage), 2);
  return 'the first of two exports is in the secret again and passed to deploy.sh, and a refresh renews its link; no third export';
}

async function organization(stage: Stage): Promise<string> {
  const effect = await exportInto(stage, 'export-organization-secret.yml', inOrganization);
  const secret = stage.github.secret(inOrganization, NAME);
  assert.equal(secret?.visibility, 'selected');
  assert.equal(secret?.selectedRepositoryIds.length, 2);
  return `${effect}; seen by 2 repositories`;
}

export const secretCases: readonly ExampleCase[] = [
  {
    example: 'export-on-merge.yml',
    run: (stage) => exportInto(stage, 'export-on-merge.yml', inRepository),
  },
  { example: 'export-on-merge.yml', when: 'the platform publishes 20 s later', run: exportMerge },
  { example: 'export-when-published.yml', run: exportPublished },
  {
    example: 'export-environment-secret.yml',
    run: (stage) => exportInto(stage, 'export-environment-secret.yml', inEnvironment, 'release'),
  },
  { example: 'export-organization-secret.yml', run: organization },
  { example: 'refresh-on-schedule.yml', when: 'the link ends soon', run: refreshDue },
  { example: 'refresh-on-schedule.yml', when: 'the link is not due', run: refreshNotDue },
  { example: 'refresh-on-schedule.yml', when: 'the platform refuses, then not', run: refreshFails },
  { example: 'roll-back.yml', run: rollBack },
];
