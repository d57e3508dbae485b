import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitLabStage, type PipelineRun, readPipelines } from '../gitlab.ts';
import { commit, git, write } from '../workspace.ts';
import { type ExampleCase, fetchBundle } from './case.ts';

const PAGE = 'docs/how-to/many-sites.md';
const [SITES = '', ...MORE] = readPipelines(PAGE);
// The emulator knows both sites by the first label of their domains.
const configOf = ({ platform: { projectId } }: GitLabStage) => `project-id: ${projectId}
sites:
  guide: { domain: docs.example.com, to: 'gitlab:project/acme%2Fapp/GUIDE_BUNDLE_URL', paths: docs/guide/** }
  api: { domain: acme.example.com, to: 'gitlab:project/acme%2Fapp/API_BUNDLE_URL', paths: docs/api/** }
`;

function linkOf({ gitlab }: GitLabStage, name: string): string | undefined {
  return gitlab.variable('acme/app', name)?.value;
}

/** Commits the files, and runs the pipeline for them. */
async function push(
  stage: GitLabStage,
  files: Readonly<Record<string, string>>,
): Promise<PipelineRun> {
  const { folder } = stage;
  const before = git(folder, 'rev-parse', 'HEAD');
  for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
  commit(folder);
  const variables = { CI_COMMIT_BEFORE_SHA: before };
  const run = await stage.run({ pipeline: SITES, variables });
  // gitlab-ci-local ends with 0 although a job of a child pipeline fails.
  assert.ok(run.ok && !run.log.includes(' FAIL '), `the pipeline failed:\n${run.log}`);
  return run;
}

async function childPipelines(stage: GitLabStage): Promise<string> {
  writeFileSync(join(stage.folder, 'docs-courier.yml'), configOf(stage));
  writeFileSync(join(stage.folder, '.gitlab-ci.yml'), SITES);
  commit(stage.folder);
  const one = await push(stage, { 'docs/guide/new.md': 'new' });
  assert.match(one.log, /export-guide/);
  await fetchBundle(linkOf(stage, 'GUIDE_BUNDLE_URL') ?? '');
  assert.equal(linkOf(stage, 'API_BUNDLE_URL'), undefined, 'the other site was exported too');
  const nothing = await push(stage, { 'README.md': 'new' });
  assert.match(nothing.log, /No site has changed/);
  return 'a separate job exported the changed site; without a changed site, one job said so';
}

/** The pipeline of the page on many sites, and the child pipeline that its first job writes. */
export const gitLabSitesCases: readonly ExampleCase[] = [
  {
    example: PAGE,
    when: 'GitLab',
    async run() {
      assert.deepEqual(MORE, [], `${PAGE} has a pipeline without a case`);
      await using stage = await GitLabStage.open();
      return await childPipelines(stage);
    },
  },
];
