import { describe, expect, it } from 'vitest';
import { findTool } from '../../../../scripts/examples/tools.ts';
import { tarGz } from '../../../site/archives.ts';
import { makeDestination } from '../../../support/make-inputs.ts';
import { startWorld, type World } from '../../../support/world.ts';
import { type Nginx, startNginx } from './nginx.ts';

const program = findTool('nginx');
if (program === undefined)
  console.warn('nginx is not installed: the live site is not tried behind one.');

const page = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body class="docs"><nav><a href="/">Home</a></nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
const OLD = {
  'index.html': page('Docs', 'Welcome to version 1.'),
  'guide/index.html': page('Guides', 'All of them.'),
  'guide/start.html': page('Start', 'Begin with version 1.'),
};
const NEW = {
  ...OLD,
  'index.html': page('Docs', 'Welcome to version 2.'),
  'guide/start.html': page('Start', 'Begin with version 2.'),
};

const BANNER = `proxy_set_header Accept-Encoding ""; sub_filter '<body class="docs">' '<body class="docs"><div>Internal use only</div>'; sub_filter '</body>' '<script>track()</script><p>Cookies</p></body>'; sub_filter_once off;`;

/**
 * Exports the new site to a deployment behind nginx that serves it as soon as the secret has the
 * link.
 */
async function publish(world: World, nginx: Nginx, url: string, timeoutMs = 60_000) {
  const archive = tarGz(Object.entries(NEW).map(([name, content]) => ({ name, content })));
  await world.platform.addExportJob({ jobId: 'job-2', archive });
  nginx.publish(OLD);
  const live = { url, timeoutMs, onNotLive: 'warn', headers: {} } as const;
  const { facts } = await world.export(
    { exportJobId: 'job-2', to: makeDestination(), live },
    { onRecord: ({ delivery }) => void (delivery?.updated === true && nginx.publish(NEW)) },
  );
  return facts.live;
}

describe.skipIf(program === undefined)('a site behind a real nginx', () => {
  it.each<[string, { readonly origin?: string; readonly edge?: string }]>([
    ['without changes', {}],
    [
      'with addresses without an ending',
      {
        origin:
          'rewrite ^/(.*)/index\\.html$ /$1/ permanent; rewrite ^/(?!.*index)(.*)\\.html$ /$1 permanent; try_files $uri/index.html $uri.html =404;',
      },
    ],
    ['with compression', { edge: 'gzip on; gzip_min_length 1; gzip_types text/html;' }],
    ['with an added banner and script on each page', { edge: BANNER }],
  ])('A site behind nginx is live %s', async (_, config) => {
    await using world = await startWorld();
    await using nginx = await startNginx(program ?? '', config);
    const live = await publish(world, nginx, nginx.edge);
    expect(live).toMatchObject({ live: true, sameBefore: undefined });
    expect(live?.pages.map(({ outcome }) => outcome)).toEqual(['live', 'live', 'live']);
  });

  it('A site with an empty cache is live immediately: the check does not fill it with earlier pages', async () => {
    await using world = await startWorld();
    await using nginx = await startNginx(program ?? '', {
      edge: 'proxy_cache pages; proxy_cache_valid 200 1h; add_header X-Cache $upstream_cache_status;',
    });
    expect(await publish(world, nginx, nginx.edge)).toMatchObject({ live: true });
  });

  it('A site whose cache has the earlier page is not live, and the cache is named', async () => {
    await using world = await startWorld();
    await using nginx = await startNginx(program ?? '', {
      edge: 'proxy_cache pages; proxy_cache_valid 200 1h; add_header X-Cache $upstream_cache_status; add_header Cache-Control "max-age=3600";',
    });
    nginx.publish(OLD);
    expect(await (await fetch(`${nginx.edge}/guide/start.html`)).text()).toContain('version 1');
    const live = await publish(world, nginx, nginx.edge, 5000);
    expect(live?.live).toBe(false);
    expect(live?.pages.find(({ path }) => path === '/guide/start')).toMatchObject({
      outcome: 'cached',
      missing: ['2.'],
      extra: ['1.'],
      cache: { 'x-cache': 'HIT', 'cache-control': 'max-age=3600' },
    });
  });

  it('A site that answers every address with its start page is not live', async () => {
    await using world = await startWorld();
    await using nginx = await startNginx(program ?? '', { origin: 'try_files $uri /index.html;' });
    nginx.publish(NEW);
    const live = await publish(world, nginx, `${nginx.origin}/elsewhere`, 0);
    expect(live?.live).toBe(false);
    expect(live?.pages.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['/', 'live'],
      ['/guide', 'differs'],
      ['/guide/start', 'differs'],
    ]);
  });
});
