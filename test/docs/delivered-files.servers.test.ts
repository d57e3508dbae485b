import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { findTool } from '../../scripts/examples/tools.ts';
import { linesForImages, readPodGuide, startServer, type WebServer } from '../cli/servers.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { startWorld } from '../support/world.ts';
import { filesBelow, ROOT, readText } from './pages.ts';
import { shellBlocks } from './terminals.ts';

/** Every file below a folder with its text. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

describe('the steps behind an export in the examples', () => {
  const step = z.looseObject({
    uses: z.optional(z.string()),
    with: z.optional(z.record(z.string(), z.unknown())),
  });
  const workflow = z.looseObject({
    jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })),
  });
  const uploads = filesBelow('examples')
    .filter((name) => /^[\w-]+\.yml$/.test(name) && name !== 'docs-queries.yml')
    .flatMap((name) => {
      const { jobs } = workflow.parse(parse(readText(`examples/${name}`)));
      const steps = Object.values(jobs).flatMap(({ steps }) => steps);
      const sites = [
        '${{ steps.export.outputs.site-path }}',
        ...steps.flatMap(({ with: given }) => given?.['extract-to'] ?? []),
      ];
      return steps
        .filter(
          ({ uses = '', with: given }) =>
            uses.startsWith('actions/upload-') && sites.includes(given?.['path'] ?? ''),
        )
        .map(({ uses = '', with: given = {} }) => ({
          name,
          action: uses.split('@')[0] ?? '',
          given,
        }));
    });

  it('The uploads of GitHub Pages and of an artifact are found', () => {
    expect(uploads.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['artifact.yml', 'pages.yml']),
    );
  });

  it.each(uploads)(
    '$action in $name takes every file that was verified',
    async ({ action, given }) => {
      await using world = await startWorld({
        platform: {
          sites: {
            acme: {
              'index.md': '# Docs\n\n[Security](/.well-known/security.txt)',
              '.well-known/security.txt': 'Contact: mailto:security@example.com\n',
              'files/.hidden/data.json': '{}',
            },
          },
        },
      });
      const site = join(world.workspace, 'site');
      const { error } = await world.export({
        bundle: bundleInputs({ extractTo: site, verify: 'strict' }),
      });
      expect(error).toBeUndefined();
      const verified = contentOf(site);
      expect(Object.keys(verified)).toEqual(
        expect.arrayContaining(['.well-known/security.txt', 'files/.hidden/data.json']),
      );
      const inputs = Object.entries({ ...given, path: site }).map(([key, value]) => [
        `INPUT_${key.toUpperCase()}`,
        String(value),
      ]);
      const main = join(ROOT, 'test/examples/stand-ins', action, 'main.mjs');
      const env = {
        PATH: process.env.PATH ?? '',
        EXAMPLES_FOLDER: world.root,
        ...Object.fromEntries(inputs),
      };
      execFileSync(process.execPath, [main], { env });
      expect(
        contentOf(join(world.root, 'artifacts', String(given.name ?? 'github-pages'))),
      ).toEqual(verified);
    },
  );
});

const OLDER = '<p>Version 1 of 2026</p>';
const NEWER = '<p>Version 2 of 2026</p>';
const SECURITY = 'Contact: mailto:security@example.com\n';

/** One way of a page to bring the files of an archive to a web server. */
interface Way {
  readonly name: string;
  /**
   * The commands of the page, in a folder with the archive. What they need besides `tar` is a
   * function of the shell.
   */
  readonly commands: string;
  /** The folder that they unpack into, as the page writes it. */
  readonly site: string;
  /** An image has the time 0, the archive of a platform any time. */
  readonly timeS: number;
  /** The files keep their times, and the server needs what the guides say about that. */
  readonly keepsTimes?: true;
}

const CURL =
  'curl() { while [ "$1" != --output ]; do shift; done; cat > /dev/null; cp docs.tar.gz "$2"; }';

/** The script of the init container that fetches the site. */
function initScript(text: string): string {
  return /args:\n +- \|\n((?: {14}.*\n)+)/.exec(text)?.[1] ?? '';
}

function blockWith(page: string, part: string): string {
  return shellBlocks(page).find((block) => block.includes(part)) ?? '';
}

