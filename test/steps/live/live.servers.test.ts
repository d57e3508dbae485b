import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/ground/clock.ts';
import type { LiveInputs } from '../../../src/inputs/inputs.ts';
import { makeComparedSite } from '../../../src/site/compare/compared-site.ts';
import { LiveCheck } from '../../../src/steps/live/step.ts';
import type { LiveFacts } from '../../../src/steps/live/summary.ts';
import { tarGz } from '../../site/archives.ts';
import { expectError } from '../../support/failure.ts';
import {
  type Answer,
  cachingEdge,
  type SiteRequest,
  startLiveSite,
  staticHost,
} from '../../support/live-site.ts';
import { bundleInputs, makeDestination } from '../../support/make-inputs.ts';
import type { RunOptions } from '../../support/world/run.ts';
import { startWorld, type World, type WorldOptions } from '../../support/world.ts';

const page = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body class="docs"><nav><a href="/">Home</a> <a href="/guide/start.html">Start</a></nav><main><h1>${title}</h1><p>${text}</p></main><footer>Acme</footer></body></html>`;

const OLD = {
  'index.html': page('Docs', 'Welcome to version 1.'),
  'install.html': page('Install', 'One command, and then another one.'),
  'guide/index.html': page('Guides', 'All guides.'),
  'guide/start.html': page('Start', 'Start with version 1 of the program.'),
};
const NEW = {
  ...OLD,
  'index.html': page('Docs', 'Welcome to version 2.'),
  'install.html': page('Install', 'One command.'),
  'guide/start.html': page('Start', 'Start with version 2 of the program.'),
};

async function startExported(
  files: Readonly<Record<string, string>> = NEW,
  options: WorldOptions = {},
): Promise<World> {
  const world = await startWorld(options);
  await world.platform.addExportJob({ jobId: 'job-2', archive: archiveOf(files) });
  return world;
}

function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  return tarGz(Object.entries(files).map(([name, content]) => ({ name, content })));
}

/** A deployment that serves the new site some seconds after its secret has the link. */
function deployment(world: World, afterS = 0): Answer {
  let delivered: number | undefined;
  return staticHost(() => {
    if (world.secret() !== undefined) delivered ??= world.clock.now();
    return delivered !== undefined && world.clock.now() - delivered >= afterS * 1000 ? NEW : OLD;
  });
}

/** The inputs for a check of this site. */
function liveOf({ url }: { readonly url: string }, change: Partial<LiveInputs> = {}): LiveInputs {
  return { url, timeoutMs: 300_000, onNotLive: 'fail', headers: {}, ...change };
}

function publish(
  world: World,
  site: { readonly url: string },
  change: Partial<LiveInputs> = {},
  options: RunOptions = {},
) {
  const live = liveOf(site, change);
  return world.export({ exportJobId: 'job-2', to: makeDestination(), live }, options);
}

/** The outcome of each page. */
function outcomes(facts: Awaited<ReturnType<typeof publish>>['facts']): Record<string, string> {
  return Object.fromEntries((facts.live?.pages ?? []).map(({ path, outcome }) => [path, outcome]));
}

const ALL_LIVE = { '/': 'live', '/guide': 'live', '/guide/start': 'live', '/install': 'live' };
const isFresh = ({ path }: SiteRequest) => path.includes('docs-courier=');
/** The path of a request without its query. */
const bare = ({ path }: SiteRequest) => path.split('?')[0] ?? '';

describe('a site that uses the link', () => {
  it('A site is live once every page shows the export', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(deployment(world, 20));
    const { facts, error, log } = await publish(world, site);
    expect(error).toBeUndefined();
    expect(facts.live).toMatchObject({ live: true, since: 'delivery' });
    expect(facts.live?.sameBefore).toBeUndefined();
    expect(facts.live?.afterSeconds).toBeGreaterThanOrEqual(20);
    expect(facts.live?.rounds).toBeGreaterThan(3);
    expect(outcomes(facts)).toEqual(ALL_LIVE);
    expect(log.text('info')).toContain('1 of 4 pages shows the export');
    expect(log.text('info')).toContain(`${site.url} shows the export, `);
  });

  it('The check of the site needs neither bundle-path nor extract-to, and leaves no file', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(deployment(world));
    const { facts } = await publish(world, site);
    expect(outcomes(facts)).toEqual(ALL_LIVE);
    expect(world.files()).toEqual([]);
  });

  it('A site is not live if one of several servers still has the earlier pages', async () => {
    await using world = await startExported();
    const [old, fresh] = [staticHost(() => OLD), staticHost(() => NEW)];
    let turn = 0;
    await using site = await startLiveSite((request) => {
      if (isFresh(request) || request.path !== '/install.html') return fresh(request);
      turn += 1;
      return turn % 2 === 0 ? fresh(request) : old(request);
    });
    const { facts } = await publish(world, site, { onNotLive: 'warn' });
    expect(facts.live?.live).toBe(false);
  });

  it('A site without a changed page is reported as the same as before', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => NEW));
    const { facts, log } = await publish(world, site);
    expect(facts.live).toMatchObject({ live: true, sameBefore: true, rounds: 1 });
    expect(log.text('info')).toContain('none of the pages that were fetched has changed');
  });

  it.each([
    ['a'.repeat(40), 'merge', 90],
    [undefined, 'delivery', 5],
  ] as const)(
    'With the published commit %s, the time until a site is live counts from the %s',
    async (contentCommit, since, seconds) => {
      await using world = await startExported();
      await using site = await startLiveSite(staticHost(() => NEW));
      for (const [path, text] of Object.entries(NEW)) world.write(`site/${path}`, text);
      const change = { kind: 'merge', time: new Date(world.clock.now() - 90_000) } as const;
      const recorded: LiveFacts[] = [];
      const deps = world.deps<{ live: LiveFacts }>({ ci: { change } })(
        ({ live }) => void recorded.push(...(live ? [live] : [])),
      );
      const check = new LiveCheck(
        { baseUrl: world.platform.url, bundle: bundleInputs({}), add: [] },
        liveOf(site),
        deps,
      );
      const files = Object.keys(NEW).map((path) => ({ path, bytes: 0, sha256: undefined }));
      const exported = makeComparedSite('job-1', files, `${world.workspace}/site`);
      await check.inspect({ bundle: { site: exported, comparison: undefined } });
      await check.after({ deliveredMs: world.clock.monotonicMs() - 5000, contentCommit });
      expect(recorded).toMatchObject([{ live: true, since, afterSeconds: seconds }]);
    },
  );
});

describe('a site without the export', () => {
  it('A site that hangs does not delay the run for longer than live-timeout, and what it showed before is reported', async () => {
    await using world = await startExported(NEW, { clock: 'system' });
    const old = staticHost(() => OLD);
    let answers = 0;
    let deliveredMs = 0;
    await using site = await startLiveSite((request) => {
      if (world.secret() === undefined) return old(request);
      deliveredMs ||= systemClock.monotonicMs();
      answers += 1;
      return answers > 8 ? new Promise(() => {}) : old(request);
    });
    const { facts } = await publish(world, site, { timeoutMs: 3500, onNotLive: 'warn' });
    // Before, a hanging page had ten seconds more.
    expect(systemClock.monotonicMs() - deliveredMs).toBeLessThan(9000);
    expect(outcomes(facts)).toMatchObject({ '/': 'differs', '/install': 'differs' });
  });

  it('A site that resets connections is reported as such, and not by a last round that had no time', async () => {
    await using world = await startExported(NEW, { clock: 'system' });
    await using site = await startLiveSite(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return { isReset: true };
    });
    const { error } = await publish(world, site, { timeoutMs: 2500 });
    expect(error?.message).toContain('ECONNRESET');
    expect(error?.message).not.toContain('time limit of 0');
  });

  it('A site without the export fails the run, which lists pages and words; the link stays delivered', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const { facts, error } = await publish(world, site);
    expectError(error, {
      code: 'checks-failed',
      message: `${site.url} did not show the export within 5m: 3 of 4 pages differ.`,
    });
    expectError(error, {
      message:
        /- \/guide\/start: it has \d\d % of the exported words; missing: "2"; not in the export: "1"/,
      hint: 'What was delivered stays.',
    });
    expect(facts.live).toMatchObject({ live: false, afterSeconds: undefined });
    expect(world.secret()).toBeDefined();
  });

  it('If a later step deploys the site, the error says to compare after it', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const { error } = await world.export({ exportJobId: 'job-2', live: liveOf(site) });
    expect(error?.code).toBe('checks-failed');
    expect(error?.hint).toContain('compare after that, in a step with mode: refresh');
    expect(error?.hint).not.toContain('delivered stays');
  });

  it('A site without the export is a warning with on-not-live: warn', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const { facts, error, log } = await publish(world, site, { onNotLive: 'warn' });
    expect([error, facts.status, facts.live?.live]).toEqual([undefined, 'completed', false]);
    expect(log.text('warning')).toContain('did not show the export within 5m');
  });

  it('A site without the export is checked less and less often, and once more at the end of the time', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const before = world.clock.sleeps.length;
    const { facts } = await publish(world, site, { onNotLive: 'warn' });
    const waits = world.clock.sleeps.slice(before).filter((ms) => ms >= 2000);
    expect(waits.slice(0, -1)).toEqual(waits.slice(0, -1).toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBe(30_000);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(290_000);
    expect(facts.live?.rounds).toBeLessThan(25);
  });

  it.each<[string, Answer, RegExp, RegExp]>([
    [
      'an application that answers every address',
      () => ({ body: page('App', 'Loading') }),
      /words/,
      /address of the published site/,
    ],
    ['pages at another path', () => ({ status: 404 }), /answered 404/, /address of the start page/],
    [
      'redirects without end',
      (request) => ({ status: 302, headers: { location: `${bare(request)}x` } }),
      /more than 5 redirects/,
      /live-headers/,
    ],
  ])('The error shows why a site is not live: %s', async (_, answer, sign, advice) => {
    await using world = await startExported();
    await using site = await startLiveSite(answer);
    const { error } = await publish(world, site, { timeoutMs: 0 });
    expectError(error, { code: 'checks-failed', message: sign, hint: advice });
  });

  it('A site that is down is not waited for once per page', async () => {
    await using world = await startExported(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`p${at}.html`, page(`P${at}`, 'Text.')]),
      ),
    );
    await using site = await startLiveSite(() => ({
      headers: { 'content-encoding': 'nonsense' },
      body: 'x',
    }));
    const { error, facts } = await publish(world, site, { timeoutMs: 0 });
    expect(error?.code).toBe('checks-failed');
    expect(facts.live?.pages).toHaveLength(20);
    // One before anything starts, one for its stamp before the delivery, and four pages after it.
    expect(site.requests).toHaveLength(6);
  });

  it('A cancelled check of the site ends the run immediately, with the link delivered', async () => {
    await using world = await startExported();
    const controller = new AbortController();
    await using site = await startLiveSite(() => {
      if (world.secret() !== undefined) controller.abort();
      return { body: page('Docs', 'Welcome to version 1.') };
    });
    const { error, facts } = await publish(world, site, {}, { signal: controller.signal });
    expect([error?.code, facts.delivery?.updated, facts.live]).toEqual([
      'cancelled',
      true,
      undefined,
    ]);
  });

  it('A site with Retry-After is left alone for that time', async () => {
    await using world = await startExported();
    const host = deployment(world);
    let busyUntil = 0;
    await using site = await startLiveSite((request) => {
      if (world.secret() !== undefined) busyUntil ||= world.clock.now() + 77_000;
      const isBusy = world.clock.now() < busyUntil;
      return isBusy ? { status: 503, headers: { 'retry-after': '77' } } : host(request);
    });
    const { facts } = await publish(world, site);
    expect(facts.live).toMatchObject({ live: true, rounds: 2 });
    expect(world.clock.sleeps).toContain(77_000);
  });
});

/** A page as React sends it if its content is long: the content comes behind the footer. */
const streamed = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--></main><footer>Acme</footer><div hidden id="S:0"><h1>${title}</h1><p>${text}</p></div><script>$RC("B:0","S:0")</script></body></html>`;

