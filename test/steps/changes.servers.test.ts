import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportInputs } from '../../src/inputs/inputs.ts';
import { outputsOf } from '../../src/run/outputs.ts';
import { expectError } from '../support/failure.ts';
import { bundleInputs, makeDestination, SECRET_TOKEN } from '../support/make-inputs.ts';
import { DOMAIN, START } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

const PREVIOUS: ExportInputs['compareWith'] = { kind: 'previous' };
const UNCOMPARED = { compareWith: { kind: 'none' } } as const;
const MOST_DROP = { maxPageDrop: { unit: '%', most: 10 } } as const;
const SITE: Files = Object.fromEntries([
  ['index.md', '# Docs\n\nHello.'],
  ...Array.from({ length: 9 }, (_, at) => [
    `guide/page-${at}.md`,
    `# Page ${at}\n\nText of page ${at}.`,
  ]),
]);

/** A world with a site. Later exports contain what was written and removed since. */
class ChangingSite implements AsyncDisposable {
  readonly world: World;
  readonly #files: Record<string, string>;

  constructor(world: World, files: Record<string, string>) {
    this.world = world;
    this.#files = files;
  }

  write(files: Files): void {
    Object.assign(this.#files, files);
  }

  remove(...paths: readonly string[]): void {
    for (const path of paths) delete this.#files[path];
  }

  export(inputs: Partial<ExportInputs> = {}, options: Parameters<World['export']>[1] = {}) {
    return this.world.export({ to: makeDestination(), compareWith: PREVIOUS, ...inputs }, options);
  }

  /** The platform makes no link to the bundle of this job any more. */
  loseBundle(jobId = ''): void {
    const path = new RegExp(`/${jobId}/bundle$`);
    const match = { method: 'POST', path, times: 5 };
    this.world.platform.inject({ match, status: 404, body: { error: 'gone' } });
  }

  logged(): string {
    return this.world.log.text();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

async function startSite(content: Files = SITE): Promise<ChangingSite> {
  const files = { ...content };
  return new ChangingSite(await startWorld({ platform: { sites: { acme: files } } }), files);
}

const BY_HAND = { eventName: 'workflow_dispatch' };

describe('compare-with: previous', () => {
  it('Before the first export the run says that there is nothing to compare with', async () => {
    await using site = await startSite();
    const { facts, recorded } = await site.export();
    expect(facts.status).toBe('completed');
    expect(recorded.notCompared).toBe(
      'The variable DOCS_BUNDLE_URL_STATE of repository acme/docs names no finished export yet.',
    );
    expect(recorded.comparison).toBeUndefined();
    expect(recorded.changesPath).toBeUndefined();
  });

  it('Changes are reported as facts, as a file, as an output and as a summary', async () => {
    await using site = await startSite();
    const first = await site.export();
    site.write({
      'guide/page-1.md': '# Page 1\n\nText of page one.',
      'guide/new.md': '# New\n\nNew text.',
    });
    site.remove('guide/page-2.md');
    const { recorded } = await site.export();
    const { comparison, changesPath = '', changes } = recorded;
    expect(comparison).toMatchObject({
      from: { jobId: first.recorded.jobId, pages: 10 },
      to: { jobId: recorded.jobId, pages: 10 },
      added: [{ path: '/guide/new', title: 'New' }],
      removed: [{ path: '/guide/page-2', title: 'Page 2' }],
      changed: [
        {
          path: '/guide/page-1',
          title: 'Page 1',
          words: 7,
          wordsAdded: 1,
          wordsRemoved: 1,
          excerpts: [{ before: 'Text of page 1.', after: 'Text of page one.' }],
        },
      ],
      unchanged: 8,
      lost: [{ path: '/guide/page-2', links: 0 }],
    });
    expect(JSON.parse(readFileSync(changesPath, 'utf8'))).toEqual(comparison);
    expect(changes).toMatchObject({
      added: 1,
      removed: 1,
      changed: 1,
      moved: 0,
      unchanged: 8,
      lost: 1,
    });
    const outputs = outputsOf('export', recorded);
    expect(outputs['changes-path']).toBe(changesPath);
    const page = readFileSync(outputs['changes-page'] ?? '', 'utf8');
    expect(page).toContain('1 lost address</h2>');
    const exports = [
      ...page.matchAll(/<dt>(\w+)<\/dt><dd>commit <code>\w{12}<\/code>, ([\w ]+) \d{4}-\d\d-\d\d/g),
    ];
    expect(exports.map(([, name, when]) => [name, when])).toEqual([
      ['Now', 'received'],
      ['Before', 'in place since'],
    ]);
    expect(page).toContain('<p dir="auto">Text of page <ins>one.</ins></p>');
  });

  it('A redirect below the path of live-url keeps an address', async () => {
    await using site = await startSite();
    await site.export();
    site.remove('guide/page-2.md');
    site.write({ _redirects: '/docs/guide/page-2 /docs/guide/page-1\n' });
    const url = `${site.world.platform.url}/docs`;
    const live = { url, timeoutMs: 0, onNotLive: 'warn', headers: {} } as const;
    const { recorded } = await site.export({ live });
    expect(recorded.comparison?.lost).toMatchObject([{ redirect: '/guide/page-1' }]);
  });

  it('No bundle is downloaded unless compare-with needs it', async () => {
    await using site = await startSite();
    await site.export();
    const bundles = () =>
      site.world.platform.requests.filter(({ path }) => path.startsWith('/storage/')).length;
    const before = bundles();
    await site.export(UNCOMPARED);
    expect(bundles()).toBe(before);
    await site.export();
    expect(bundles()).toBe(before + 2);
  });

  it('Only the files of changes stay on disk', async () => {
    await using site = await startSite();
    await site.export();
    await site.export();
    expect(
      site.world
        .files()
        .filter((path) => !/docs-courier-changes-\w+(\/changes\.(json|html))?$/.test(path)),
    ).toEqual([]);
  });

  it("The export continues if the live export's bundle cannot be downloaded again", async () => {
    await using site = await startSite();
    const first = await site.export();
    site.loseBundle(first.recorded.jobId);
    const { facts, recorded } = await site.export();
    expect(facts.status).toBe('completed');
    expect(recorded.notCompared).toContain('could not be downloaded again');
    expect(site.logged()).toContain('could not be compared with the one that is live');
  });

  it('The job that is already live has no changes', async () => {
    await using site = await startSite();
    const first = await site.export();
    const { recorded } = await site.export({ exportJobId: first.recorded.jobId });
    expect(recorded.changes).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 10 });
  });

  it('An export is compared with the live export, and not with one that was held back', async () => {
    await using site = await startSite();
    const first = await site.export();
    site.remove('guide/page-2.md', 'guide/page-3.md');
    expect((await site.export({ minPages: 9 })).error).toMatchObject({ code: 'checks-failed' });
    site.write({
      'guide/page-2.md': SITE['guide/page-2.md'] ?? '',
      'guide/page-3.md': SITE['guide/page-3.md'] ?? '',
    });
    const { recorded } = await site.export({ minPages: 9 });
    expect(recorded.comparison).toMatchObject({
      from: { jobId: first.recorded.jobId },
      removed: [],
      added: [],
    });
  });
});

describe('two exports of the same content', () => {
  it('Two exports of the same content have no changes, although every page has another build hash and date', async () => {
    const docs = join(import.meta.dirname, '../../docs/how-to');
    await using world = await startWorld({ platform: { sites: { acme: docs } } });
    const bundle = (name: string) =>
      bundleInputs({ bundlePath: join(world.runnerTemp, `${name}/docs.tar.gz`) });
    const to = makeDestination();
    await world.export({ to, bundle: bundle('one') });
    world.clock.advance(36 * 3_600_000);
    const { recorded } = await world.export({ to, bundle: bundle('two'), compareWith: PREVIOUS });
    const hashes = ['one', 'two'].map((name) =>
      pageHashes(join(world.runnerTemp, `${name}/docs.tar.gz.manifest.json`)),
    );
    const [one, two] = hashes;
    expect(one?.size).toBeGreaterThan(20);
    expect([...(one ?? [])].filter((hash) => two?.has(hash))).toEqual([]);
    expect(recorded.changes).toMatchObject({
      basis: 'content',
      added: 0,
      removed: 0,
      moved: 0,
      changed: 0,
      unchanged: one?.size,
      assets: { added: 0, removed: 0, changed: 0 },
    });
  });

  function pageHashes(manifest: string): Set<string> {
    const { files }: { files: { path: string; sha256: string }[] } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    );
    // It has no script, and no footer.
    const pages = files.filter(({ path }) => path.endsWith('.html') && path !== '404.html');
    return new Set(pages.map(({ sha256 }) => sha256));
  }
});

