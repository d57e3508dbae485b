import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CI_ENVIRONMENTS } from '../support/ci-environments.ts';
import { ciSnippets } from '../support/ci-snippets.ts';
import { DOMAIN, openLaptop } from './harness.ts';

const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link.txt'];

describe.each(CI_ENVIRONMENTS)('docs-courier on $title', ({ kind, env }) => {
  test('A run on $title exports and writes the link, with outputs for later steps', async () => {
    await using machine = await openLaptop();
    const args = [
      ...EXPORT,
      '--allow-write-from',
      'main',
      '--output-file',
      'outputs.env',
      '--summary',
      'summary.md',
    ];
    const { exitCode, stderr } = await machine.run(args, { env });
    expect(exitCode).toBe(0);
    const link = await readFile(join(machine.folder, 'link.txt'), 'utf8');
    expect((await fetch(link)).status).toBe(200);
    // The agent removes these lines from the log.
    const shown = stderr.split('\n').filter((line) => !line.startsWith('##vso[task.setsecret]'));
    expect(shown.join('\n')).not.toContain(new URL(link).search);
    expect(await readFile(join(machine.folder, 'outputs.env'), 'utf8')).toMatch(
      /^DOCS_COURIER_OUT_JOB_ID=\S+$/m,
    );
    expect(await readFile(join(machine.folder, 'summary.md'), 'utf8')).toContain(DOMAIN);
    if (kind === 'azure')
      expect(stderr).toMatch(
        /^##vso\[task\.setvariable variable=DOCS_COURIER_OUT_JOB_ID;.+\]\S+$/m,
      );
  });
});

test('Doctor takes --allow-write-from, which it asks for if no system vouches for the branch', async () => {
  await using machine = await openLaptop();
  const { env = {} } = CI_ENVIRONMENTS.find(({ kind }) => kind === 'circleci') ?? {};
  const args = ['doctor', ...EXPORT.slice(1), '--publish=false'];
  const asked = await machine.run(args, { env });
  expect(asked.stderr).toContain('❌ Destination of the link: --allow-write-from is missing');
  const { exitCode, stderr } = await machine.run([...args, '--allow-write-from', 'main'], { env });
  expect(exitCode, stderr).toBe(0);
});

describe('the pipelines of the page about other CI systems', () => {
  test.each(ciSnippets())('The commands of the page for $title export', async (snippet) => {
    await using machine = await openLaptop();
    const system = CI_ENVIRONMENTS.find(({ title }) => title === snippet.title);
    const given: Readonly<Record<string, string>> = {
      '--base-url': machine.platform.url,
      '--domain': DOMAIN,
      '--project-id': machine.platform.projectId,
      '--to': 'file:link.txt',
    };
    for (const words of snippet.commands) {
      // The addresses on the page do not exist.
      const args = words.map((word, index) => given[words[index - 1] ?? ''] ?? word);
      const { exitCode, stderr } = await machine.run(args, { env: system?.env ?? {} });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    expect((await fetch(await readFile(join(machine.folder, 'link.txt'), 'utf8'))).status).toBe(
      200,
    );
  });
});