describe('a site whose pages come in parts or without a text', () => {
  it('A site that has the old text of a page whose content comes behind it is not live', async () => {
    const files = { ...NEW, 'install.html': streamed('Install', 'Every thirty days.') };
    const old = { ...NEW, 'install.html': streamed('Install', 'Every ninety days.') };
    await using world = await startExported(files);
    await using site = await startLiveSite(staticHost(() => old));
    const { facts, error } = await publish(world, site);
    expect(outcomes(facts)).toEqual({ ...ALL_LIVE, '/install': 'differs' });
    expect(error?.message).toContain('missing: "thirty"; not in the export: "ninety"');
  });

  it.each(['', 'Please wait…'])(
    'A page that a script fills is not counted as shown, and named by a warning: "%s"',
    async (text) => {
      const app = `<title>App</title><div id="app">${text}</div><script>run()</script>`;
      const files = { ...NEW, 'install.html': app };
      await using world = await startExported(files);
      await using site = await startLiveSite(staticHost(() => files));
      const { facts, log } = await publish(world, site);
      expect(facts.live).toMatchObject({ live: true, notJudged: 1 });
      expect(Object.keys(outcomes(facts))).not.toContain('/install');
      expect(log.text('warning')).toContain('1 more page of the sample has no text');
    },
  );

  it('A site of which every page comes without its parts is not live', async () => {
    const files = { 'index.html': streamed('Docs', 'Text').replace(/<script>.*<\/script>/, '') };
    await using world = await startExported(files);
    await using site = await startLiveSite(staticHost(() => files));
    const { facts, error } = await publish(world, site);
    expect(facts.live?.live).toBe(false);
    expect(error?.message).toContain('none of its pages has a visible text');
  });
});