describe('an export that breaks a rule', () => {
  const rules: readonly [string, Partial<ExportInputs>, string, boolean][] = [
    [
      'min-pages',
      { minPages: 8, ...UNCOMPARED },
      'The export has 7 pages, and min-pages is 8',
      false,
    ],
    [
      'max-page-drop as a share, without a download',
      { ...MOST_DROP, ...UNCOMPARED },
      'The export has 7 pages, 3 fewer (30.0%) than the 10 of the earlier one, and max-page-drop is 10%',
      false,
    ],
    [
      'max-page-drop as a number, compared',
      { maxPageDrop: { unit: 'pages', most: 2 } },
      '3 fewer (30.0%) than the 10 of the earlier one, and max-page-drop is 2 pages',
      true,
    ],
    [
      'required-pages',
      {
        requiredPages: { pages: ['/', '/guide/page-1', '/guide/page-8', '/api/**'] },
        ...UNCOMPARED,
      },
      '2 of 4 in required-pages are missing: no file and no destination was changed.\n- required-pages: /guide/page-8, /api/**',
      true,
    ],
    [
      'forbid-lost-addresses',
      { forbidLostAddresses: 'fail' },
      '3 addresses have no page and no redirect any more: no file and no destination was changed.\n- forbid-lost-addresses: /guide/page-6, /guide/page-7, /guide/page-8',
      true,
    ],
    ['max-size', { maxSizeBytes: 2048, ...UNCOMPARED }, 'and max-size is 2.0 KiB', true],
  ];

  it.each(rules)(
    'An export that breaks a rule (%s) is held back, and secret, state, folder and archive stay unchanged',
    async (_, rule, text, downloads) => {
      await using site = await startSite();
      await site.export(UNCOMPARED);
      site.remove('guide/page-6.md', 'guide/page-7.md', 'guide/page-8.md');
      const { world } = site;
      const live = world.secret();
      const { workspace } = world;
      const bundle = bundleInputs({
        extractTo: join(workspace, 'site'),
        bundlePath: join(workspace, 'd.tgz'),
      });
      const { error, recorded } = await site.export({ ...rule, ...(downloads && { bundle }) });
      expectError(error, { code: 'checks-failed', message: text });
      expect(recorded.guard?.verdict).toBe('failed');
      expect(recorded.jobId).toMatch(/./);
      expect(outputsOf('export', recorded)['bundle-url']).toBeUndefined();
      expect(world.secret()).toBe(live);
      expect(world.files().filter((path) => path.startsWith('workspace/'))).toEqual([]);
      const { facts } = await site.export({ ...rule, force: true }, BY_HAND);
      expect(facts.status).toBe('completed');
      expect(world.secret()).not.toBe(live);
    },
  );

  it('An export that is held back lists every rule that it breaks', async () => {
    await using site = await startSite({ 'index.md': '# A' });
    const { error } = await site.export({ minPages: 2, requiredPages: { pages: ['/guide'] } });
    expect(error?.message).toBe(
      'The export has 1 page, and min-pages is 2; 1 of 1 in required-pages is missing: no file and no destination was changed.\n- required-pages: /guide',
    );
    expect(error?.hint).toMatchObject({ inputs: { force: 'true' } });
  });
});

