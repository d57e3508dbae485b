import { afterEach, expect, test, vi } from 'vitest';
import { proxyFor } from '../../src/http/exchange.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['http://169.254.169.254/latest/api/token', undefined],
  ['http://169.254.170.2/v2/credentials', undefined],
  ['http://[fd00:ec2::23]/v1/credentials', undefined],
  ['http://127.0.0.1:4566/', undefined],
  ['http://169.254.169.254.example.com/', 'http://proxy.example.com:3128/'],
  ['http://api.docs.example.com/', 'http://proxy.example.com:3128/'],
])('A request to %s goes through the proxy %s', (address, proxy) => {
  for (const name of ['http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, 'http://proxy.example.com:3128');
  for (const name of ['no_proxy', 'NO_PROXY']) vi.stubEnv(name, '');
  expect(proxyFor(new URL(address))?.href).toBe(proxy);
});
