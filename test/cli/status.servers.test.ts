import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { TokenServer } from '../support/small-servers/token-server.ts';
import { DOMAIN, type Laptop, openLaptop } from './harness.ts';

const manifestsOf = z.object({ manifests: z.array(z.object({ digest: z.string() })) });
const TO = ['--to', 'file:one', '--to', 'file:two'];

async function exportTo({ run, clock }: Laptop, to: readonly string[]): Promise<string> {
  const { stdout } = await run(['export', '--domain', DOMAIN, ...to, '--json']);
  clock.advance(60_000);
  return JSON.parse(stdout).jobId;
}

describe('docs-courier status', () => {
  test('The status shows what is live, until when its link works, and what to roll back to', async () => {
    await using laptop = await openLaptop();
    const [first, second] = [await exportTo(laptop, TO), await exportTo(laptop, TO)];
    const before = laptop.platform.requests.length;
    const { exitCode, stderr, stdout } = await laptop.run(['status', ...TO]);
    expect(stderr).toMatch(
      new RegExp(
        `Destination: file:\\S+/one, Live export: ${second}, 2 pages, Since: 20\\d\\d-.* UTC, Link works until: 20\\d\\d-.* UTC, Written by: not known, Roll back to: ${first}`,
      ),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(laptop.platform.requests).toHaveLength(before);
  });

  test('The status of an image shows the digests to go back to, each next to its export job, and that it does not expire', async () => {
    await using files = await mkdtempDisposable(join(tmpdir(), 'site-'));
    const page = join(files.path, 'index.md');
    await writeFile(page, '# Docs');
    await using laptop = await openLaptop({ sites: { acme: files.path } });
    await using registry = await SmallRegistry.start();
    const image = ['--image', `${registry.host}/acme/docs:latest`];
    const pushed = async (text: string) => {
      await writeFile(page, text);
      const { stdout } = await laptop.run(['export', '--domain', DOMAIN, ...image, '--json']);
      laptop.clock.advance(60_000);
      const { jobId, image: made } = JSON.parse(stdout);
      return `${jobId} ${made.reference.replace(/^.*@/, '')}`;
    };
    const [first, second] = [await pushed('# One'), await pushed('# Two')];
    const third = await pushed('# Three');
    const { stderr } = await laptop.run(['status', ...image]);
    for (const part of third.split(' ')) expect(stderr).toContain(part);
    expect(stderr).toContain('Link works until: an image does not expire');
    expect(stderr).toContain(`Roll back to: ${second}, ${first}`);
  });

  test.each([
    ['the live image', 2, 1, 4],
    ['an image to go back to', 1, 0, 0],
  ])(
    'If the registry has deleted the platform manifests of %s, status and doctor say so',
    async (_, nth, statusCode, doctorCode) => {
      await using files = await mkdtempDisposable(join(tmpdir(), 'site-'));
      const page = join(files.path, 'index.md');
      await writeFile(page, '# Docs');
      await using laptop = await openLaptop({ sites: { acme: files.path } });
      await using registry = await SmallRegistry.start();
      const args = ['--domain', DOMAIN, '--image', `${registry.host}/acme/docs:latest`];
      const jobs: string[] = [];
      for (const text of ['# One', '# Two']) {
        await writeFile(page, text);
        const { stdout } = await laptop.run(['export', ...args, '--json']);
        const { jobId, image } = JSON.parse(stdout);
        jobs.push(jobId);
        laptop.clock.advance(60_000);
        if (jobs.length !== nth) continue;
        const digest = image.reference.replace(/^.*@/, '');
        const index = await fetch(`http://${registry.host}/v2/acme/docs/manifests/${digest}`);
        for (const manifest of manifestsOf.parse(await index.json()).manifests)
          registry.remove('acme/docs', manifest.digest);
      }
      const status = await laptop.run(['status', ...args.slice(2)]);
      const doctor = await laptop.run(['doctor', ...args, '--publish=false']);
      const said = nth === 2 ? 'so it cannot be pulled' : `all of the image of ${jobs[0]}`;
      for (const { stderr } of [status, doctor]) expect(stderr).toContain(said);
      expect(status.exitCode, status.stderr).toBe(statusCode);
      expect(doctor.exitCode, doctor.stderr).toBe(doctorCode);
      if (nth === 2) expect(doctor.stderr).not.toContain('can be pulled');
      else expect(doctor.stderr).toContain('It can be pulled.');
    },
  );

  test('The status of an image needs no more than a login that may pull, and pushes nothing', async () => {
    await using laptop = await openLaptop();
    const password = 'correct-horse-battery';
    await using login = await TokenServer.start({
      courier: { password, actions: 'pull,push' },
      reader: { password, actions: 'pull' },
    });
    await using registry = await SmallRegistry.start({ login });
    const config = join(laptop.folder, 'docker');
    await mkdir(config);
    const logIn = (user: string) => {
      const auth = Buffer.from(`${user}:${password}`).toString('base64');
      return writeFile(
        join(config, 'config.json'),
        JSON.stringify({ auths: { [registry.host]: { auth } } }),
      );
    };
    const image = ['--image', `${registry.host}/acme/docs:latest`];
    const env = { DOCKER_CONFIG: config };
    await logIn('courier');
    const { stdout } = await laptop.run(['export', '--domain', DOMAIN, ...image, '--json'], {
      env,
    });
    await logIn('reader');
    const written = registry.writes().length;
    const { exitCode, stderr } = await laptop.run(['status', ...image], { env });
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain(`Live export: ${JSON.parse(stdout).jobId}`);
    expect(registry.writes()).toHaveLength(written);
    expect(login.requests.at(-1)?.scope).toBe('repository:acme/docs:pull');
  });

  test('The status as JSON has each destination with its exports', async () => {
    await using laptop = await openLaptop();
    const [first, second] = [await exportTo(laptop, TO), await exportTo(laptop, TO)];
    const { stdout } = await laptop.run(['status', ...TO, '--json']);
    const exports = [
      { job: second, live: true, pages: 2 },
      { job: first, pages: 2 },
    ];
    const destinations = ['one', 'two'].map((name) => ({
      destination: `file:${join(laptop.folder, name)}`,
      expiresAt: expect.any(String),
      exports,
    }));
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'status', status: 'completed', destinations });
  });

  test('After a rollback the status shows the earlier export as live, and an expired link as expired', async () => {
    await using laptop = await openLaptop({ linkLifetimeMs: 3_600_000 });
    const [first, second] = [await exportTo(laptop, TO), await exportTo(laptop, TO)];
    await laptop.run(['rollback', ...TO]);
    laptop.clock.advance(2 * 3_600_000);
    const { stderr } = await laptop.run(['status', ...TO]);
    expect(stderr).toContain(`Live export: ${first}`);
    expect(stderr).toContain('(expired)');
    expect(stderr).not.toContain(second);
    const further = await laptop.run(['rollback', ...TO]);
    expect(further.stderr).toContain(
      'put another job in place, with the other inputs of this run:\n  docs-courier refresh --export-job-id ID\n',
    );
  });

  test('A destination that cannot be read fails the status, and the others are shown', async () => {
    await using laptop = await openLaptop();
    const first = await exportTo(laptop, ['--to', 'file:one']);
    await mkdir(join(laptop.folder, 'two'));
    const { exitCode, stderr } = await laptop.run(['status', ...TO]);
    expect(stderr).toContain(`Live export: ${first}`);
    expect(stderr).toMatch(/Destination: file:\S+\/two, Live export: .*folder/);
    expect(exitCode).not.toBe(0);
  });

  test('The summary says why a destination could not be read, and not that nothing is live there', async () => {
    await using laptop = await openLaptop();
    await mkdir(join(laptop.folder, 'two'));
    await laptop.run(['status', ...TO, '--summary', 'summary.md']);
    const summary = await readFile(join(laptop.folder, 'summary.md'), 'utf8');
    expect(summary).toContain(`\`file:${join(laptop.folder, 'one')}\`\n\nNothing is live.`);
    const [, unread] = summary.split(`\`file:${join(laptop.folder, 'two')}\`\n\n`);
    expect(unread).toContain('folder');
    expect(unread).not.toContain('Nothing is live.');
  });

  test('Before the first export the status says so, and without a destination it is an error', async () => {
    await using laptop = await openLaptop();
    expect((await laptop.run(['status', '--to', 'file:one'])).stderr).toContain(
      'Live export: none yet',
    );
    const { exitCode, stderr } = await laptop.run(['status']);
    expect(stderr).toMatch(/to is missing.*\n.*\n {2}--to file:PATH/);
    expect(exitCode).toBe(2);
    const asJson = await laptop.run(['status', '--domain', DOMAIN, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ mode: 'status', status: 'failed' });
    const foreign = await laptop.run(['status', '--to', 'file:one', '--domain', DOMAIN]);
    expect(foreign.stderr).toContain('--domain belongs to');
  });
});