describe('the input force', () => {
  it('The input force is an error on an event that no person starts, before anything is started', async () => {
    await using site = await startSite();
    const { error } = await site.export({ force: true });
    expectError(error, { code: 'config', message: 'runs on push' });
    // The same words are read in GitLab and on the command line.
    expect(error?.hint).not.toContain('workflow');
    expect(site.world.calls(START)).toEqual([]);
  });

  it('The input force is shown in the log, in the report, in the summary and in the history', async () => {
    await using site = await startSite();
    const { recorded } = await site.export({ minPages: 11, force: true }, BY_HAND);
    expect(recorded.guard).toMatchObject({
      verdict: 'forced',
      checks: [{ name: 'min-pages', outcome: 'failed' }],
    });
    expect(site.logged()).toContain('Published although checks failed');
    expect(recorded.exports?.[0]).toMatchObject({ job: recorded.jobId, forced: true });
  });
});

describe('a rule that cannot be checked', () => {
  const MOST = { ...MOST_DROP, forbidLostAddresses: 'fail' } as const;

  it('A rule that cannot be checked passes before the first export', async () => {
    await using site = await startSite();
    expect((await site.export(MOST)).facts.status).toBe('completed');
  });

  it('A rule that cannot be checked fails if the live export can no longer be compared', async () => {
    await using site = await startSite();
    const first = await site.export();
    site.loseBundle(first.recorded.jobId);
    const { error } = await site.export({ forbidLostAddresses: 'fail' });
    expect(error?.message).toContain('forbid-lost-addresses could not be checked');
    expect((await site.export({ forbidLostAddresses: 'warn' })).facts.status).toBe('completed');
  });

  it.each([
    ['max-page-drop', MOST_DROP],
    ['forbid-lost-addresses', { forbidLostAddresses: 'fail' }],
  ] as const)('The rule %s fails if the stored state was replaced', async (name, rule) => {
    await using site = await startSite();
    await site.export();
    site.world.github.setVariable(
      { scope: 'repository', repository: 'acme/docs' },
      {
        name: 'DOCS_BUNDLE_URL_STATE',
        value: '{"version":2,"baseUrl":"https://api.example.com","signature":"forged"}',
      },
    );
    const { error } = await site.export(rule);
    expect(error?.message).toContain(`${name} could not be checked: The state is ignored because`);
  });

  it('A rule fails in a destination whose state cannot be written: no export there would be the first one', async () => {
    await using site = await startSite();
    site.world.github.setToken(SECRET_TOKEN, { permissions: { secrets: 'write' } });
    const none = { ...UNCOMPARED, ...MOST_DROP };
    for (const rule of [none, { forbidLostAddresses: 'fail' }] as const) {
      const { error } = await site.export(rule);
      expect(error?.message).toContain('could not be checked: The variable');
    }
  });

  it('A rule stops a shrunken export again if a new destination comes first', async () => {
    await using site = await startSite();
    await site.export();
    site.remove('guide/page-1.md', 'guide/page-2.md');
    const { addresses, credentials } = makeDestination();
    const both = [...makeDestination({ name: 'NEW_URL' }).addresses, ...addresses];
    const to = { addresses: both, credentials };
    for (const runId of ['502', '503']) {
      const { error } = await site.export({ to, ...MOST }, { run: { runId } });
      expect(error?.message).toContain('2 fewer (20.0%)');
    }
  });

  it('A rule uses the platform’s count of the live job if the state has none', async () => {
    await using site = await startSite();
    await site.world.platform.addExportJob({ jobId: 'job-1' });
    await site.export({ exportJobId: 'job-1', ...UNCOMPARED });
    site.remove('guide/page-1.md', 'guide/page-2.md');
    const { error } = await site.export({
      ...MOST,
      forbidLostAddresses: 'off',
      ...UNCOMPARED,
    });
    expect(error?.message).toContain('2 fewer (20.0%)');
  });
});

