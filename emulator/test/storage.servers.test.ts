import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkBundleUrl, linkPolicy } from '../../src/platform/link.ts';
import { JOBS, makeBundle, startAcme } from '../../test/support/emulator-requests.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

const ARCHIVE = Buffer.from('0123456789');

async function startStored(clock = fakeClock()) {
  const emulator = await startAcme({ clock, linkLifetimeMs: 60_000 });
  const { jobId } = await emulator.addExportJob({ jobId: 'job-1', archive: ARCHIVE });
  const { bundleUrl, expiresAt } = await makeBundle(emulator, jobId);
  return { emulator, bundleUrl, expiresAt, clock, [Symbol.asyncDispose]: emulator.close };
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { headers, method });
  const text = await response.text();
  return { status: response.status, text, header: (name: string) => response.headers.get(name) };
}

describe('links', () => {
  test('A link passes the checks of the action, needs no key, and shows when it expires', async () => {
    await using stored = await startStored();
    expect(checkBundleUrl(stored.bundleUrl, linkPolicy(stored.emulator.url))).toBe(
      stored.bundleUrl,
    );
    expect(stored.expiresAt).toBe(new Date(stored.clock.now() + 60_000).toISOString());
    expect(await get(stored.bundleUrl)).toMatchObject({ status: 200, text: '0123456789' });
  });

  test('A link stops working when it expires, and the job returns a new one', async () => {
    await using stored = await startStored();
    stored.clock.advance(59_999);
    expect((await get(stored.bundleUrl)).status).toBe(200);
    stored.clock.advance(1);
    const refused = await get(stored.bundleUrl);
    expect(refused).toMatchObject({
      status: 403,
      text: expect.stringContaining('<Message>Request has expired</Message>'),
    });
    expect(refused.header('content-type')).toBe('application/xml');
    const fresh = await makeBundle(stored.emulator, 'job-1');
    expect(fresh.bundleUrl).not.toBe(stored.bundleUrl);
    expect((await get(fresh.bundleUrl)).status).toBe(200);
  });

  test('A link that was changed, or has no signature, is refused', async () => {
    await using stored = await startStored();
    const other = await stored.emulator.addExportJob({ jobId: 'job-2', archive: ARCHIVE });
    const { bundleUrl } = stored;
    const changed = [
      bundleUrl.replace(/X-Expires=\d/, 'X-Expires=9'),
      bundleUrl.replace('job-1', other.jobId),
      bundleUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      bundleUrl.replace(/X-Id=./, 'X-Id=z'),
    ];
    for (const url of changed)
      expect((await get(url)).text, url).toContain('SignatureDoesNotMatch');
    expect(await get(bundleUrl.replace(/\?.*/, ''))).toMatchObject({
      status: 403,
      text: expect.stringContaining('AccessDenied'),
    });
  });

  test('The expiry has the requested format', async () => {
    await using stored = await startStored();
    const ms = stored.clock.now() + 60_000;
    const iso = new Date(ms).toISOString();
    const formats = [
      ['iso', iso],
      ['epoch-seconds', Math.floor(ms / 1000)],
      ['epoch-milliseconds', ms],
      ['local-time', iso.slice(0, -1)],
      ['garbage', 'next tuesday'],
      ['missing', undefined],
    ] as const;
    for (const [format, expected] of formats) {
      stored.emulator.behaviour.expiresAt = format;
      expect((await makeBundle(stored.emulator, 'job-1')).expiresAt).toBe(expected);
    }
  });

  test('Only GET and HEAD are allowed', async () => {
    await using stored = await startStored();
    expect((await get(stored.bundleUrl, {}, 'PUT')).status).toBe(405);
    expect((await get(stored.bundleUrl, {}, 'DELETE')).status).toBe(405);
  });
});

describe('ranges', () => {
  test('A whole reply has length, ETag and Accept-Ranges; HEAD returns no bytes', async () => {
    await using stored = await startStored();
    for (const method of ['GET', 'HEAD']) {
      const reply = await get(stored.bundleUrl, {}, method);
      expect([reply.status, reply.header('content-length'), reply.header('accept-ranges')]).toEqual(
        [200, '10', 'bytes'],
      );
      expect(reply.header('etag')).toMatch(/^"[0-9a-f]{32}"$/);
      expect(reply.text).toBe(method === 'GET' ? '0123456789' : '');
    }
  });

  test.each([
    ['bytes=3-', 206, '3456789', 'bytes 3-9/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=4-2', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('The range %s returns %i', async (range, status, text, contentRange) => {
    await using stored = await startStored();
    const reply = await get(stored.bundleUrl, { range });
    expect([reply.status, reply.text, reply.header('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test('A range past the end gets 416 with the size', async () => {
    await using stored = await startStored();
    const reply = await get(stored.bundleUrl, { range: 'bytes=10-' });
    expect([reply.status, reply.header('content-range')]).toEqual([416, 'bytes */10']);
  });

  test('If-Match accepts only the same content; If-Range returns the whole of other content', async () => {
    await using stored = await startStored();
    const etag = (await get(stored.bundleUrl, {}, 'HEAD')).header('etag') ?? '';
    const status = async (headers: Record<string, string>) =>
      (await get(stored.bundleUrl, { range: 'bytes=5-', ...headers })).status;
    expect(await status({ 'if-match': etag })).toBe(206);
    expect(await status({ 'if-match': '"other"' })).toBe(412);
    expect(await status({ 'if-range': etag })).toBe(206);
    expect(await status({ 'if-range': '"other"' })).toBe(200);
    expect(await status({ 'if-none-match': etag })).toBe(304);
  });
});

describe('bundles', () => {
  test('Each link of a job returns the same archive, byte for byte; another job builds a new one', async () => {
    await using emulator = await startAcme();
    const hashOf = async (jobId: string) => {
      const { bundleUrl } = await makeBundle(emulator, jobId);
      return createHash('sha256')
        .update(await (await fetch(bundleUrl)).bytes())
        .digest('hex');
    };
    const [one, two] = [
      await emulator.addExportJob({ domain: 'acme' }),
      await emulator.addExportJob({ domain: 'acme' }),
    ];
    expect(await hashOf(one.jobId)).toBe(await hashOf(one.jobId));
    expect(await hashOf(two.jobId)).not.toBe(await hashOf(one.jobId));
    expect(
      emulator.requests.every(({ path }) => path.startsWith(JOBS) || path.startsWith('/storage/')),
    ).toBe(true);
  });
});
