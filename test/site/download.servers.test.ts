import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GivenSite } from '../../src/site/given/given.ts';
import {
  type Behaviour,
  type BundleServer,
  s3Error,
  startBundleServer,
} from '../support/bundle-server.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { NO_SERVERS, startWorld, type World } from '../support/world.ts';
import { tar, tarGz, zip } from './archives.ts';

const noise = Buffer.alloc(200_000, createHash('sha512').update('seed').digest());
for (let at = 0; at < noise.length; at += 64)
  createHash('sha512').update(String(at)).digest().copy(noise, at);
const ARCHIVE = tarGz([
  { name: 'index.html', content: '<p>hello</p>' },
  { name: 'noise.bin', content: noise },
]);
const SHA256 = createHash('sha256').update(ARCHIVE).digest('hex');

/** Of archives that are being downloaded. */
function receivedBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const archives = entries.filter((entry) => entry.isFile() && entry.name === 'fresh');
  return archives.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}

interface Storage extends AsyncDisposable {
  readonly world: World;
  readonly server: BundleServer;
  /** Downloads the archive into the workspace, unless `more` says something else. */
  receive(more?: Partial<Parameters<World['receive']>[0]>): ReturnType<World['receive']>;
}

async function startStorage(
  behaviours: readonly Behaviour[] = [],
  archive = ARCHIVE,
): Promise<Storage> {
  await using parts = new AsyncDisposableStack();
  const world = parts.use(await startWorld(NO_SERVERS));
  const server = parts.use(await startBundleServer(archive, behaviours));
  const disposables = parts.move();
  return {
    world,
    server,
    receive: (more) =>
      world.receive({
        url: server.url,
        bundle: { bundlePath: join(world.workspace, 'docs.tar.gz') },
        ...more,
      }),
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

/** A link to the archive of which the platform says this size. */
const linkTo = ({ url }: BundleServer, sizeBytes: number | undefined) => ({
  url,
  expiresAt: undefined,
  sizeBytes,
});

async function fetchWith(behaviours: readonly Behaviour[], archive = ARCHIVE) {
  await using storage = await startStorage(behaviours, archive);
  const { facts } = await storage.receive({ clock: fakeClock() });
  return {
    facts,
    stored: readFileSync(join(storage.world.workspace, 'docs.tar.gz')),
    requests: storage.server.requests,
    logged: storage.world.log.entries.map(({ message }) => message),
  };
}

describe('a download that is cut', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'A download that is cut after %i tenths continues where it stopped',
    async (tenth) => {
      const cutAt = Math.floor((ARCHIVE.length * tenth) / 10);
      const { facts, stored, requests } = await fetchWith([{ cutAt }]);
      expect(facts).toMatchObject({ sha256: SHA256, bytes: ARCHIVE.length, resumed: 1 });
      expect(stored.equals(ARCHIVE)).toBe(true);
      expect(requests[1]?.headers).toMatchObject({
        range: `bytes=${cutAt}-`,
        'if-match': '"first"',
      });
    },
  );

  test('A download that is cut anywhere, any number of times, ends with the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: ARCHIVE.length - 1 }), { minLength: 1, maxLength: 6 }),
        async (points) => {
          const cuts = [...new Set(points)].sort((a, b) => a - b);
          const { facts, stored } = await fetchWith(cuts.map((cutAt) => ({ cutAt })));
          expect(facts.sha256).toBe(SHA256);
          expect(facts.resumed).toBe(cuts.length);
          expect(stored.equals(ARCHIVE)).toBe(true);
        },
      ),
      { numRuns: process.env.SOAK ? 1000 : 40 },
    );
  });

  test('A cut download starts over if the storage ignores the range', async () => {
    const { facts, stored } = await fetchWith([{ cutAt: 50_000 }, { ignoreRange: true }]);
    expect(facts.sha256).toBe(SHA256);
    expect(stored.equals(ARCHIVE)).toBe(true);
  });

  test('A cut download without an ETag starts over, because the rest may belong to another archive', async () => {
    const { facts, requests } = await fetchWith([{ cutAt: 50_000, etag: undefined }]);
    expect(facts).toMatchObject({ sha256: SHA256, resumed: 0 });
    expect(requests[1]?.headers.range).toBeUndefined();
  });

  test('A cut download starts over once if the archive changed meanwhile', async () => {
    const { facts, logged } = await fetchWith([{ cutAt: 50_000, etag: '"old"' }]);
    expect(facts.sha256).toBe(SHA256);
    expect(logged.join('\n')).toContain('the archive at the link changed while it was downloaded');
  });

  test('A cut download starts over with a new link and its size if the archive was replaced', async () => {
    // The old archive, cut; then the new one, which is larger, under both links.
    const old = ARCHIVE.subarray(0, 150_000);
    const changing = [{ cutAt: 50_000, etag: '"old"' }, { status: 412 }];
    await using storage = await startStorage(changing, old);
    await using after = await startBundleServer(ARCHIVE);
    const { facts, link } = await storage.receive({
      link: linkTo(storage.server, old.length),
      links: { fresh: async () => linkTo(after, ARCHIVE.length) },
    });
    expect(facts).toMatchObject({ sha256: SHA256, bytes: ARCHIVE.length, resumed: 0 });
    expect(link?.url).toBe(after.url);
  });

  test("A download requests a new link once if the size differs from the platform's", async () => {
    await using storage = await startStorage();
    const sizes = [ARCHIVE.length];
    const { facts } = await storage.receive({
      link: linkTo(storage.server, ARCHIVE.length + 5),
      links: { fresh: async () => linkTo(storage.server, sizes.shift()) },
    });
    expect(facts.sha256).toBe(SHA256);
  });

  test('A download is damaged if the archive changes a second time', async () => {
    const twice = [{ cutAt: 50_000, etag: '"old"' }, {}, { cutAt: 60_000, etag: '"older"' }];
    await expect(fetchWith(twice)).rejects.toMatchObject({ code: 'integrity' });
  });

  test('A cut download starts over once if the storage returns another range', async () => {
    const { facts } = await fetchWith([
      { cutAt: 50_000 },
      { contentRange: `bytes 7-9/${ARCHIVE.length}` },
    ]);
    expect(facts.sha256).toBe(SHA256);
  });

  test.each([
    ['with another ETag', { etag: '"second"', ignoreMatch: true }],
    ['of a larger archive', { body: Buffer.concat([ARCHIVE, Buffer.alloc(1)]) }],
  ])(
    'A cut download starts over once if the storage returns the rest %s',
    async (_what, behaviour) => {
      const { facts, logged } = await fetchWith([{ cutAt: 50_000 }, behaviour]);
      expect(facts).toMatchObject({ sha256: SHA256, resumed: 0 });
      expect(logged.join('\n')).toContain(
        'the archive at the link changed while it was downloaded',
      );
    },
  );

  test('A download ends after five attempts without a byte', async () => {
    const failing = Array.from({ length: 9 }, () => ({ cutAt: 0 }));
    await expect(fetchWith(failing)).rejects.toMatchObject({ code: 'network' });
  });

  test('A download that never gets far ends', async () => {
    const dripping = Array.from({ length: 40 }, (_, index) => ({ cutAt: 100 + index }));
    await expect(fetchWith(dripping)).rejects.toMatchObject({ code: 'network' });
  });
});