describe('a dry run', () => {
  it('A dry run shows the verdict on a finished export as far as it can be known', async () => {
    await using site = await startSite();
    await site.export();
    site.remove('guide/page-1.md', 'guide/page-2.md');
    await site.world.platform.addExportJob({ jobId: 'job-2' });
    const limits = { ...MOST_DROP, maxSizeBytes: 2048 };
    const { facts, recorded } = await site.export({
      ...limits,
      exportJobId: 'job-2',
      dryRun: true,
    });
    expect(facts.status).toBe('completed');
    expect(recorded.guard).toMatchObject({
      verdict: 'failed',
      checks: [
        { name: 'min-pages', outcome: 'passed' },
        { name: 'max-page-drop', outcome: 'failed' },
        { name: 'max-size', outcome: 'not-checked' },
      ],
    });
    expect(facts.planned?.map(({ action }) => action)).toContain(
      'make a bundle link, to compare with',
    );
  });
});

describe('a dry run of an export that is not started', () => {
  it('A dry run without an export says that the page count is unknown, and does not fail', async () => {
    await using site = await startSite();
    await site.export();
    const { recorded } = await site.export({ ...MOST_DROP, dryRun: true });
    const unknown = { outcome: 'not-checked', detail: 'Known when the export has finished' };
    expect(recorded.guard).toEqual({
      verdict: 'passed',
      checks: [
        { name: 'min-pages', ...unknown },
        { name: 'max-page-drop', ...unknown },
      ],
    });
  });
});