describe('a site with a sitemap', () => {
  const SITEMAP = `<urlset>${['', 'install', 'guide/start'].map((path) => `<url><loc>https://acme.example.com/${path}</loc></url>`).join('')}</urlset>`;
  const files = { ...NEW, 'sitemap.xml': SITEMAP };
  /** Serves files by their names alone, but for these addresses. */
  const bareHost =
    (...found: readonly string[]): Answer =>
    (request) => {
      const path = bare(request);
      const isFile = /\/$|\.html$/.test(path) || found.includes(path);
      return isFile ? staticHost(() => files)(request) : { status: 404 };
    };

  it('Pages at addresses with .html are live, and one warning says that those of the sitemap are not there', async () => {
    await using world = await startExported(files);
    await using site = await startLiveSite(bareHost());
    const { facts, log, error } = await publish(world, site);
    expect([error, facts.live?.live]).toEqual([undefined, true]);
    expect(log.text('warning')).toContain('2 addresses of compared pages answered 404');
    expect(log.text('warning')).toContain(`${site.url}/install`);
  });

  it.each([
    ['one address of the sitemap is there', bareHost('/guide/start')],
    ['all are there', staticHost(() => files)],
  ])('No warning is given if %s', async (_, answer) => {
    await using world = await startExported(files);
    await using site = await startLiveSite(answer);
    const { facts, log } = await publish(world, site);
    expect(facts.live?.live).toBe(true);
    expect(log.text('warning')).not.toContain('answered 404');
  });
});

