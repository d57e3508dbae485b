/**
 * Runs every workflow of examples and of the README in act, with the addresses of the emulators and
 * otherwise unchanged, and compares its effect with their records. The pipelines of the page on
 * GitLab CI run in gitlab-ci-local. One line each.
 *
 *     npm run examples                     all of them
 *     npm run examples -- --only helm      those with `helm` in their name
 *     npm run examples -- --action DIR     with the action from another folder (action.yml, dist, emulator)
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ExampleCase } from './examples/cases/case.ts';
import { cdnCases } from './examples/cases/cdn.ts';
import { changesCases } from './examples/cases/changes.ts';
import { checkPullRequestCases } from './examples/cases/check-pull-request.ts';
import { actionJob } from './examples/cases/checks.ts';
import { clusterCases } from './examples/cases/cluster.ts';
import { gitLabCases } from './examples/cases/gitlab.ts';
import { gitLabRegistryCases } from './examples/cases/gitlab-registry.ts';
import { gitLabSitesCases } from './examples/cases/gitlab-sites.ts';
import { moveWithReleaseCases } from './examples/cases/move-with-release.ts';
import { pagesCase } from './examples/cases/pages.ts';
import { publishCases } from './examples/cases/publish.ts';
import {
  release,
  releaseOfAddedFile,
  releaseOfChangedArtifact,
  releaseOfChangedDist,
  releaseOfMovedTag,
  releaseOfOlderLine,
} from './examples/cases/release.ts';
import { secretCases } from './examples/cases/secret.ts';
import { siteCases } from './examples/cases/site.ts';
import { sitesCases } from './examples/cases/sites.ts';
import { talkCases } from './examples/cases/talk.ts';
import { updateCases } from './examples/cases/update.ts';
import { type ObjectStore, startObjectStore } from './examples/object-store.ts';
import { copyAction, openStage } from './examples/stage.ts';
import { needTool } from './examples/tools.ts';
import { readWorkflow } from './examples/workflow.ts';
import { CHECKOUT } from './examples/workspace.ts';

interface Plan {
  readonly cases: readonly ExampleCase[];
  readonly action: string;
  readonly store: ObjectStore;
}

/** Our own workflows, which start their platform or need none. */
const ownCases: readonly ExampleCase[] = [
  { example: 'ci.yml', when: 'the job action', run: actionJob },
  { example: 'release.yml', run: release },
  { example: 'release.yml', when: 'dist was changed', run: releaseOfChangedDist },
  { example: 'release.yml', when: 'a file was added to dist', run: releaseOfAddedFile },
  { example: 'release.yml', when: 'an artifact was changed', run: releaseOfChangedArtifact },
  { example: 'release.yml', when: 'the tag was moved', run: releaseOfMovedTag },
  { example: 'release.yml', when: 'an older line', run: releaseOfOlderLine },
];

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, action: { type: 'string' } },
  });
  needTool('act');
  if (!existsSync(join(CHECKOUT, 'dist/index.js')))
    throw new Error('dist/index.js is missing: npm run build');
  await using store = await startObjectStore();
  const all = [
    ...secretCases,
    ...clusterCases,
    ...cdnCases,
    ...updateCases,
    ...moveWithReleaseCases,
    ...changesCases,
    ...siteCases(store),
    ...checkPullRequestCases,
    pagesCase,
    ...publishCases,
    ...sitesCases,
    ...talkCases,
    ...ownCases,
    ...gitLabCases,
    ...gitLabRegistryCases,
    ...gitLabSitesCases,
  ];
  const cases = all.filter(({ example }) => example.includes(values.only));
  const action = mkdtempSync(join(tmpdir(), 'docs-courier-action-'));
  try {
    copyAction(resolve(values.action ?? CHECKOUT), action);
    const failed = await runCases({ cases, action, store });
    const forgotten = values.only === '' ? [...untested(all), ...readmeDiffers()] : [];
    for (const line of forgotten) console.log(`✗ ${line}`);
    console.log(`\n${cases.length - failed} of ${cases.length} succeeded.`);
    return failed === 0 && forgotten.length === 0;
  } finally {
    rmSync(action, { recursive: true, force: true });
  }
}

async function runCases({ cases, action, store }: Plan): Promise<number> {
  let failed = 0;
  for (const each of cases) {
    const name = each.when === undefined ? each.example : `${each.example} (${each.when})`;
    const startedMs = performance.now();
    try {
      await using stage = await openStage({ action, store });
      const effect = await each.run(stage);
      console.log(
        `✓ ${name}: ${effect} [${((performance.now() - startedMs) / 1000).toFixed(1)} s]`,
      );
    } catch (error) {
      failed += 1;
      console.log(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed;
}

function exampleFiles(): string[] {
  return readdirSync(join(CHECKOUT, 'examples')).filter((name) => name.endsWith('.yml'));
}

/** Workflows of examples without a case. */
function untested(cases: readonly ExampleCase[]): string[] {
  return exampleFiles()
    .filter(
      (name) => readWorkflow(readFileSync(join(CHECKOUT, 'examples', name), 'utf8')) !== undefined,
    )
    .filter((name) => !cases.some(({ example }) => example === name))
    .map((name) => `examples/${name} has no case that runs it`);
}

/** Whole workflows of the README that are not exactly an example: no case would run them. */
function readmeDiffers(): string[] {
  const examples = exampleFiles().map((name) =>
    readFileSync(join(CHECKOUT, 'examples', name), 'utf8').trim(),
  );
  const blocks = [
    ...readFileSync(join(CHECKOUT, 'README.md'), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
  ];
  const workflows = blocks
    .map(([, text = '']) => text)
    .filter((text) => readWorkflow(text) !== undefined);
  const strangers = workflows.filter((text) => !examples.includes(text.trim()));
  if (strangers.length === 0)
    console.log(`✓ README.md: its ${workflows.length} whole workflows are exactly examples`);
  return strangers.map(
    (text) =>
      `README.md: the workflow that begins ${JSON.stringify(text.slice(0, 60))} is not an example`,
  );
}

process.exitCode = (await main()) ? 0 : 1;