describe('a manifest', () => {
  async function keepFirst(site: ChangingSite): Promise<string> {
    const bundle = bundleInputs({ bundlePath: join(site.world.runnerTemp, 'kept/docs.tar.gz') });
    await site.export({ bundle, to: undefined, ...UNCOMPARED });
    return join(site.world.runnerTemp, 'kept/docs.tar.gz.manifest.json');
  }

  it('A manifest from an export is compared by hashes, from a path', async () => {
    await using site = await startSite();
    const path = await keepFirst(site);
    site.write({ 'guide/page-1.md': '# Page 1\n\nOther text.' });
    const { recorded } = await site.export({ compareWith: { kind: 'file', path }, to: undefined });
    expect(recorded.comparison).toMatchObject({
      basis: 'hashes',
      added: [],
      removed: [],
      // Each page has another build hash, which only the text of both could show as unchanged.
      unchanged: 0,
    });
    const { changed = [] } = recorded.comparison ?? {};
    expect(changed).toHaveLength(10);
    expect(changed[2]).toMatchObject({ path: '/guide/page-1', title: 'Page 1' });
  });

  const other = JSON.stringify({
    version: 1,
    site: 'other.example.com',
    exportJobId: 'job-0',
    files: [],
  });
  const large = (path: string) => truncateSync(path, 500 * 1024 * 1024);

  it.each<[string, string | undefined, string, ((path: string) => void)?]>([
    ['is invalid', 'not json', 'compare-with: m.json is not JSON. Nothing was started.'],
    [
      'is of another site',
      other,
      `m.json is of the site other.example.com, and this export is of ${DOMAIN}`,
    ],
    ['is too large', '', 'is larger than', large],
    ['is missing', undefined, 'there is no file m.json'],
  ])(
    'A manifest that %s fails before anything is started',
    async (_, text, problem, change = () => {}) => {
      await using site = await startSite();
      const path = join(site.world.workspace, 'm.json');
      if (text !== undefined) change(site.world.write('m.json', text));
      const { error } = await site.export({ compareWith: { kind: 'file', path } });
      expectError(error, { code: 'config', message: problem });
      expect(site.world.calls(START)).toEqual([]);
    },
  );
});

describe('the file of required-pages', () => {
  it('The file of required-pages has one address per line, with comments', async () => {
    await using site = await startSite();
    const file = site.world.write(
      'required.txt',
      '# must stay\n/\n/guide/page-*  # all of them\n/sitemap.xml\n\n',
    );
    expect((await site.export({ requiredPages: { file } })).facts.status).toBe('completed');
  });

  it('A page of required-pages is found in the other Unicode form of its name, and not without its accents', async () => {
    const names = ['début', 'Übersicht', '설치'];
    const files = Object.fromEntries(
      names.map((name) => [`${name.normalize('NFD')}.md`, `# ${name}`]),
    );
    await using site = await startSite({ 'index.md': '# A', ...files });
    const composed = names.map((name) => `/${name.normalize('NFC')}`);
    const pages = [...composed, encodeURI('/début'), '/d*but', '/debut'];
    const { error } = await site.export({ requiredPages: { pages } });
    expect(error?.message).toContain('1 of 6 in required-pages is missing');
    expect(error?.message).toContain('- required-pages: /debut');
  });

  it('An address of required-pages may have escaped characters, also those that mean something in an address', async () => {
    await using site = await startSite({ 'index.md': '# A', 'about c#.md': '# C sharp' });
    const pages = ['/about%20c%23', '/100%'];
    const { error } = await site.export({ requiredPages: { pages } });
    expect(error?.message).toContain('1 of 2 in required-pages is missing');
    expect(error?.message).toContain('- required-pages: /100%');
  });

  it.each([
    ['guide/start', 'line 1 is not the address of a page: guide/start'],
    ['# nothing', 'names no page'],
  ])('A file of required-pages with %s fails before anything is started', async (text, problem) => {
    await using site = await startSite();
    const { error } = await site.export({
      requiredPages: { file: site.world.write('required.txt', text) },
    });
    expectError(error, { code: 'config', message: problem });
    expect(site.world.calls(START)).toEqual([]);
  });
});