describe('a site with rules in _redirects', () => {
  const rules = '/old /guide/start\n/outside https://example.com/\n/dead /nowhere\n/install /\n';
  const files = { ...NEW, _redirects: rules };

  it('A host that does not follow them is one warning', async () => {
    await using world = await startExported(files);
    await using site = await startLiveSite(staticHost(() => files));
    const { facts, log } = await publish(world, site);
    expect(facts.live?.live).toBe(true);
    expect(log.text('warning')).toContain(
      `The site does not follow _redirects: addresses of its rules answered 404, such as ${site.url}/old.`,
    );
    expect(site.requests.map((request) => bare(request))).not.toContain('/dead');
  });

  it.each([
    ['redirects', { status: 301, headers: { location: '/guide/start' } }],
    ['is down for an address', { status: 503 }],
  ])('No warning is given if the host %s', async (_, answer) => {
    await using world = await startExported(files);
    const host = staticHost(() => files);
    await using site = await startLiveSite((request) =>
      bare(request) === '/old' ? answer : host(request),
    );
    const { facts, log } = await publish(world, site);
    expect(facts.live?.live).toBe(true);
    expect(log.text('warning')).not.toContain('_redirects');
  });
});

describe('a redirect', () => {
  it('A redirect to another origin is not followed, and nothing is sent there', async () => {
    await using world = await startExported();
    await using login = await startLiveSite(() => ({
      body: page('Docs', 'Welcome to version 2.'),
    }));
    await using site = await startLiveSite(() => ({
      status: 302,
      headers: { location: `${login.url}/login?next=/` },
    }));
    const { error, log } = await publish(world, site, {
      timeoutMs: 0,
      headers: { authorization: 'Bearer canary-token-0123456789' },
    });
    expectError(error, {
      message: `the site redirects to another origin, ${login.url}, which is not followed`,
      hint: 'live-headers',
    });
    expect(login.requests).toEqual([]);
    expect(
      site.requests.every(
        ({ headers }) => headers.authorization === 'Bearer canary-token-0123456789',
      ),
    ).toBe(true);
    expect(log.text()).not.toContain('canary-token');
    expect(log.text('warning')).toContain('shows no page yet');
  });

  it('A redirect on the same origin is followed, as sites without file endings need it', async () => {
    await using world = await startExported();
    const host = deployment(world);
    await using site = await startLiveSite((request) => {
      const path = bare(request);
      return path.endsWith('.html')
        ? { status: 308, headers: { location: path.slice(0, -5) } }
        : host(request);
    });
    const { facts } = await publish(world, site);
    expect(outcomes(facts)).toEqual(ALL_LIVE);
  });
});

