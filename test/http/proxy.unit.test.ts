import { afterEach, expect, test, vi } from 'vitest';
import { proxyFor } from '../../src/http/proxy.ts';
import { expectError } from '../support/failure.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['http://127.0.0.1:4566/', undefined],
  ['http://169.254.169.254.example.com/', 'http://proxy.example.com:3128/'],
  ['http://api.docs.example.com/', 'http://proxy.example.com:3128/'],
])('A request to %s goes through the proxy %s', (address, proxy) => {
  for (const name of ['http_proxy', 'HTTP_PROXY'])
    vi.stubEnv(name, 'http://proxy.example.com:3128');
  for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, '');
  expect(proxyFor(new URL(address))?.href).toBe(proxy);
});

const refusalOf = (address: string) => {
  try {
    return proxyFor(new URL(address))?.href;
  } catch (error) {
    return error;
  }
};

test.each([
  ['a hash in the password', 'http://courier:Canary#9f@proxy.example.com:3128'],
  [
    'a hash after a number, which looks like a port',
    'http://courier:31#Canary@proxy.example.com:3128',
  ],
  ['a percent sign in the password', 'http://courier:Canary%@proxy.example.com:3128'],
  ['a percent sign before letters', 'https://courier:100%Canary@proxy.example.com:3128'],
  ['a slash in the password', 'http://courier:7/Canary@proxy.example.com:3128'],
  ['a question mark in the user name', 'http://cou?rier:Canary@proxy.example.com:3128'],
  ['a backslash in the password', 'http://courier:1\\Canary@proxy.example.com'],
  ['no scheme', 'courier:Canary#9f@proxy.example.com:3128'],
  ['another scheme', 'socks5://courier:Canary@proxy.example.com:1080'],
  ['a port that is too large', 'http://proxy.example.com:99999'],
  ['a bracket in the host', 'http://[proxy.example.com:3128'],
])('An address of a proxy with %s is refused, and no request goes past the proxy', (_, value) => {
  for (const [name, address] of [
    ['https_proxy', 'https://api.docs.example.com/'],
    ['HTTPS_PROXY', 'https://api.docs.example.com/'],
    ['HTTP_PROXY', 'http://api.docs.example.com/'],
  ] as const) {
    vi.unstubAllEnvs();
    for (const other of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'])
      vi.stubEnv(other, '');
    vi.stubEnv(name, value);
    const error = refusalOf(address);
    expectError(error, {
      code: 'config',
      message: `${name.toUpperCase()} is not the address of a proxy. Nothing was sent.`,
      hint: '# is %23',
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('Canary');
  }
});

test('A proxy whose password is percent-encoded is used, with the password itself', () => {
  for (const name of ['https_proxy', 'HTTPS_PROXY']) {
    vi.stubEnv(name, 'http://courier:a%23b%25c%40d%2Fe@proxy.example.com:3128');
  }
  const proxy = proxyFor(new URL('https://api.docs.example.com/'));
  expect([proxy?.host, proxy?.username, proxy?.password]).toEqual([
    'proxy.example.com:3128',
    'courier',
    'a#b%c@d/e',
  ]);
});

test('A host in NO_PROXY is reached directly, whatever the address of the proxy is', () => {
  for (const name of ['https_proxy', 'HTTPS_PROXY'])
    vi.stubEnv(name, 'http://courier:a#b@proxy.example.com');
  for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, 'docs.example.com');
  expect(proxyFor(new URL('https://api.docs.example.com/'))).toBeUndefined();
});

test.each([
  ['https://10.1.2.3/', '10.0.0.0/8', 'directly'],
  ['https://11.1.2.3/', '10.0.0.0/8', 'through the proxy'],
  ['https://10.1.2.3/', 'docs.example.com, 10.1.2.3/32', 'directly'],
  ['https://10.1.2.3:8443/', '10.0.0.0/8', 'directly'],
  ['https://10.1.2.3/', '10.0.0.0/33', 'through the proxy'],
  ['https://10.1.2.3/', '0.0.0.0/0', 'directly'],
  ['https://[2001:db8::7]/', '2001:db8::7', 'directly'],
  ['https://[2001:db8::7]/', '[2001:db8::7]', 'directly'],
  ['https://[2001:db8::7]/', '2001:DB8::/32', 'directly'],
  ['https://[2001:db9::7]/', '2001:db8::/32', 'through the proxy'],
  ['https://api.example.com/', '*.example.com', 'directly'],
  ['https://example.com/', '*.example.com', 'through the proxy'],
  ['https://notexample.com/', '*.example.com example.com', 'through the proxy'],
  ['https://api.example.com/', 'docs.example.com Example.com', 'directly'],
  ['https://api.example.com/', 'api.example.com.', 'directly'],
  ['https://api.example.com./', 'api.example.com', 'directly'],
  ['https://api.example.com/', 'a.example *.example.com:443', 'directly'],
  ['https://api.example.com/', 'a.example *.example.com:8443', 'through the proxy'],
  ['https://api.example.com/', 'a.*', 'through the proxy'],
  // Names are not resolved, and a range is no name.
  ['https://api.example.com/', '0.0.0.0/0', 'through the proxy'],
])('A request to %s with NO_PROXY=%s goes %s', (address, noProxy, way) => {
  for (const name of ['https_proxy', 'HTTPS_PROXY']) {
    vi.stubEnv(name, 'http://proxy.example.com:3128');
  }
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('NO_PROXY', noProxy);
  const isDirect = proxyFor(new URL(address)) === undefined;
  expect(isDirect ? 'directly' : 'through the proxy').toBe(way);
});