const AIR_GAPPED = 'docs/how-to/air-gapped-hand-over.md';
const [, CRANE = ''] =
  /`(crane export [^`]+)`/.exec(readText('docs/how-to/publish-an-image.md')) ?? [];

const PLATFORM_S = 1_600_000_000;

const ways: readonly Way[] = [
  {
    name: 'the archive on a medium',
    commands: blockWith(AIR_GAPPED, '--file docs.tar.gz'),
    site: 'site',
    timeS: PLATFORM_S,
  },
  {
    name: 'the image on a medium',
    commands: `skopeo() { :; }\n${blockWith(AIR_GAPPED, 'dir:image')}`,
    site: 'site',
    timeS: 0,
  },
  {
    name: 'the image on a server',
    commands: `crane() { gunzip -c docs.tar.gz; }\n${CRANE}`,
    site: '/srv/site',
    timeS: 0,
  },
  {
    name: 'a Dockerfile',
    // COPY keeps the times.
    commands: 'mkdir site; tar -xpzf docs.tar.gz -C site',
    site: 'site',
    timeS: 0,
    keepsTimes: true,
  },
  {
    name: 'the manifests',
    commands: `${CURL}\n${initScript(readText('examples/kubernetes/docs.yaml'))}`,
    site: '/site',
    timeS: PLATFORM_S,
  },
  {
    name: 'the chart',
    commands: `${CURL}\n${initScript(readText('examples/chart/templates/deployment.yaml'))}`,
    site: '/site',
    timeS: PLATFORM_S,
  },
];

/**
 * A folder with the archive of a site, whose files all have the same time, and with what pages
 * carry next to it.
 */
function pack(folder: string, page: string, timeS: number): void {
  const files = {
    'index.html': '<p>Home</p>',
    'page.html': page,
    '.well-known/security.txt': SECURITY,
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'files', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, timeS, timeS);
  }
  const archive = join(folder, 'docs.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'files'), '.']);
  execFileSync('tar', ['-czf', join(folder, 'added.tar.gz'), '--files-from', '/dev/null']);
  const sums = execFileSync('sha256sum', ['docs.tar.gz', 'added.tar.gz'], { cwd: folder });
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  mkdirSync(join(folder, 'image'));
  writeFileSync(
    join(folder, 'image/manifest.json'),
    JSON.stringify({ layers: [{ digest: 'sha256:layer' }] }),
  );
  writeFileSync(join(folder, 'image/layer'), readFileSync(archive));
}

/** Unpacks as the page says, and returns the folder that a server finds as `/srv`. */
function unpack({ commands, site }: Way, folder: string): string {
  const target = join(folder, 'srv/site');
  const isOwn = site.startsWith('/');
  mkdirSync(isOwn ? target : dirname(target), { recursive: true });
  const script = isOwn ? commands.replaceAll(site, target) : commands;
  const env = {
    PATH: process.env.PATH ?? '',
    BUNDLE_URL: 'https://bundles.example.com/docs.tar.gz',
  };
  execFileSync('bash', ['-ec', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!isOwn) execFileSync('mv', [join(folder, site), target]);
  return dirname(target);
}

/** As a browser asks again that has the page: with what the server said about it. */
async function askAgain(server: WebServer, { headers }: Response): Promise<Response> {
  const known = {
    'if-none-match': headers.get('etag'),
    'if-modified-since': headers.get('last-modified'),
  };
  const given = Object.entries(known).flatMap(([name, value]) =>
    value === null ? [] : ([[name, value]] as [string, string][]),
  );
  return fetch(`${server.url}/page`, { headers: given });
}

const servers = (['nginx', 'caddy', 'caddy-debian'] as const).map((program) => ({
  program,
  path: findTool(program),
  kind: program === 'nginx' ? ('nginx' as const) : ('caddy' as const),
}));

describe('a page that changed, in files of equal size and equal time', () => {
  const root = mkdtempSync(join(tmpdir(), 'docs-courier-delivered-'));
  const folderOf = ({ name }: Way, age: string) => join(root, name.replaceAll(' ', '-'), age);

  beforeAll(async () => {
    for (const way of ways) unpackAt(way, 'older', OLDER);
    // Another export is never unpacked in the same second.
    await delay(1100);
    for (const way of ways) unpackAt(way, 'newer', NEWER);
  }, 60_000);

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function unpackAt(way: Way, age: string, page: string): void {
    const folder = folderOf(way, age);
    mkdirSync(folder, { recursive: true });
    pack(folder, page, way.timeS);
    unpack(way, folder);
  }

  it.each(ways)('Every file of the archive arrives by $name', (way) => {
    const folder = folderOf(way, 'newer');
    expect(contentOf(join(folder, 'srv/site'))).toEqual(contentOf(join(folder, 'files')));
  });

  describe.each(servers)('on $program', ({ program, path, kind }) => {
    if (path === undefined)
      console.warn(`${program} is not installed: a page that changed is not tried on it.`);

    async function start(way: Way, age: string): Promise<WebServer> {
      const folder = join(folderOf(way, age), 'srv');
      const server = { name: kind, program: path ?? '', folder };
      if (!way.keepsTimes) return startServer(server);
      if (kind === 'caddy') return startServer({ ...server, more: linesForImages('caddy') });
      return startServer({ ...server, block: readPodGuide().configuration });
    }

    it.skipIf(path === undefined).each(ways)(
      `A reader who has the older page gets the new one by $name on ${program}`,
      async (way) => {
        await using older = await start(way, 'older');
        const first = await fetch(`${older.url}/page`);
        expect(await first.text()).toBe(OLDER);
        await using newer = await start(way, 'newer');
        const again = await askAgain(newer, first);
        expect([again.status, await again.text()]).toEqual([200, NEWER]);
        const security = await fetch(`${newer.url}/.well-known/security.txt`);
        expect([security.status, await security.text()]).toEqual([200, SECURITY]);
      },
    );

    it.skipIf(path === undefined).each(ways.filter(({ keepsTimes }) => !keepsTimes))(
      `A page that did not change is not sent again by $name on ${program}`,
      async (way) => {
        await using server = await start(way, 'older');
        const again = await askAgain(server, await fetch(`${server.url}/page`));
        expect(again.status).toBe(304);
      },
    );
  });

  it('The page about images leads from its Dockerfile to the configurations for equal times', () => {
    const [line = ''] =
      /^- In a Dockerfile: .*$/m.exec(readText('docs/how-to/publish-an-image.md')) ?? [];
    expect(line).toContain('(#mount-it-in-a-pod)');
    expect(line).toContain('(serve-the-site.md#check-it)');
  });
});
