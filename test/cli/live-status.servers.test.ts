import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SiteReply, startLiveSite } from '../support/live-site.ts';
import { openLaptop } from './harness.ts';

const STAMP = {
  version: 1,
  site: 'docs.example.com',
  project: null,
  exportJobId: 'exp_2f9c',
  exportedAt: '2026-03-01T09:10:00.000Z',
  commit: { id: 'a'.repeat(40), from: 'acme-docs, deployment 12' },
  label: 'v2',
  pages: 128,
  fingerprint: 'f'.repeat(64),
};
const NO_KEY = { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' };

/** A site that has only a stamp. */
function startStamped(reply: (path: string) => SiteReply) {
  return startLiveSite(({ path }) =>
    /^\/(docs\/)?docs-courier\.json\?/.test(path) ? reply(path) : { status: 404, body: 'none' },
  );
}

async function statusOf(reply: SiteReply, args: readonly string[] = []) {
  await using laptop = await openLaptop();
  await using site = await startStamped(() => reply);
  const ended = await laptop.run(['status', '--live-url', site.url, ...args], { env: NO_KEY });
  return { ...ended, url: site.url, asked: site.requests.map(({ path }) => path), laptop };
}

const stamped = (more: Partial<Record<keyof typeof STAMP, unknown>> = {}) => ({
  body: JSON.stringify({ ...STAMP, ...more }),
});

describe('docs-courier status --live-url', () => {
  test('The stamp of a site is shown without a key, and the platform is not asked', async () => {
    const { exitCode, stderr, stdout, laptop, url } = await statusOf(stamped());
    for (const line of [
      `Address: ${url}`,
      'Site: docs.example.com',
      'Version: v2',
      'Export job: exp_2f9c',
      'Requested: 2026-03-01 09:10 UTC',
      `Commit: ${'a'.repeat(40)} (acme-docs, deployment 12)`,
      'Pages: 128',
      `Content: ${'f'.repeat(64)}`,
    ]) {
      expect(stderr).toContain(line);
    }
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(laptop.platform.requests).toEqual([]);
  });

  test('The report has the stamp, and the summary says that it is not signed', async () => {
    await using laptop = await openLaptop();
    await using site = await startStamped(() => stamped({ label: '<b>\n::error::x' }));
    const args = ['status', '--live-url', `${site.url}/docs`, '--json', '--summary', 'summary.md'];
    const { exitCode, stdout } = await laptop.run(args, { env: NO_KEY });
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ mode: 'status', status: 'completed' });
    expect(report.stamp).toMatchObject({ exportJobId: 'exp_2f9c', pages: 128 });
    const summary = readFileSync(join(laptop.folder, 'summary.md'), 'utf8');
    expect(summary).toContain('It is not signed.');
    expect(summary).toContain('&lt;b&gt; ::error::x');
    expect(summary).not.toMatch(/^::/m);
  });

  test('JSON on standard output has no command of a CI system, whatever the stamp of a site says', async () => {
    const label = '##vso[task.setvariable variable=a]b ##teamcity[x] ##[endgroup]';
    const { stdout } = await statusOf(stamped({ label }), ['--json']);
    expect(stdout).not.toMatch(/##[a-z]*\[/);
    expect(JSON.parse(stdout).stamp.label).toBe(label);
  });

  test('The headers of a site behind a login come from a file, and are not shown', async () => {
    await using laptop = await openLaptop();
    writeFileSync(
      join(laptop.folder, 'headers'),
      'Authorization: Bearer canary-token-0123456789\n',
    );
    await using site = await startLiveSite(({ headers }) =>
      headers.authorization === undefined ? { status: 401 } : { body: `${headers.authorization}` },
    );
    const { exitCode, stderr } = await laptop.run(
      ['status', '--live-url', site.url, '--live-headers-file', 'headers', '--verbose'],
      { env: NO_KEY },
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('docs-courier.json is not JSON');
    expect(stderr).not.toContain('canary');
  });
});

describe('the age of a site', () => {
  const DAY_MS = 86_400_000;
  test.each([
    ['of today', 0, 0],
    ['a minute before the limit', 7 * DAY_MS - 60_000, 0],
    ['a minute after the limit', 7 * DAY_MS + 60_000, 4],
    ['of a time that has not come', -3_600_000, 4],
  ])(
    'With --max-age 7d, an export %s ends with the right exit code',
    async (_, ageMs, expected) => {
      await using laptop = await openLaptop();
      const exportedAt = new Date(laptop.clock.now() - ageMs).toISOString();
      await using site = await startStamped(() => stamped({ exportedAt }));
      const { exitCode, stderr } = await laptop.run(
        ['status', '--live-url', site.url, '--max-age', '7d'],
        {
          env: NO_KEY,
        },
      );
      expect(stderr).toContain('Export job: exp_2f9c');
      expect(exitCode).toBe(expected);
    },
  );

  test('The message says how old the export is, and the hint that an unchanged image keeps its stamp', async () => {
    await using laptop = await openLaptop();
    const exportedAt = new Date(laptop.clock.now() - 9 * DAY_MS).toISOString();
    await using site = await startStamped(() => stamped({ exportedAt }));
    const { stderr } = await laptop.run(['status', '--live-url', site.url, '--max-age', '36h'], {
      env: NO_KEY,
    });
    expect(stderr).toContain(
      `${site.url}: the export was requested 9 days ago, which is more than --max-age.`,
    );
    expect(stderr).toContain('An image whose content is unchanged keeps its stamp');
  });

  test('A stamp without a time is never young enough', async () => {
    const { exitCode, stderr } = await statusOf(stamped({ exportedAt: null }), ['--max-age', '7d']);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('its stamp does not say when the export was requested');
  });
});

describe('a site without a stamp that can be read', () => {
  test.each([
    [{ status: 404 }, 'not-found', 'has no stamp that can be read: the site answered 404'],
    [{ status: 403 }, 'forbidden', '--live-headers-file'],
    [
      { status: 302, headers: { location: 'https://login.example.com/' } },
      'forbidden',
      'another origin',
    ],
    [{ status: 503 }, 'network', 'the site answered 503'],
    [{ body: '<p>Welcome' }, 'protocol', 'docs-courier.json is not JSON'],
    [stamped({ fingerprint: '\u001b[31m' }), 'protocol', 'fingerprint is invalid'],
    [{ body: '"'.padEnd(100_000, 'x') }, 'network', 'larger'],
  ])('The reply %j is the error %s', async (reply, code, message) => {
    const { exitCode, stderr } = await statusOf(reply);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(code);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b[31m');
  });
});

describe('wrong flags', () => {
  test.each([
    [
      ['--live-url', 'https://docs.example.com', '--to', 'file:link'],
      '--to is about a destination',
    ],
    [['--max-age', '7d', '--to', 'file:link'], '--max-age is read only together with --live-url'],
    [
      ['--live-url', 'https://docs.example.com', '--max-age', 'week'],
      '--max-age must be a duration such as 7d or 36h',
    ],
    [['--live-url', 'http://docs.example.com'], 'it must be https'],
    [['--live-url', 'https://docs.example.com/index.html'], 'the address of the start page'],
  ])('The flags %j are refused before anything is sent', async (args, message) => {
    await using laptop = await openLaptop();
    const { exitCode, stderr } = await laptop.run(['status', ...args], { env: NO_KEY });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
