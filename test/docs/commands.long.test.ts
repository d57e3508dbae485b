import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { findTool } from '../../scripts/examples/tools.ts';
import { serveSite } from '../../src/cli/serve.ts';
import { freePort } from '../support/free-port.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { filesIn, imageRun, startImageWorld } from '../support/registry-scenarios.ts';
import { runStep } from '../support/runner.ts';
import { searchServed } from '../support/served-search.ts';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { CHECKOUT, codeBlocks, type Ended, Reader, shellBlocks } from './terminals.ts';

const TIMEOUT_MS = 180_000;
const DOCS = join(CHECKOUT, 'docs');
const LESSON = 'docs/tutorial/first-export.md';
const SKOPEO = findTool('skopeo');
if (SKOPEO === undefined)
  console.warn('skopeo is not installed: the way over a medium is not tried.');

/** The emulator as the demo of a reader: it runs until Ctrl+C. */
function isServer(code: string): boolean {
  return /^npm run emulator /.test(code);
}

function expectDone({ exitCode, output }: Ended): string {
  expect(exitCode, output).toBe(0);
  return output;
}

/**
 * Starts the emulator as the page does, on another port: tests run side by side, and 8787 may be in
 * use.
 */
async function serveEmulator(reader: Reader, code: string): Promise<void> {
  const port = await freePort();
  const own = (line: string) => `${line.replace(/ --port \d+/, '')} --port ${port}`;
  await reader.serveEmulator(code.replace(/^npm run emulator .*$/gm, own));
}

async function runAll(reader: Reader, blocks: readonly string[]): Promise<string[]> {
  const outputs: string[] = [];
  for (const code of blocks) {
    if (isServer(code)) await serveEmulator(reader, code);
    else outputs.push(expectDone(await reader.run(code)));
  }
  return outputs;
}

/** The reader writes the queries file of the lesson, sees a miss, and removes that query. */
async function searchAsInLesson(reader: Reader, step: string): Promise<void> {
  const file = join(reader.folder, 'docs-queries.yml');
  const queries = codeBlocks(LESSON).find(({ language }) => language === 'yaml')?.code ?? '';
  writeFileSync(file, queries);
  const missed = await reader.run(step);
  expect(missed.exitCode).toBe(1);
  expect(missed.output).toContain('checks-failed');
  expect(missed.output).toContain('how do I bake bread');
  writeFileSync(file, queries.replace(/ {2}- query: how do I bake bread[\s\S]*$/, ''));
  expectDone(await reader.run(step));
}

const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(z.object({ name: z.optional(z.string()), run: z.optional(z.string()) })),
    }),
  ),
});

/** The command of one step of an example. */
function runOf(example: string, step: string): string {
  const { jobs } = workflow.parse(parse(readFileSync(join(CHECKOUT, 'examples', example), 'utf8')));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.find(({ name }) => name === step)?.run ?? `no step ${step}`;
}

