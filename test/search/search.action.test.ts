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
