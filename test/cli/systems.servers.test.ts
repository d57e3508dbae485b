import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CI_ENVIRONMENTS } from '../support/ci-environments.ts';
import { ciSnippets } from '../support/ci-snippets.ts';
import { DOMAIN, openLaptop } from './harness.ts';

const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link.txt'];

describe.each(CI_ENVIRONMENTS)('docs-courier on $title', ({ kind, env, again, pullRequest }) => {
  test('A run on $title exports and writes the link, with outputs for later steps', async () => {
    await using machine = await openLaptop();
    const args = [...EXPORT, '--allow-write-from', 'main', '--output-file', 'outputs.env', '--summary', 'summary.md'];
    const { exitCode, stderr } = await machine.run(args, { env });
    expect(exitCode).toBe(0);
    const link = await readFile(join(machine.folder, 'link.txt'), 'utf8');
    expect((await fetch(link)).status).toBe(200);
    // The agent removes these lines from the log.
    const shown = stderr.split('\n').filter((line) => !line.startsWith('##vso[task.setsecret]'));
    expect(shown.join('\n')).not.toContain(new URL(link).search);
    expect(await readFile(join(machine.folder, 'outputs.env'), 'utf8')).toMatch(/^DOCS_COURIER_OUT_JOB_ID=\S+$/m);
    expect(await readFile(join(machine.folder, 'summary.md'), 'utf8')).toContain(DOMAIN);
    if (kind === 'azure')
      expect(stderr).toMatch(/^##vso\[task\.setvariable variable=DOCS_COURIER_OUT_JOB_ID;.+\]\S+$/m);
  });

  test('A run on $title sends nothing without --allow-write-from, and says which branch the run is for', async () => {
    await using machine = await openLaptop();
    const { exitCode, stderr } = await machine.run(EXPORT, { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--allow-write-from main');
    expect(machine.platform.requests).toEqual([]);
  });

  test('A run on $title sends nothing for a pull request of a fork whose branch is called main', async () => {
    await using machine = await openLaptop();
    const args = [...EXPORT, '--allow-write-from', 'main'];
    const { exitCode, stderr } = await machine.run(args, { env: { ...env, ...pullRequest } });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/may not publish: .+\([A-Za-z_]+ is set\)/);
    expect(machine.platform.requests).toEqual([]);
  });

  test('A re-run on $title attaches to the export if the system shows that it is the same job', async () => {
    await using machine = await openLaptop();
    const args = [...EXPORT, '--allow-write-from', 'main'];
    await machine.run(args, { env });
    const { exitCode } = await machine.run(args, { env: { ...env, ...again } });
    expect(exitCode).toBe(0);
    const started = machine.platform.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/static-export/jobs',
    );
    expect(started).toHaveLength(['woodpecker', 'other'].includes(kind) ? 2 : 1);
  });
});

describe('the pipelines of the page about other CI systems', () => {
  test.each(ciSnippets())('The commands of the page for $title export', async (snippet) => {
    await using machine = await openLaptop();
    const system = CI_ENVIRONMENTS.find(({ title }) => title === snippet.title);
    const given: Readonly<Record<string, string>> = {
      '--base-url': machine.platform.url,
      '--domain': DOMAIN,
      '--to': 'file:link.txt',
    };
    for (const words of snippet.commands) {
      // The addresses on the page do not exist.
      const args = words.map((word, index) => given[words[index - 1] ?? ''] ?? word);
      const { exitCode, stderr } = await machine.run(args, { env: system?.env ?? {} });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    expect((await fetch(await readFile(join(machine.folder, 'link.txt'), 'utf8'))).status).toBe(200);
  });
});
