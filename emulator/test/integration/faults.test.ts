import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { admin, JOBS, makeLink, startAcme } from '../../../test/support/emulator-requests.ts';

/** Reads a body to whatever end it has: what came, and whether it was all. */
async function download(
  url: string,
): Promise<{ text: string; complete: boolean; pieces: number; headers: IncomingMessage['headers'] }> {
  const [response] = await once(get(url, { agent: false }), 'response');
  let text = '';
  let pieces = 0;
  try {
    for await (const chunk of response) {
      text += String(chunk);
      pieces += 1;
    }
  } catch {
    // Cut off: `complete` says so.
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
  test('a scripted reply goes out with status, headers and body, and the request has no effect', async () => {
    await using emulator = await startAcme();
    emulator.inject({
      match: { method: 'post', path: JOBS },
      status: 503,
      headers: { 'Retry-After': '7' },
      body: { error: 'busy' },
    });
    const reply = await admin(emulator, JOBS, { domain: 'acme' });
    expect([reply.status, reply.headers.get('retry-after'), reply.json]).toEqual([503, '7', { error: 'busy' }]);
    expect(emulator.exportJobs).toHaveLength(0);
    expect((await admin(emulator, JOBS, { domain: 'acme' })).status).toBe(202);
    expect(emulator.requests.map(({ status, body }) => [status, body])).toEqual([
      [503, '{"domain":"acme"}'],
      [202, '{"domain":"acme"}'],
    ]);
  });

  test('a scripted reply may hide that the request took effect', async () => {
    await using emulator = await startAcme();
    emulator.inject({ status: 502, applied: true });
    expect((await admin(emulator, JOBS, { domain: 'acme' })).status).toBe(502);
    expect(emulator.exportJobs).toHaveLength(1);
  });

  test('a connection is cut before or after the effect', async () => {
    await using emulator = await startAcme();
    for (const [reset, effects] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      emulator.inject({ reset });
      await expect(admin(emulator, JOBS, { domain: 'acme' })).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
      expect(emulator.exportJobs).toHaveLength(effects);
    }
    expect(emulator.requests.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  test('nth and times choose requests; a path is part of it or an expression over path and query', async () => {
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

  test('a delay comes before the reply', async () => {
    await using emulator = await startAcme();
    emulator.inject({ delayMs: 80 });
    const startMs = performance.now();
    expect((await admin(emulator, `${JOBS}/a`)).status).toBe(404);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(75);
  });

  test.each([0, 4])('a body of known length ends early, after %i bytes', async (truncateAfterBytes) => {
    await using stored = await startStored();
    stored.emulator.inject({ truncateAfterBytes });
    const got = await download(stored.url);
    expect([got.text, got.complete, got.headers['content-length']]).toEqual([
      '0123456789'.slice(0, truncateAfterBytes),
      false,
      '10',
    ]);
  });

  test('a body that ends with its connection ends early, and looks complete', async () => {
    await using stored = await startStored();
    stored.emulator.inject({ truncateAfterBytes: 4, closeDelimited: true });
    const got = await download(stored.url);
    expect([got.text, got.complete]).toEqual(['0123', true]);
    expect(got.headers).not.toHaveProperty('content-length');
    expect(got.headers).not.toHaveProperty('transfer-encoding');
  });

  test('a body drips', async () => {
    await using stored = await startStored();
    stored.emulator.inject({ drip: { bytes: 4, everyMs: 30 } });
    const startMs = performance.now();
    const got = await download(stored.url);
    expect([got.text, got.complete, got.pieces]).toEqual(['0123456789', true, 3]);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(55);
  });

  test('headers are set on the true reply where no other is scripted', async () => {
    await using stored = await startStored();
    stored.emulator.inject({ headers: { ETag: '"other"', 'content-length': '12' }, closeDelimited: true });
    const got = await download(stored.url);
    expect([got.text, got.headers.etag]).toEqual(['0123456789', '"other"']);
  });

  test('raw bytes stand in for a whole reply', async () => {
    await using emulator = await startAcme();
    emulator.inject({ raw: 'HTP/9 what?\r\n\r\n' });
    await expect(admin(emulator, `${JOBS}/a`)).rejects.toMatchObject({ cause: { name: 'HTTPParserError' } });
    emulator.inject({ raw: `HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n` });
    await expect(admin(emulator, `${JOBS}/a`)).rejects.toThrow();
    expect((await admin(emulator, `${JOBS}/a`)).status).toBe(404);
  });

  test('the log holds a line per request and no signature', async () => {
    const lines: string[] = [];
    await using emulator = await startAcme({ log: (line) => lines.push(line) });
    await (await fetch(await makeLink(emulator))).bytes();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^GET \/storage\/.+ 200 \d+ ms$/);
    expect(lines.join()).not.toContain('Signature');
  });
});
