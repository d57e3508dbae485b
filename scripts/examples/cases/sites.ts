import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Stage } from '../stage.ts';
import { commit, git, REPOSITORY, write } from '../workspace.ts';
import { assertGreen, type ExampleCase, fetchBundle, startsOf } from './case.ts';

const EXAMPLE = 'many-sites.yml';
// The emulator knows both sites by the first label of their domains.
const configOf = ({ platform: { projectId } }: Stage) => `project-id: ${projectId}
sites:
  guide: { domain: docs.example.com, to: 'github:secret/GUIDE_BUNDLE_URL', paths: docs/how-to/** }
  reference: { domain: acme.example.com, to: 'github:secret/REFERENCE_BUNDLE_URL', paths: [docs/reference/**, '*.json'] }
`;

/** Commits the files, and returns the previous commit. */
function change({ repository }: Stage, files: Readonly<Record<string, string>>): string {
  const before = git(repository, 'rev-parse', 'HEAD');
  for (const [name, text] of Object.entries(files)) write(join(repository, name), text);
  commit(repository);
  return before;
}

function linkOf({ github }: Stage, name: string): string | undefined {
  return github.secret({ scope: 'repository', repository: REPOSITORY }, name)?.value;
}

async function oneOfTwo(stage: Stage): Promise<string> {
  change(stage, { 'docs-courier.yml': configOf(stage) });
  const before = change(stage, { 'docs/how-to/new.md': '# New\n' });
  const run = await stage.run({ example: EXAMPLE, eventName: 'push', event: { before } });
  assertGreen(run);
  assert.deepEqual(JSON.parse(run.outputs.get('plan')?.matrix ?? ''), {
    include: [{ site: 'guide' }],
  });
  await fetchBundle(linkOf(stage, 'GUIDE_BUNDLE_URL') ?? '');
  assert.equal(linkOf(stage, 'REFERENCE_BUNDLE_URL'), undefined, 'the other site was exported too');
  assert.equal(startsOf(stage), 1);
  return 'the site that changed was exported, the other one was not';
}

async function bothSideBySide(stage: Stage): Promise<string> {
  const before = change(stage, { 'docs-courier.yml': configOf(stage) });
  const run = await stage.run({ example: EXAMPLE, eventName: 'push', event: { before } });
  assertGreen(run);
  for (const name of ['GUIDE_BUNDLE_URL', 'REFERENCE_BUNDLE_URL'])
    await fetchBundle(linkOf(stage, name) ?? '');
  assert.equal(startsOf(stage), 2);
  return 'a new configuration file: both sites were exported, each in a separate job';
}

async function none(stage: Stage): Promise<string> {
  change(stage, { 'docs-courier.yml': configOf(stage) });
  const before = change(stage, { 'README.md': 'new\n' });
  const run = await stage.run({ example: EXAMPLE, eventName: 'push', event: { before } });
  assert.ok(run.ok, run.log);
  assert.equal(run.outputs.get('plan')?.changed, 'false');
  assert.notEqual(run.jobs.get('export'), 'success');
  assert.equal(startsOf(stage), 0);
  return 'no site changed: nothing was exported, and no job failed';
}

export const sitesCases: readonly ExampleCase[] = [
  { example: EXAMPLE, when: 'one site', run: oneOfTwo },
  { example: EXAMPLE, when: 'both sites', run: bothSideBySide },
  { example: EXAMPLE, when: 'no site', run: none },
];