describe('a cache in front of the site', () => {
  function edgeOf({ clock }: World, host: Answer, maxAgeS: number): Answer {
    return cachingEdge(host, { maxAgeS, now: clock.now, key: ({ path }) => path });
  }

  it.each([
    ['', false],
    [' if the site redirects', true],
  ])('The check does not fill a cache with earlier pages%s', async (_, redirects) => {
    await using world = await startExported();
    const pages = deployment(world, 10);
    const host: Answer = (request) => {
      const path = bare(request);
      const isMoved = redirects && path.endsWith('.html');
      return isMoved ? { status: 301, headers: { location: path.slice(0, -5) } } : pages(request);
    };
    await using site = await startLiveSite(edgeOf(world, host, 3600));
    const { facts } = await publish(world, site);
    expect(outcomes(facts)).toEqual(ALL_LIVE);
  });

  it('A cache may refuse requests with an unknown query, or remove the query', async () => {
    await using world = await startExported();
    const pages = deployment(world);
    await using strict = await startLiveSite((request) =>
      isFresh(request) ? { status: 403 } : pages(request),
    );
    expect(outcomes((await publish(world, strict)).facts)).toEqual(ALL_LIVE);
    await using tidy = await startLiveSite((request) =>
      isFresh(request) ? { status: 301, headers: { location: bare(request) } } : pages(request),
    );
    expect(outcomes((await publish(world, tidy)).facts)).toEqual(ALL_LIVE);
  });

  it('The check waits for a cache that serves its copy, because readers get the copy too', async () => {
    await using world = await startExported();
    const edge = edgeOf(world, deployment(world), 120);
    await edge({ path: '/install.html', headers: {} });
    await using site = await startLiveSite(edge);
    const { facts } = await publish(world, site);
    expect(facts.live?.live).toBe(true);
    expect(facts.live?.afterSeconds).toBeGreaterThan(60);
  });

  it('A cache is named by its headers, with the time that its copy remains', async () => {
    await using world = await startExported();
    const edge = edgeOf(world, deployment(world), 86_400);
    await edge({ path: '/install.html', headers: {} });
    await using site = await startLiveSite(edge);
    const { error, facts } = await publish(world, site);
    expect(outcomes(facts)).toEqual({ ...ALL_LIVE, '/install': 'cached' });
    expectError(error, {
      message:
        /\/install: the site has the export, but a cache serves something else, for another 23 h \d+ min; .*cache-control: max-age=86400.*x-cache: HIT/,
      hint: 'purge the cache',
    });
  });
});

