import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GitHubEmulator, startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { GitLabEmulator } from '../../../emulator/src/gitlab/emulator.ts';
import { linkMark, writeState } from '../../../src/publish/state/state.ts';
import { linkDigest } from '../../../src/stores/port.ts';
import { ADMIN_KEY, DOMAIN, type Laptop, openLaptop } from '../../cli/harness.ts';
import { SECRET_TOKEN } from '../../support/make-inputs.ts';

function configure({ folder }: Laptop, sites: object, top: object = {}): Promise<void> {
  return writeFile(join(folder, 'docs-courier.yml'), JSON.stringify({ ...top, sites }));
}

const linkIn = ({ folder }: Laptop, name: string) => readFile(join(folder, name), 'utf8');
const starts = ({ platform }: Laptop) =>
  platform.requests.filter(({ path }) => path === '/v1/static-export/jobs');

describe('refresh --all', () => {
  test('The command `refresh --all` refreshes what is due, continues after a failure, and ends with the worst exit code', async () => {
    await using laptop = await openLaptop();
    await laptop.run(['export', '--domain', DOMAIN, '--to', 'file:due', '--to', 'file:fresh']);
    const before = { due: await linkIn(laptop, 'due'), fresh: await linkIn(laptop, 'fresh') };
    await configure(laptop, {
      due: { to: 'file:due', 'refresh-before': '10000h' },
      never: { to: 'file:never' },
      fresh: { to: 'file:fresh', 'refresh-before': '1s' },
    });
    const { exitCode, stderr, stdout } = await laptop.run([
      'refresh',
      '--all',
      '--json',
      '--summary',
      'all.md',
    ]);
    expect(await linkIn(laptop, 'due')).not.toBe(before.due);
    expect(await linkIn(laptop, 'fresh')).toBe(before.fresh);
    expect(stderr).toMatch(/^due {4}refreshed, works until /m);
    expect(stderr).toMatch(/^never {2}failed \([a-z-]+\)$/m);
    expect(stderr).toMatch(/^fresh {2}not due$/m);
    expect(stderr).toMatch(/^error: never: /m);
    expect(exitCode).toBeGreaterThan(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      sites: [
        { site: 'due', exitCode: 0, changed: true },
        { site: 'never', exitCode },
        { site: 'fresh', changed: false },
      ],
    });
    expect(stdout).not.toContain('X-Signature');
    expect(await linkIn(laptop, 'all.md')).toContain('| `due` | refreshed');
  });

  test('A dry run of `refresh --all` lists what is due, and refreshes nothing', async () => {
    await using laptop = await openLaptop();
    await laptop.run(['export', '--domain', DOMAIN, '--to', 'file:due', '--to', 'file:fresh']);
    const before = await linkIn(laptop, 'due');
    await configure(laptop, {
      due: { to: 'file:due', 'refresh-before': '10000h' },
      fresh: { to: 'file:fresh', 'refresh-before': '1s' },
    });
    const args = ['refresh', '--all', '--dry-run', '--summary', 'all.md'];
    expect((await laptop.run(args)).stderr).toMatch(/^due {4}due, not refreshed$/m);
    const summary = await linkIn(laptop, 'all.md');
    expect(summary).toMatch(/\| `due` \| due, not refreshed \| Not done: .*write the link: file/);
    expect(summary).toContain('| `fresh` | not due | The stored link works until');
    expect(await linkIn(laptop, 'due')).toBe(before);
    const cancelled = await laptop.run([...args, '--json'], { signal: AbortSignal.abort() });
    expect(JSON.parse(cancelled.stdout).status).toBe('cancelled');
  });

  test.each([
    [{}, {}, { DOCS_COURIER_EXPORT_JOB_ID: 'a' }, '--export-job-id is of one site, also as a var'],
    [{ to: '' }, {}, {}, 'c has no destination'],
    [{ 'extract-to': './out' }, { 'extract-to': 'out' }, {}, 'a and c have the same extract-to'],
    [{}, { 'bundle-path': 'out.zip' }, {}, 'a and c have the same bundle-path'],
    [{}, { 'export-job-id': 'job-1' }, {}, 'a and c have the same export-job-id'],
  ])(
    'The command `refresh --all` sends nothing for the site %j below the keys %j with the variables %j',
    async (site, top, env, message) => {
      await using laptop = await openLaptop();
      await configure(laptop, { a: { to: 'file:a' }, c: { to: 'file:c', ...site } }, top);
      const { exitCode, stderr } = await laptop.run(['refresh', '--all'], { env });
      expect(stderr).toContain(message);
      expect([exitCode, laptop.platform.requests]).toEqual([2, []]);
    },
  );

  test('The command `refresh --all` refreshes 200 sites with at most three requests for each that is due', async () => {
    await using laptop = await openLaptop();
    const names = Array.from({ length: 200 }, (_, index) => `site-${index}`);
    for (let from = 0; from < names.length; from += 10) {
      const to = names.slice(from, from + 10).map((name) => `--to=file:${name}`);
      expect((await laptop.run(['export', '--domain', DOMAIN, ...to])).exitCode).toBe(0);
    }
    const due = new Set(names.filter((_, index) => index % 10 === 0));
    const entry = (name: string) => ({
      to: `file:${name}`,
      'refresh-before': due.has(name) ? '10000h' : '1s',
    });
    await configure(laptop, Object.fromEntries(names.map((name) => [name, entry(name)])));
    const sent = laptop.platform.requests.length;
    const { exitCode, stderr } = await laptop.run(['refresh', '--all']);
    expect(exitCode).toBe(0);
    expect(stderr.match(/^site-\d+ +refreshed/gm)).toHaveLength(20);
    expect(stderr.match(/^site-\d+ +not due$/gm)).toHaveLength(180);
    expect(laptop.platform.requests.length - sent).toBeLessThanOrEqual(200 + due.size * 3);
    expect(starts(laptop)).toHaveLength(20);
  });
});

