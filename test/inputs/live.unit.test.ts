import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../src/inputs/read.ts';
import { type Given, problemOf, readExport } from './reading.ts';

const URL_INPUT = { 'live-url': 'https://docs.example.com' };

const read = (given: Given) => readExport(given).live;

describe('live-url', () => {
  it('The check of live-url is off without the input, and otherwise has defaults', () => {
    expect(read({})).toBeUndefined();
    expect(read(URL_INPUT)).toEqual({
      url: 'https://docs.example.com',
      timeoutMs: 300_000,
      onNotLive: 'fail',
      headers: {},
    });
  });

  it.each([
    ['https://example.com/docs/', 'https://example.com/docs'],
    ['HTTPS://Docs.Example.com:8443', 'https://docs.example.com:8443'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('The live-url %s is accepted', (given, url) => {
    expect(read({ 'live-url': given })?.url).toBe(url);
  });

  it('The value of live-url may be http inside a private network, without headers', () => {
    const intranet = { 'live-url': 'http://docs.intra', 'allow-private-hosts': 'true' };
    expect(read(intranet)?.url).toBe('http://docs.intra');
    expect(problemOf({ ...intranet, 'live-headers': 'X-Token: canary-0123' })).toContain(
      'live-headers is sent over https, or to a loopback host',
    );
  });

  it.each([
    ['docs.example.com', 'such as https://docs.example.com'],
    ['ftp://docs.example.com', 'such as https://docs.example.com'],
    [
      'https://ada:pw-canary@docs.example.com',
      'without user name and password; give them in live-headers',
    ],
    ['https://docs.example.com/?a=b', 'without query and fragment'],
    ['https://docs.example.com/index.html', 'without index.html'],
    ['http://docs.example.com', 'it must be https'],
    ['https://docs.example.com\\@evil.example', 'such as https://docs.example.com'],
  ])('The live-url %s is refused', (given, why) => {
    expect(problemOf({ 'live-url': given })).toContain(why);
  });

  it.each([
    [{ 'live-timeout': '10m' }, 'live-timeout is read only together with live-url'],
    [{ 'on-not-live': 'warn' }, 'on-not-live is read only together with live-url'],
    [{ 'live-headers': 'A: canary-0123' }, 'live-headers is read only together with live-url'],
    [
      { ...URL_INPUT, 'live-timeout': '5' },
      'live-timeout: "5" is not allowed; it must be a duration such as 90s, 30m or 2h',
    ],
    [{ ...URL_INPUT, 'on-not-live': 'warning' }, 'fail, warn'],
  ])('The inputs %j are an error', (given, why) => {
    expect(problemOf(given)).toContain(why);
  });

  it('The input live-url belongs to export and refresh', () => {
    expect(
      problemOf({
        ...URL_INPUT,
        mode: 'search',
        'assistant-api-key': 'svc_dsc_key0123456789',
        query: 'x',
        domain: 'acme',
      }),
    ).toMatch(/live-url belongs to mode export, refresh.*, not to search/);
  });
});

describe('live-headers', () => {
  it('The lines of live-headers are read one per line, with names in lower case', () => {
    const text =
      'Authorization: Bearer canary-0123\r\n\n  X-Api-Key:canary-4567  \nCookie: a=b; c="d e"';
    expect(read({ ...URL_INPUT, 'live-headers': text })?.headers).toEqual({
      authorization: 'Bearer canary-0123',
      'x-api-key': 'canary-4567',
      cookie: 'a=b; c="d e"',
    });
  });

  it.each([
    ['canary-0123', 'line 1 is not'],
    ['A: b\nno colon canary-0123', 'line 2 is not'],
    ['A:', 'line 1 is not'],
    ['A B: canary-0123', 'line 1 is not'],
    ['A: canary-0123 ü', 'line 1 is not'],
    ['A: canary\u0000-0123', 'line 1 is not'],
    ['Host: canary-0123.example', 'without host, which is set by the program itself'],
    ['content-length: 5', 'without content-length'],
    ['Cache-Control: max-age=1', 'without cache-control'],
    ['A: canary-0123\na: canary-4567', 'a is given twice'],
    [Array.from({ length: 21 }, (_, at) => `A${at}: canary-0123`).join('\n'), 'at most 20 lines'],
    [`A: ${'canary-0123'.repeat(1000)}`, 'line 1 is not'],
  ])('The value of live-headers is refused, without showing it: %j', (text, why) => {
    const message = problemOf({ ...URL_INPUT, 'live-headers': text });
    expect(message).toContain(why);
    expect(message).not.toContain('canary');
  });

  it('The values of live-headers are secrets as a whole, one by one, and in their parts', () => {
    const basic = Buffer.from('ada:canary-pass').toString('base64');
    const secrets = secretsOf(
      'live-headers',
      `Authorization: Basic ${basic}\nCookie: session=canary-0123; b="canary-4567"`,
    );
    expect(secrets).toEqual(
      expect.arrayContaining([
        `Basic ${basic}`,
        basic,
        'ada:canary-pass',
        'canary-pass',
        'canary-0123',
        'session=canary-0123',
      ]),
    );
    expect(secretsOf('secret-token', 'ghs_canary: x')).toEqual(['ghs_canary: x']);
  });
});