// Most of their time is waiting: for servers, and for exports.
describe.concurrent('the commands of the documentation', () => {
  test(
    'The tutorial works to the letter, with its queries file, and so do the two commands of the README',
    async () => {
      await using reader = new Reader();
      const [clone = '', ...rest] = shellBlocks(LESSON);
      expect(clone.split('\n').slice(0, 2).join('\n')).toBe(shellBlocks('README.md')[1]?.trim());
      expect(clone).toContain(shellBlocks('README.md')[2]);
      const [fetching = '', demo = ''] = [
        clone.replace(/^npm ci .*$/m, ''),
        'npm ci && npm run demo',
      ];
      expectDone(await reader.run(fetching));
      await reader.serve(demo, /Ctrl\+C ends the demo/);
      await reader.stop();
      const search = rest.findIndex((code) => code.includes('--mode search'));
      const [job = '', polled = '', waited = '', listed = ''] = await runAll(
        reader,
        rest.slice(0, search),
      );
      const requests = reader.serverOutput;
      await searchAsInLesson(reader, rest[search] ?? '');
      const [expired = '', fresh = ''] = await runAll(reader, rest.slice(search + 1));
      expect(job).toMatch(/^\S+$/m);
      expect(requests.match(/POST \/v1\/static-export\/jobs 20/g)).toHaveLength(1);
      expect(polled).toContain('"status":"');
      expect(waited).toContain('"status":"completed"');
      expect(listed).toContain('index.html');
      expect(expired.trimEnd().split('\n').at(-1)).toBe('403');
      expect(fresh.trimEnd().split('\n').at(-1)).toBe('200');
      expect(reader.serverOutput.match(/POST \/v1\/static-export\/jobs 20/g)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  test(
    'The page about the emulator starts it in each way that it shows',
    async () => {
      await using reader = new Reader();
      await reader.clone();
      expectDone(await reader.run('mkdir -p path/to && cp -r docs path/to/docs'));
      for (const code of shellBlocks('docs/how-to/run-the-emulator.md')) {
        if (isServer(code)) await serveEmulator(reader, code);
        else expect(expectDone(await reader.run(code))).not.toContain('"error"');
      }
    },
    TIMEOUT_MS,
  );

  test(
    'The hand-written loop of the emulator page works on the emulator, as teams use it',
    async () => {
      await using reader = new Reader();
      await using platform = await startEmulator({
        sites: { acme: DOCS },
        exportJobs: { advance: 'poll', polls: 1 },
      });
      expectDone(
        await reader.run(
          `BASE_URL=${platform.url} ADMIN_KEY=${platform.keys.admin} DOMAIN=acme.example.com`,
        ),
      );
      const [loop = ''] = shellBlocks('docs/how-to/from-a-curl-loop.md');
      expectDone(await reader.run(loop));
      expect(existsSync(join(reader.folder, 'site/index.html'))).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    'The checks for an air-gapped transfer accept what the action made, and refuse a changed file',
    async () => {
      await using reader = new Reader();
      await using platform = await startEmulator({
        sites: { acme: DOCS },
        exportJobs: { advance: 'poll', polls: 1 },
      });
      const step = await runStep({
        workspace: reader.folder,
        inputs: {
          mode: 'export',
          'base-url': platform.url,
          'admin-api-key': platform.keys.admin,
          domain: 'acme.example.com',
          'bundle-path': 'hand-over/docs.tar.gz',
          'extract-to': 'site',
          add: 'stamp',
        },
      });
      expect(step.exitCode, step.log).toBe(0);
      const summary = join(reader.folder, 'sent');
      expectDone(await reader.run(`export GITHUB_STEP_SUMMARY='${summary}'`));
      expectDone(await reader.run(`(\n${runOf('air-gapped.yml', 'Pack what was added')}\n)`));
      // On the other side there is nothing but the package.
      expectDone(
        await reader.run('mv hand-over/* . && rm -r site hand-over && mv sent SHA256SUMS'),
      );
      const [unpack = '', compare = '', identify = ''] = shellBlocks(
        'docs/how-to/air-gapped-hand-over.md',
      ).slice(4, 7);
      expectDone(await reader.run(unpack));
      expectDone(await reader.run(compare));
      expect(expectDone(await reader.run(identify))).toContain('true');
      const stamp = join(reader.folder, 'site/docs-courier.json');
      writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/"exportJobId": "/, '$&x'));
      expect((await reader.run(identify)).exitCode).not.toBe(0);
      writeFileSync(join(reader.folder, 'site/index.html'), 'changed');
      expect((await reader.run(compare)).exitCode).not.toBe(0);
    },
    TIMEOUT_MS,
  );

  test.skipIf(SKOPEO === undefined)(
    'The page about an air-gapped network takes an image with search and stamp across with an equal digest, and refuses another archive',
    async () => {
      await using reader = new Reader();
      await using site = await startImageWorld();
      await using outside = await SmallRegistry.start();
      await using inside = await SmallRegistry.start();
      const { inputs, options } = imageRun(outside.host, site.world);
      const bundle = bundleInputs({ extractTo: join(site.world.workspace, 'out') });
      const { facts } = await site.world.export(
        { ...inputs, bundle, add: ['search', 'stamp'] },
        options('1'),
      );
      const image = facts.image?.reference ?? '';
      const [, digest = ''] = image.split('@');
      const [install = '', compare = '', copy = '', unpack = ''] = shellBlocks(
        'docs/how-to/air-gapped-hand-over.md',
      );
      // Followed on that page.
      expect(install).toBe(shellBlocks('docs/how-to/gitlab-ci.md')[0]);
      mkdirSync(join(reader.home, '.config/containers'), { recursive: true });
      writeFileSync(
        join(reader.home, '.config/containers/registries.conf'),
        `[[registry]]\nlocation = "${outside.host}"\ninsecure = true\n
[[registry]]\nlocation = "${inside.host}"\ninsecure = true\n`,
      );
      // As the job pack-docs does; npm run examples runs that one.
      const pack =
        'skopeo copy --all --preserve-digests "docker://$IMAGE" oci-archive:docs.oci.tar:latest';
      expect(readFileSync(join(CHECKOUT, 'docs/how-to/air-gapped-hand-over.md'), 'utf8')).toContain(
        pack.replace('IMAGE', 'DOCS_COURIER_OUT_IMAGE_DIGEST'),
      );
      expectDone(await reader.run(`IMAGE='${image}'\n${pack}\necho ${digest} > docs.digest`));
      expect(expectDone(await reader.run(compare))).toBe(`The archive has the digest ${digest}\n`);
      expect(
        expectDone(await reader.run(copy.replaceAll('registry.inside.example', inside.host)))
          .trimEnd()
          .split('\n')
          .at(-1),
      ).toBe(digest);
      expectDone(await reader.run(unpack));
      expect(filesIn(join(reader.folder, 'site'))).toEqual(
        filesIn(join(site.world.workspace, 'out')),
      );
      await using server = await serveSite({
        folder: () => join(reader.folder, 'site'),
        rules: [],
        port: 0,
      });
      expect(await searchServed(server.url, 'comand')).toEqual(['install.html']);
      const stamp: unknown = await (await fetch(`${server.url}/docs-courier.json`)).json();
      expect(stamp).toMatchObject({ exportJobId: facts.jobId, pages: facts.pageCount });
      expectDone(await reader.run(`echo sha256:${'0'.repeat(64)} > docs.digest`));
      expect((await reader.run(compare)).output).toBe('');
    },
    TIMEOUT_MS,
  );

  test(
    'The copy that the README makes before a release contains the action and the emulator, each with its dist',
    async () => {
      await using reader = new Reader();
      const copy = shellBlocks('README.md').find((code) => code.includes('archive HEAD')) ?? '';
      expectDone(
        await reader.run(
          'git clone -q https://git.example.com/docs-courier.git; git init -q app; cd app',
        ),
      );
      expectDone(await reader.run(copy));
      const folder = join(reader.folder, '.github/actions/docs-courier');
      const sum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
      for (const path of [
        'action.yml',
        'emulator/action.yml',
        'dist/index.js',
        'dist/emulator/index.js',
      ])
        expect(sum(join(folder, path)), path).toBe(
          sum(join(reader.folder, '../docs-courier', path)),
        );
      expect(existsSync(join(folder, 'src'))).toBe(false);
    },
    TIMEOUT_MS,
  );
});