const HOUR_MS = 3_600_000;

interface Fleet extends AsyncDisposable {
  readonly laptop: Laptop;
  readonly github: GitHubEmulator;
  readonly names: readonly string[];
  refresh(): ReturnType<Laptop['run']>;
}

/**
 * Sites with links in secrets of as few repositories as possible; `hours`: until the link of the
 * site expires, undefined: the state does not say. `hasFile`: each site has a file too. `isForged`:
 * its state was changed by a person without the key.
 */
async function openFleet(
  count: number,
  hours: (index: number) => number | undefined,
  {
    perRepository = 100,
    rateLimit = undefined as number | undefined,
    hasFile = false,
    isForged = (index: number) => index < 0,
  } = {},
): Promise<Fleet> {
  const laptop = await openLaptop();
  const { platform, clock } = laptop;
  const repositoryOf = (index: number) => `acme/docs-${Math.floor(index / perRepository)}`;
  const repositories = [
    ...new Set(Array.from({ length: count }, (_, index) => repositoryOf(index))),
  ];
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
    repositories: repositories.map((fullName) => ({ fullName, secretLimit: perRepository })),
    clock: { now: () => Math.floor(clock.now()) },
    rateLimit,
  });
  await platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  const names = Array.from({ length: count }, (_, index) => `site-${index}`);
  const nowMs = Math.floor(clock.now() / 1000) * 1000;
  const iso = (ms: number) => new Date(ms).toISOString();
  for (const index of names.keys()) {
    const [scope, secret] = [
      { scope: 'repository', repository: repositoryOf(index) } as const,
      `SITE_${index}`,
    ];
    const address = `github://github.com/repo/${scope.repository}/${secret}`.toLowerCase();
    const lifeHours = hours(index);
    const value = writeState(
      { adminApiKey: ADMIN_KEY, baseUrl: platform.url, address },
      {
        version: 2,
        baseUrl: platform.url,
        domain: DOMAIN,
        jobId: 'job-1',
        expiresAt: lifeHours === undefined ? undefined : iso(nowMs + lifeHours * HOUR_MS),
        written: { at: iso(nowMs - HOUR_MS) },
      },
    );
    github.setSecret(scope, {
      name: secret,
      value: 'https://bundles.example.com/a',
      updatedAt: iso(nowMs - HOUR_MS),
    });
    const shown = isForged(index)
      ? JSON.stringify({ ...JSON.parse(value), expiresAt: iso(0) })
      : value;
    github.setVariable(scope, {
      name: `${secret}_STATE`,
      value: shown,
      updatedAt: iso(nowMs - HOUR_MS),
    });
  }
  const more = (index: number) => (hasFile ? `\nfile:link-${index}` : '');
  const to = (index: number) => `github:repo/${repositoryOf(index)}/SITE_${index}${more(index)}`;
  const sites = Object.fromEntries(
    names.map((name, index) => [name, { to: to(index), 'refresh-before': '24h' }]),
  );
  await configure(laptop, sites);
  const env = { GITHUB_API_URL: github.url, DOCS_COURIER_SECRET_TOKEN: SECRET_TOKEN };
  return {
    laptop,
    github,
    names,
    refresh: () => laptop.run(['refresh', '--all', '--json'], { env }),
    async [Symbol.asyncDispose]() {
      await github.close();
      await laptop[Symbol.asyncDispose]();
    },
  };
}