describe('the exported sites', () => {
  it('The check fails if no page has text to compare', async () => {
    await using world = await startExported({
      'index.html': '<script>render()</script>',
      'a.html': '<meta http-equiv="refresh" content="0; url=/b"><p>Moved</p>',
    });
    await using site = await startLiveSite(() => ({ body: '<h1>Anything</h1>' }));
    const { error } = await publish(world, site);
    expectError(error, { code: 'checks-failed', message: 'none of its pages has a visible text' });
  });
});

describe('the pages that are fetched', () => {
  it('Pages that changed since the previous export are fetched first, if exports are compared', async () => {
    const many = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 90 }, (_, at) => [
          `api/p${100 + at}.html`,
          page(`P${at}`, at === 33 ? text : 'Same.'),
        ]),
      );
    await using world = await startExported({ ...NEW, ...many('The second.') });
    const first = { ...NEW, ...many('The first.') };
    await world.platform.addExportJob({ jobId: 'job-1', archive: archiveOf(first) });
    await world.export({ exportJobId: 'job-1', to: makeDestination(), minPages: 0 });
    await using site = await startLiveSite(staticHost(() => first));
    const { facts } = await world.export({
      exportJobId: 'job-2',
      to: makeDestination(),
      live: liveOf(site, { timeoutMs: 0, onNotLive: 'warn' }),
      compareWith: { kind: 'previous' },
    });
    expect(facts.live?.pages).toHaveLength(20);
    expect(facts.live?.pages.slice(0, 2).map(({ path, outcome }) => [path, outcome])).toEqual([
      ['/', 'live'],
      ['/api/p133', 'differs'],
    ]);
  });
});

it('After a rollback the site is live when it shows the earlier export again', async () => {
  await using world = await startExported();
  await world.platform.addExportJob({ jobId: 'job-1', archive: archiveOf(OLD) });
  for (const exportJobId of ['job-1', 'job-2'])
    await world.export({ exportJobId, to: makeDestination(), minPages: 0 });
  await using site = await startLiveSite(staticHost(() => (site.requests.length < 30 ? NEW : OLD)));
  const { facts, error } = await world.rollback({ live: liveOf(site) });
  expect(error).toBeUndefined();
  expect(facts.jobId).toBe('job-1');
  expect(facts.live).toMatchObject({ live: true, since: 'delivery', sameBefore: undefined });
});

describe('runs without a check', () => {
  it('A dry run only tries the start page, and lists the rest', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => OLD));
    const live = liveOf(site);
    const { facts } = await world.export({ exportJobId: 'job-2', live, dryRun: true });
    expect(facts.planned).toContainEqual({
      action: 'fetch pages, to compare them with the export',
      target: site.url,
    });
    expect([site.requests.length, facts.live]).toEqual([1, undefined]);
  });

  it('A refresh that is not due checks no site; one that writes a fresh link compares with its export', async () => {
    await using world = await startExported();
    await using site = await startLiveSite(staticHost(() => NEW));
    const live = liveOf(site);
    await publish(world, site);
    const count = site.requests.length;
    const early = await world.refresh({ live, refreshBeforeMs: 60_000 });
    expect([early.facts.status, early.facts.live, site.requests.length]).toEqual([
      'completed',
      undefined,
      count,
    ]);
    const due = await world.refresh({ live });
    expect(due.facts.live).toMatchObject({ live: true, sameBefore: true });
  });
});
