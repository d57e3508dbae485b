import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { admin, JOBS, makeLink, startAcme } from '../../test/support/emulator-requests.ts';

/** Reads a body to its end: the received bytes, and whether they are complete. */
async function download(url: string): Promise<{
  text: string;
  complete: boolean;
  pieces: number;
  headers: IncomingMessage['headers'];
}> {
  const [response] = await once(get(url, { agent: false }), 'response');
  let text = '';
  let pieces = 0;
  try {
    for await (const chunk of response) {
      text += String(chunk);
      pieces += 1;
    }
  } catch {
    // Cut off: `complete` is false.
  }
  return { text, complete: response.complete, pieces, headers: response.headers };
}

async function startStored() {
  const emulator = await startAcme();
  await emulator.addExportJob({ domain: 'acme', jobId: 'x', archive: Buffer.from('0123456789') });
  const reply = await admin(emulator, `${JOBS}/x/bundle`, '');
  const [, url = ''] = /"bundleUrl":"([^"]+)"/.exec(JSON.stringify(reply.json)) ?? [];
  emulator.reset();
  await emulator.addExportJob({ domain: 'acme', jobId: 'x', archive: Buffer.from('0123456789') });
  return { emulator, url, [Symbol.asyncDispose]: emulator.close };
}

describe('faults', () => {
  test('A scripted reply has its status, headers and body, and the request has no effect', async () => {
    await using emulator = await startAcme();
    emulator.inject({
      match: { method: 'post', path: JOBS },
      status: 503,
      headers: { 'Retry-After': '7' },
      body: { error: 'busy' },
    });
    const reply = await admin(emulator, JOBS, { domain: 'acme' });
    expect([reply.status, reply.headers.get('retry-after'), reply.json]).toEqual([
      503,
      '7',
      { error: 'busy' },
    ]);
    expect(emulator.exportJobs).toHaveLength(0);
    expect((await admin(emulator, JOBS, { domain: 'acme' })).status).toBe(202);
    expect(emulator.requests.map(({ status, body }) => [status, body])).toEqual([
      [503, '{"domain":"acme"}'],
      [202, '{"domain":"acme"}'],
    ]);
  });

  test('A scripted reply can hide that the request took effect', async () => {
    await using emulator = await startAcme();
    emulator.inject({ status: 502, applied: true });
    expect((await admin(emulator, JOBS, { domain: 'acme' })).status).toBe(502);
    expect(emulator.exportJobs).toHaveLength(1);
  });

  test('A connection is cut before or after the effect of the request', async () => {
    await using emulator = await startAcme();
    for (const [reset, effects] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      emulator.inject({ reset });
      await expect(admin(emulator, JOBS, { domain: 'acme' })).rejects.toMatchObject({
        cause: { code: 'ECONNRESET' },
      });
      expect(emulator.exportJobs).toHaveLength(effects);
    }
    expect(emulator.requests.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  test('The fields nth, times and path select requests; a path is a part, or an expression over path and query', async () => {
    await using emulator = await startAcme();
    const fetchJob = async (id: string) => (await admin(emulator, `${JOBS}/${id}?q=1`)).status;
    emulator.inject({ match: { path: /b\?q=1$/g, nth: 2, times: 2 }, status: 418 });
    emulator.inject({ match: { path: '/c' }, status: 419 });
    const statuses: number[] = [];
    for (const id of ['b', 'a', 'b', 'b', 'b', 'c', 'c']) statuses.push(await fetchJob(id));
    expect(statuses).toEqual([404, 404, 418, 418, 404, 419, 404]);
    emulator.inject({ status: 418 });
    emulator.reset();
    expect(await fetchJob('a')).toBe(404);
  });

  test('A delay comes before the reply', async () => {
    await using emulator = await startAcme();
    emulator.inject({ delayMs: 80 });
    const startMs = performance.now();
    expect((await admin(emulator, `${JOBS}/a`)).status).toBe(404);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(75);
  });

  test.each([0, 4])(
    'A body of known length ends early, after %i bytes',
    async (truncateAfterBytes) => {
      await using stored = await startStored();
      stored.emulator.inject({ truncateAfterBytes });
      const got = await download(stored.url);
      expect([got.text, got.complete, got.headers['content-length']]).toEqual([
        '0123456789'.slice(0, truncateAfterBytes),
        false,
        '10',
      ]);
    },
  );

  test('A body that ends with its connection ends early, and looks complete', async () => {
    await using stored = await startStored();
    stored.emulator.inject({ truncateAfterBytes: 4, closeDelimited: true });
    const got = await download(stored.url);
    expect([got.text, got.complete]).toEqual(['0123', true]);
    expect(got.headers).not.toHaveProperty('content-length');
    expect(got.headers).not.toHaveProperty('transfer-encoding');
  });

  test('A body is sent in small pieces', async () => {
    await using stored = await startStored();
    stored.emulator.inject({ drip: { bytes: 4, everyMs: 30 } });
    const startMs = performance.now();
    const got = await download(stored.url);
    expect([got.text, got.complete, got.pieces]).toEqual(['0123456789', true, 3]);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(55);
  });

  test('Headers are set on the real reply if no other reply is scripted', async () => {
    await using stored = await startStored();
    stored.emulator.inject({
      headers: { ETag: '"other"', 'content-length': '12' },
      closeDelimited: true,
    });
    const got = await download(stored.url);
    expect([got.text, got.headers.etag]).toEqual(['0123456789', '"other"']);
  });

  test('Raw bytes replace a whole reply', async () => {
    await using emulator = await startAcme();
    emulator.inject({ raw: 'HTP/9 what?\r\n\r\n' });
    await expect(admin(emulator, `${JOBS}/a`)).rejects.toMatchObject({
      cause: { name: 'HTTPParserError' },
    });
    emulator.inject({ raw: `HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n` });
    await expect(admin(emulator, `${JOBS}/a`)).rejects.toThrow();
    expect((await admin(emulator, `${JOBS}/a`)).status).toBe(404);
  });

  test('The log contains one line per request and no signature', async () => {
    const lines: string[] = [];
    await using emulator = await startAcme({ log: (line) => lines.push(line) });
    await (await fetch(await makeLink(emulator))).bytes();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^GET \/storage\/.+ 200 \d+ ms$/);
    expect(lines.join()).not.toContain('Signature');
  });
});