const sitesIn = (
  stdout: string,
): { site: string; changed: boolean; exitCode: number; status: string; errorCode?: string }[] =>
  JSON.parse(stdout).sites;

/** Refreshes all sites, and expects that some are left and that each of those has failed. */
async function expectFailure(fleet: Fleet): Promise<void> {
  const { exitCode, stdout } = await fleet.refresh();
  expect(exitCode).toBe(1);
  const left = sitesIn(stdout).filter(({ changed }) => !changed);
  expect(left.length).toBeGreaterThan(0);
  expect(left.every(({ exitCode: code, status }) => code === 1 && status === 'failed')).toBe(true);
}

describe('refresh --all of secrets on GitHub', () => {
  test('Of 200 secrets of one repository, none of them due, the states are read with 10 requests', async () => {
    await using fleet = await openFleet(200, () => 1000, { perRepository: 200 });
    const { exitCode, stderr } = await fleet.refresh();
    expect(stderr.match(/^site-\d+ +not due$/gm)).toHaveLength(200);
    expect(exitCode).toBe(0);
    const paths = fleet.github.requests.map(({ path }) =>
      path.replace(/^.*\/actions\//, '').replace(/\?.*$/, ''),
    );
    expect(paths).toEqual([
      'secrets/public-key',
      'secrets',
      'secrets',
      ...Array.from({ length: 7 }, () => 'variables'),
    ]);
  });

  test('Of 2,000 sites, 100 of them due, GitHub gets the lists and at most 7 requests for each site that is due', async () => {
    await using fleet = await openFleet(2000, (index) => (index % 20 === 0 ? 1 : 1000));
    const { exitCode, stdout } = await fleet.refresh();
    expect(exitCode).toBe(0);
    expect(sitesIn(stdout).filter(({ changed }) => changed)).toHaveLength(100);
    // For each repository: the key, one page of secrets and four of variables.
    expect(fleet.github.requests.length).toBeLessThanOrEqual(20 * 6 + 100 * 7);
  });

  test('The links that expire first are refreshed first, and what is left at the end of the quota is named', async () => {
    // The order of the expiries is not that of the file.
    const rankOf = (index: number) => (index * 37) % 60;
    const siteAt = (rank: number) => fleet.names.find((_, index) => rankOf(index) === rank);
    await using fleet = await openFleet(60, (index) => 2 + rankOf(index) / 10, { rateLimit: 200 });
    const { exitCode, stdout, stderr } = await fleet.refresh();
    const refreshed = sitesIn(stdout).flatMap(({ site, changed }) => (changed ? [site] : []));
    expect(new Set(refreshed)).toEqual(new Set(refreshed.map((_, rank) => siteAt(rank))));
    expect(refreshed.length).toBeGreaterThanOrEqual(14);
    expect(refreshed.length).toBeLessThan(30);
    expect(fleet.github.requests.length).toBeLessThanOrEqual(200);
    // Each of the others works for longer than the hour after which the quota returns.
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      new RegExp(`Left for a later run: ${siteAt(refreshed.length)}, .* and \\d+ more`),
    );
    expect(stderr).toMatch(new RegExp(`^${siteAt(59)} +left for a later run, works until `, 'm'));
  });

  test('A limit that GitHub reports before the quota ends leaves the other sites for a later run too', async () => {
    await using fleet = await openFleet(60, () => 2, { rateLimit: 5000 });
    const match = { method: 'PUT', path: /SITE_10$/, times: Number.POSITIVE_INFINITY };
    const body = { message: 'You have exceeded a secondary rate limit. Please wait.' };
    fleet.github.inject({ match, status: 403, headers: { 'retry-after': '3000' }, body });
    const { exitCode, stdout } = await fleet.refresh();
    expect(exitCode).toBe(0);
    const left = sitesIn(stdout).filter(({ changed }) => !changed);
    expect(left.length).toBeGreaterThan(40);
    expect(left.map(({ site }) => site)).toContain('site-10');
    expect(left.every(({ status }) => status === 'skipped')).toBe(true);
  });

  test.each([
    ['that the state does not name', () => undefined, {}],
    ['that only the state of one of its destinations names', () => 1000, { hasFile: true }],
  ])(
    'A site that is left for a later run makes it fail at an expiry %s',
    async (_what, hours, more) => {
      await using fleet = await openFleet(60, hours, { rateLimit: 200, ...more });
      await expectFailure(fleet);
    },
  );

  test('A state whose signature is invalid takes no turn of another site, and excuses no site that is left', async () => {
    const isForged = (index: number) => index < 30;
    await using fleet = await openFleet(60, () => 20, { rateLimit: 200, isForged });
    const { stdout } = await fleet.refresh();
    const ends = sitesIn(stdout);
    const forged = fleet.names.filter((_, index) => isForged(index));
    // The first one reads the list.
    const late = ends.filter(({ site }) => forged.includes(site) && site !== 'site-0');
    expect(new Set(late.map(({ exitCode, errorCode }) => `${exitCode} ${errorCode}`))).toEqual(
      new Set(['1 rate-limited']),
    );
    const changed = ends.filter((end) => end.changed);
    expect(changed.length).toBeGreaterThanOrEqual(14);
  });

  test('A link that expires before the quota returns makes the run fail', async () => {
    await using fleet = await openFleet(60, () => 0.5, { rateLimit: 200 });
    await expectFailure(fleet);
    fleet.laptop.clock.advance(HOUR_MS);
    expect(
      sitesIn((await fleet.refresh()).stdout).filter(({ changed }) => changed).length,
    ).toBeGreaterThan(0);
  });
});

