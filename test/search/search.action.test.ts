import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/src/platform/emulator.ts';
import type { SiteContent } from '../../emulator/src/site/source.ts';
import { runStep, type StepOptions } from '../support/runner.ts';

const SITE: Record<string, string> = {
  'index.md': '---\ntitle: Welcome\n---\nStart here.',
  'rotate.md':
    '---\ntitle: Rotate the link\nversion: v2\n---\nLinks expire. This page says what to do about it.',
  'hand-over.md': '---\ntitle: Air-gapped hand-over\n---\nCarry the archive and its checksum.',
};

const QUERIES = `# What readers look for.
queries:
  - query: rotate link
    expect:
      paths: [/rotate]
      within: 1
  - query: air-gapped
    expect:
      paths: [/hand-over.html]
      within: 1
`;

async function makeWorkspace(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), 'search-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const serve = (site: SiteContent = SITE) => startEmulator({ sites: { acme: site } });

function stepOf(
  emulator: Emulator,
  workspace: string,
  inputs: Readonly<Record<string, string>>,
): StepOptions {
  const key = emulator.keys.assistant;
  return {
    workspace,
    secrets: [key],
    inputs: {
      mode: 'search',
      'base-url': emulator.url,
      'assistant-api-key': key,
      domain: 'acme',
      ...inputs,
    },
  };
}

test('A queries file whose queries all pass ends as completed, with counts and a summary', async () => {
  await using emulator = await serve();
  await using workspace = await makeWorkspace({ 'docs-queries.yml': QUERIES });
  const result = await runStep(
    stepOf(emulator, workspace.path, { 'queries-file': 'docs-queries.yml' }),
  );
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs['status']).toBe('completed');
  expect(JSON.parse(result.outputs['report'] ?? '')).toMatchObject({
    passedCount: 2,
    failedCount: 0,
  });
  expect(result.summary).toContain('2 queries passed');
  expect(result.stdout).not.toContain(`Bearer ${emulator.keys.assistant}`);
});

test("A page whose title broke is a miss, annotated on the query's line, and the run fails", async () => {
  await using emulator = await serve({
    ...SITE,
    'rotate.md': '---\ntitle: Untitled\n---\nThis page says what to do.',
  });
  await using workspace = await makeWorkspace({ 'docs-queries.yml': QUERIES });
  const result = await runStep(
    stepOf(emulator, workspace.path, { 'queries-file': 'docs-queries.yml' }),
  );
  expect(result.exitCode, result.log).toBe(1);
  expect(result.annotations[0]).toMatchObject({
    file: 'docs-queries.yml',
    line: 3,
    title: 'Search miss',
  });
  expect(result.outputs).toMatchObject({ status: 'failed', 'error-code': 'checks-failed' });
  const report: unknown = JSON.parse(result.outputs.report ?? '');
  expect(report).toMatchObject({
    version: 1,
    mode: 'search',
    passedCount: 1,
    failedCount: 1,
    error: { code: 'checks-failed' },
  });
});

test('The report of a single query has its results', async () => {
  await using emulator = await serve();
  await using workspace = await makeWorkspace({});
  const result = await runStep(
    stepOf(emulator, workspace.path, { query: 'rotate link', filter: 'version=v2' }),
  );
  expect(result.exitCode, result.log).toBe(0);
  expect(JSON.parse(result.outputs['report'] ?? '')).toMatchObject({
    resultCount: 1,
    results: [{ path: '/rotate', metadata: { title: 'Rotate the link' } }],
  });
});

test('A malformed queries file fails with all of its errors at the same time and sends nothing', async () => {
  await using emulator = await serve();
  await using workspace = await makeWorkspace({
    'q.yml': 'queries:\n  - query: a\n    page-size: 99\n  - querry: SECRETTEXT\n',
  });
  const result = await runStep(stepOf(emulator, workspace.path, { 'queries-file': 'q.yml' }));
  expect(result.exitCode).toBe(1);
  expect(result.outputs['error-code']).toBe('config');
  for (const finding of [
    'q.yml:3:5: queries[0].page-size',
    'q.yml:4:5: queries[1].query: is required',
    'q.yml:4:5: queries[1]: unknown key querry: did you mean query?',
  ]) {
    expect(result.log).toContain(finding);
  }
  expect(result.stdout + result.stderr + result.summary).not.toContain('SECRETTEXT');
  expect(emulator.requests).toEqual([]);
});

test('An admin key never leaves the process', async () => {
  await using emulator = await serve();
  await using workspace = await makeWorkspace({});
  const key = emulator.keys.admin;
  const step = stepOf(emulator, workspace.path, { query: 'rotate', 'assistant-api-key': key });
  const result = await runStep({ ...step, secrets: [] });
  expect(result.exitCode).toBe(1);
  expect(result.outputs['error-code']).toBe('config');
  expect(result.log + result.summary).not.toContain(key);
  expect(emulator.requests).toEqual([]);
});
