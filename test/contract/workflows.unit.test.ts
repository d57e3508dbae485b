import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');
const permissions = z.catch(z.record(z.string(), z.string()), {});
const job = z.looseObject({
  permissions,
  steps: z.array(z.looseObject({ uses: z.optional(z.string()), run: z.optional(z.string()) })),
});
const workflow = z.looseObject({ permissions, jobs: z.record(z.string(), job) });

/** What builds: programs that run code of packages, or of the checkout. */
const BUILDS =
  /(^|[\s;&|($"'])(npx|node|tsc|ncc|make|pip3?|docker (build|run)|npm (ci|i|install|run|test|pack|exec|start))\b/m;
/** Actions that sign or carry files, and run nothing of them. */
const ALLOWED = /^actions\/(checkout|download-artifact|attest-build-provenance)@[0-9a-f]{40}$/;

/** What is wrong with the jobs of a workflow that may sign as it. */
function problemsOf(name: string, text: string): string[] {
  const { jobs, permissions: all } = workflow.parse(parse(text));
  return Object.entries(jobs)
    .filter(([, each]) => ({ ...all, ...each.permissions })['id-token'] === 'write')
    .flatMap(([id, { steps }]) =>
      steps.flatMap(({ uses = '', run = '' }) => {
        if (BUILDS.test(run)) return [`${name}, job ${id} runs: ${BUILDS.exec(run)?.[0].trim()}`];
        return uses === '' || ALLOWED.test(uses) ? [] : [`${name}, job ${id} uses ${uses}`];
      }),
    );
}

test('A job of our workflows that can sign as the workflow runs no build tool', () => {
  const names = readdirSync(FOLDER);
  const texts = names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
  expect(
    texts.filter(([, text]) => text.includes('id-token: write')).map(([name]) => name),
  ).toEqual(['release.yml']);
  expect(texts.flatMap(([name, text]) => problemsOf(name, text))).toEqual([]);
});

test.each([
  'npm ci --no-audit',
  '"$(command -v node)" scripts/build.ts',
  'docker build .',
  'x=1 && npx tsc',
  'npm run build',
])('A step that runs %s counts as a build', (run) => {
  const text = JSON.stringify({
    jobs: { one: { permissions: { 'id-token': 'write' }, steps: [{ run }] } },
  });
  expect(problemsOf('x.yml', text)).toHaveLength(1);
});

test('The image is built on a base that the release pins by its digest', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  expect(dockerfile.match(/^FROM .*$/gm)).toEqual(['FROM ${BASE}']);
  expect(dockerfile).toMatch(/^ARG BASE=node:\d+\.\d+\.\d+-alpine\d+\.\d+$/m);
});

test.each(['action.yml', 'emulator/action.yml', 'gitea/action.yml'])(
  'A release notes the SHA-256 of %s, which runners execute, and attests it',
  (path) => {
    const release = readFileSync(join(FOLDER, 'release.yml'), 'utf8');
    const [sums = ''] = /git ls-files -z .*;/.exec(release) ?? [];
    const [, attested = ''] = /subject-path: \|\n((?: {12}\S.*\n)+)/.exec(release) ?? [];
    expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(/^runs:$/m);
    expect(sums).toContain(` ${path} `);
    expect(attested.split('\n').map((line) => line.trim())).toContain(path);
  },
);