describe('a slow download', () => {
  test('A download that stalls is cut and continues', async () => {
    using timers = fakeTimers();
    await using storage = await startStorage([{ stallAt: 70_000 }]);
    const { world } = storage;
    const bundle = { extractTo: join(world.workspace, 'site') };
    const received = storage.receive({ bundle });
    await expect.poll(() => receivedBytes(world.runnerTemp)).toBe(70_000);
    await timers.passUntil(() =>
      world.log.text('info').includes('The download was interrupted at 70000 bytes'),
    );
    expect((await received).facts).toMatchObject({ sha256: SHA256, resumed: 1 });
  });

  test('A download that only drips is cut and continues', async () => {
    await using storage = await startStorage([{ dripBytes: 500 }]);
    const { server } = storage;
    // Each piece of the first reply takes a second.
    let nowMs = 0;
    const monotonicMs = () => {
      if (server.requests.length < 2) nowMs += 1000;
      return nowMs;
    };
    const received = storage.receive({ clock: { ...fakeClock(), monotonicMs } });
    expect((await received).facts).toMatchObject({ sha256: SHA256, resumed: 1 });
    expect(Number(/=(\d+)-/.exec(server.requests[1]?.headers.range ?? '')?.[1])).toBeLessThan(
      50_000,
    );
  });
});