test('refresh --all reads 140 links of one GitLab project with 6 requests if none is due, next to 100 large variables', async () => {
  await using laptop = await openLaptop();
  const { platform, clock } = laptop;
  const token = 'glpat-0123456789abcdefghij';
  await using gitlab = await GitLabEmulator.start({
    projects: [{ path: 'acme/docs', id: 7 }],
    tokens: { [token]: { roles: { acme: 'owner' } } },
  });
  const expiresAt = new Date(clock.now() + 1000 * HOUR_MS).toISOString();
  const host = new URL(gitlab.url).host;
  const names = Array.from({ length: 140 }, (_, index) => `SITE_${index}`);
  // Other variables of the longest value that GitLab takes: a page of them is larger than a usual
  // reply.
  for (let index = 0; index < 100; index += 1) {
    gitlab.setVariable('acme/docs', { key: `OTHER_${index}`, value: '\u00e4'.repeat(10_000) });
  }
  for (const name of names) {
    const address = `gitlab://${host}/project/7/${name}?environment=*`;
    const binding = { adminApiKey: ADMIN_KEY, baseUrl: platform.url, address };
    const url = `https://bundles.example.com/${linkDigest(name)}`;
    const written = { link: linkMark(binding, linkDigest(url)) };
    const record = {
      version: 2,
      baseUrl: platform.url,
      domain: DOMAIN,
      jobId: 'job-1',
      expiresAt,
      written,
    } as const;
    gitlab.setVariable('acme/docs', { key: name, value: url });
    gitlab.setVariable('acme/docs', { key: `${name}_STATE`, value: writeState(binding, record) });
  }
  // The server is that of the clone: a configuration file names none.
  execFileSync('git', ['init', '-q'], { cwd: laptop.folder });
  execFileSync('git', ['remote', 'add', 'origin', `${gitlab.url}/acme/docs.git`], {
    cwd: laptop.folder,
  });
  const to = (name: string) => `gitlab:project/acme%2Fdocs/${name}`;
  await configure(
    laptop,
    Object.fromEntries(names.map((name) => [name, { to: to(name), 'refresh-before': '24h' }])),
  );
  const { stderr } = await laptop.run(['refresh', '--all'], {
    env: { PATH: process.env['PATH'] ?? '', DOCS_COURIER_SECRET_TOKEN: token },
  });
  expect(stderr.match(/ not due$/gm)).toHaveLength(140);
  // The project, the token, and four pages with two variables for each site.
  expect(gitlab.requests).toHaveLength(6);
});