describe('the size', () => {
  test("A size that differs from the platform's, also with a new link, is damage before a byte is written", async () => {
    await using storage = await startStorage();
    const link = linkTo(storage.server, ARCHIVE.length - 1);
    const received = storage.receive({ link, links: { fresh: async () => link } });
    await expect(received).rejects.toMatchObject({ code: 'integrity' });
    expect(readdirSync(storage.world.workspace)).toEqual([]);
  });

  test.each([-1, 1])(
    "A size that differs by %i from the platform's counts as damage if the storage reports no size",
    async (difference) => {
      await using storage = await startStorage([{ chunked: true }]);
      const link = linkTo(storage.server, ARCHIVE.length + difference);
      const received = storage.receive({ link });
      await expect(received).rejects.toMatchObject({ code: 'integrity' });
    },
  );

  test('A size over the limit is refused, announced or not', async () => {
    for (const chunked of [true, false]) {
      await using storage = await startStorage([{ chunked }]);
      const received = storage.receive({ internals: { archive: { archiveBytes: 100_000 } } });
      await expect(received).rejects.toMatchObject({ code: 'unsafe-archive' });
    }
  });

  test('A size from the platform that does not fit on the disk is refused before any request', async () => {
    await using storage = await startStorage();
    const received = storage.receive({
      link: linkTo(storage.server, ARCHIVE.length),
      bundle: { extractTo: join(storage.world.workspace, 'site') },
      internals: { freeBytes: async () => ARCHIVE.length * 2.4 },
    });
    expectError(await failureOf(received), {
      code: 'io',
      message: 'left; a bundle of',
      hint: 'Free some space, or use a machine with a larger disk.',
    });
    expect(storage.server.requests).toEqual([]);
  });

  test('A size that does not fit on the disk 2.5 times is refused before the download', async () => {
    await using storage = await startStorage();
    const { world } = storage;
    const received = storage.receive({
      bundle: { extractTo: join(world.workspace, 'site') },
      internals: { freeBytes: async () => ARCHIVE.length * 2.4 },
    });
    await expect(received).rejects.toMatchObject({ code: 'io' });
    expect(readdirSync(world.runnerTemp)).toEqual([]);
  });

  test.each([
    ['fits', 1000, undefined, ['build', 'site', 'site.manifest.json']],
    ['does not fit', 999, undefined, ['build']],
    [
      'fits with its archive',
      2000,
      'docs.tar.gz',
      [
        'build',
        'docs.tar.gz',
        'docs.tar.gz.manifest.json',
        'docs.tar.gz.sha256',
        'site',
        'site.manifest.json',
      ],
    ],
    ['fits only without its archive', 1999, 'docs.tar.gz', ['build']],
  ])(
    'A given site of 1000 bytes that %s on the disk leaves the right files',
    async (_, free, archive, left) => {
      await using world = await startWorld(NO_SERVERS);
      world.write('build/index.html', 'x'.repeat(1000));
      const { signal } = new AbortController();
      const place = { kind: 'github', workspace: world.workspace };
      const source = await GivenSite.open(join(world.workspace, 'build'), place, signal);
      const received = world.receive({
        url: '',
        source,
        bundle: {
          extractTo: join(world.workspace, 'site'),
          bundlePath: archive && join(world.workspace, archive),
        },
        internals: { freeBytes: async () => free },
      });
      const outcome = await received.then(
        () => '',
        (error: Error) => error.message,
      );
      expect(outcome).toMatch(left.length === 1 ? /left; a bundle of 1000 B needs/ : /^$/);
      expect(readdirSync(world.workspace).sort()).toEqual(left);
    },
  );
});

describe('the link', () => {
  test.each(['ExpiredToken', 'AccessDenied'])(
    'A link that the storage refuses (%s) is replaced, and the download continues',
    async (code) => {
      const refusing = [{ cutAt: 90_000 }, { status: 403, body: s3Error(code) }];
      await using storage = await startStorage(refusing);
      const { server } = storage;
      const fresh = `${server.origin}/bundles/docs.tar.gz?X-Amz-Signature=fresh`;
      const { facts, link } = await storage.receive({ laterUrls: [fresh], clock: fakeClock() });
      expect(facts).toMatchObject({ sha256: SHA256, resumed: 1 });
      expect(link?.url).toBe(fresh);
      expect(server.requests.map(({ url }) => url.split('=')[1])).toEqual([
        '0123456789abcdef',
        '0123456789abcdef',
        'fresh',
      ]);
    },
  );

  test('A link that is refused by a reply that never ends does not make the run wait', async () => {
    await using storage = await startStorage([{ status: 403, endless: true }]);
    using timers = fakeTimers();
    const received = storage.receive();
    await expect.poll(() => storage.server.requests.length).toBe(1);
    await timers.passUntil(() =>
      storage.world.log.text('info').includes('The storage refused the link'),
    );
    expect((await received).facts.sha256).toBe(SHA256);
  });

  test('A link that is always refused is forbidden, with the error of the storage', async () => {
    const refusing = Array.from({ length: 5 }, () => ({
      status: 403,
      body: s3Error('AccessDenied'),
    }));
    expectError(await failureOf(fetchWith(refusing)), {
      code: 'forbidden',
      message: 'AccessDenied',
    });
  });

  test('A link is followed for three redirects, without a key and without a cookie', async () => {
    await using third = await startBundleServer(ARCHIVE);
    await using second = await startBundleServer(ARCHIVE, [{ redirect: third.url }]);
    const redirect = { redirect: second.url, headers: { 'set-cookie': 'a=b' } };
    await using first = await startStorage([redirect]);
    const { facts } = await first.receive();
    expect(facts.sha256).toBe(SHA256);
    for (const { headers } of [first.server, second, third].flatMap(({ requests }) => requests)) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  test.each([
    'http://example.com/x?a=b',
    'https://user@example.com/x?a=b',
    'https://10.0.0.1/x?a=b',
    'file:///etc/passwd',
    'ftp://example.com/x',
    'https://exa mple.com/',
  ])('A link is not followed to %s', async (redirect) => {
    await expect(fetchWith([{ redirect }])).rejects.toMatchObject({ code: 'protocol' });
  });

  test('A link is not followed in a circle', async () => {
    const circle = Array.from({ length: 9 }, () => ({ redirect: '/bundles/docs.tar.gz?again=1' }));
    await expect(fetchWith(circle)).rejects.toMatchObject({ code: 'protocol' });
  });
});

describe('the reply of the storage', () => {
  test('The archive is kept as it is stored, whatever encoding the header declares', async () => {
    const stored = gzipSync(tar([{ name: 'index.html', content: 'x' }]));
    const result = await fetchWith([{ contentEncoding: 'gzip' }], stored);
    expect(result.stored.equals(stored)).toBe(true);
    expect(result.facts.format).toBe('tar.gz');
  });

  test.each([
    ['gzip', gzipSync(ARCHIVE), 'integrity'],
    ['br', brotliCompressSync(ARCHIVE), 'protocol'],
    ['x-gzip', gzipSync(zip([{ name: 'index.html', content: 'x' }])), 'integrity'],
    ['deflate', deflateSync(tar([{ name: 'index.html', content: 'x' }])), 'protocol'],
  ])(
    'An archive that the storage encoded once more as %s ends with that as the cause',
    async (encoding, stored, code) => {
      expectError(await failureOf(fetchWith([{ contentEncoding: encoding }], stored)), {
        code,
        message: `announced Content-Encoding: ${encoding}`,
        hint: 'export-job-id',
      });
    },
  );

  test('The message about a damaged archive names no encoding if none was announced', async () => {
    await expect(fetchWith([], gzipSync(ARCHIVE))).rejects.toThrow(/^(?!.*Content-Encoding)/);
  });

  test('An archive of another kind than its name is accepted with a warning', async () => {
    const { facts, logged } = await fetchWith([], zip([{ name: 'index.html', content: 'x' }]));
    expect(facts.format).toBe('zip');
    expect(logged.join('\n')).toContain('named like a .tar.gz');
  });

  test.each([s3Error('NoSuchKey'), '<!doctype html><title>Sign in</title>'])(
    'The reply %j is not an archive',
    async (body) => {
      await expect(fetchWith([{ body }])).rejects.toMatchObject({ code: 'protocol' });
    },
  );

  test('A download is tried again after the time in Retry-After of a 503', async () => {
    const clock = fakeClock();
    await using storage = await startStorage([{ status: 503, headers: { 'retry-after': '7' } }]);
    await storage.receive({ clock });
    expect(clock.sleeps).toEqual([7000]);
  });

  test('A download does not wait for a Retry-After of more than two minutes', async () => {
    await expect(
      fetchWith([{ status: 429, headers: { 'retry-after': '3600' } }]),
    ).rejects.toMatchObject({
      code: 'rate-limited',
    });
  });
});

test('A cancelled run leaves no file, whatever it was doing', async () => {
  await using storage = await startStorage([{ stallAt: 100_000 }]);
  const { world } = storage;
  const cancel = new AbortController();
  const bundle = {
    bundlePath: join(world.workspace, 'x.tgz'),
    extractTo: join(world.workspace, 'site'),
  };
  const received = storage.receive({ signal: cancel.signal, bundle });
  setTimeout(() => cancel.abort(), 100);
  await expect(received).rejects.toMatchObject({ code: 'cancelled' });
  expect(readdirSync(world.workspace)).toEqual([]);
  expect(readdirSync(world.runnerTemp)).toEqual([]);
});

test('A folder that is not writable is an input/output error that contains its path', async () => {
  await using storage = await startStorage();
  const { world } = storage;
  writeFileSync(join(world.workspace, 'file'), '');
  const bundlePath = join(world.workspace, 'file', 'x.tgz');
  expectError(await failureOf(storage.receive({ bundle: { bundlePath } })), {
    code: 'io',
    message: bundlePath,
  });
});
