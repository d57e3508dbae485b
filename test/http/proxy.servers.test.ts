import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { codeBlocks } from '../docs/terminals.ts';
import { type ForwardingProxyOptions, startForwardingProxy } from '../support/forwarding-proxy.ts';
import { assertNoLeaks } from '../support/leaks.ts';
import { type Certificate, makeCertificate } from '../support/tls.ts';
import { SECRET_INPUTS, startActionWorld, writtenBy } from '../support/world/built-action.ts';
import type { World } from '../support/world.ts';
import { startTlsFront } from './tls-front.ts';

const PLATFORM = 'api.docs.example.com';
const GITHUB = 'github.example.com';
/** Only the proxy knows them. */
const HOSTS = { [PLATFORM]: '127.0.0.1', [GITHUB]: '127.0.0.1' };
const CREDENTIALS = { user: 'proxy-user', password: 'canary-Pr0xyPassw0rd' };

let folder = '';
let certificate: Certificate;
const file = (name: string) => join(folder, name);

const envShape = z.object({ env: z.record(z.string(), z.string()) });
/** The variables that the page about company networks sets on a job. */
const PAGE = Object.fromEntries(
  codeBlocks('docs/reference/networks.md').flatMap(({ code }) =>
    Object.entries(envShape.parse(parse(code)).env),
  ),
);

/** Resolves the two names in the process under test, for requests that bypass the proxy. */
const RESOLVER = `
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
const own = dns.lookup;
dns.lookup = (name, options, done) =>
  name.endsWith('.example.com') ? own('127.0.0.1', options, done) : own(name, options, done);
syncBuiltinESMExports();
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-'));
  certificate = await makeCertificate({ hosts: [PLATFORM, GITHUB] });
  await writeFile(file('ca.pem'), certificate.cert);
  await writeFile(file('resolver.mjs'), RESOLVER);
});
afterAll(() => rm(folder, { recursive: true }));

interface Network extends AsyncDisposable {
  readonly world: World;
  readonly platform: string;
  readonly github: string;
}

/** Both servers with https, on names that do not belong to this machine. */
async function startNetwork(): Promise<Network> {
  const world = await startActionWorld();
  const platform = await startTlsFront(world.platform.url, certificate);
  const github = await startTlsFront(world.github.url, certificate);
  return {
    world,
    platform: `${PLATFORM}:${platform.port}`,
    github: `${GITHUB}:${github.port}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([platform, github, world].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

function exportThrough(
  network: Network,
  env: Record<string, string>,
  inputs: Record<string, string> = {},
) {
  const { world, platform, github } = network;
  return world.step(
    { 'base-url': `https://${platform}`, ...inputs },
    {
      // GitHub Enterprise Server's address has a path.
      apiUrl: `https://${github}/api/v3`,
      serverUrl: `https://${github}`,
      env: { NODE_EXTRA_CA_CERTS: file('ca.pem'), ...env },
      debug: true,
    },
  );
}

const withCredentials = (url: string, { user, password } = CREDENTIALS) =>
  url.replace('//', `//${user}:${password}@`);

describe.concurrent('behind a proxy', () => {
  test('Every call goes through the proxy: platform, storage, and GitHub Enterprise Server below its path', async () => {
    await using network = await startNetwork();
    await using proxy = await startForwardingProxy({ credentials: CREDENTIALS, hosts: HOSTS });
    const inputs = { ...SECRET_INPUTS, 'extract-to': 'site' };
    const result = await exportThrough(
      network,
      { HTTPS_PROXY: withCredentials(proxy.url) },
      inputs,
    );
    expect(result.exitCode, result.log).toBe(0);
    expect(network.world.secret()).toBe(result.outputs['bundle-url']);
    expect(result.outputs['bundle-url']).toContain(`https://${network.platform}/storage/`);
    expect(network.world.platform.requests.some(({ path }) => path.startsWith('/storage/'))).toBe(
      true,
    );
    const targets = new Set(
      proxy.requests.filter(({ authorized }) => authorized).map(({ target }) => target),
    );
    expect([...targets].sort()).toEqual([network.github, network.platform].sort());
    assertNoLeaks(
      { password: CREDENTIALS.password },
      { ...writtenBy(result), link: result.outputs['bundle-url'] ?? '' },
    );
  });

  test('With the variables of the guide, calls to hosts in NO_PROXY bypass the proxy, and the others do not', async () => {
    await using network = await startNetwork();
    await using proxy = await startForwardingProxy({ hosts: HOSTS });
    expect(PAGE).toMatchObject({
      HTTPS_PROXY: 'http://proxy.example.com:3128',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/company-root.pem',
    });
    const env = {
      ...PAGE,
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: file('ca.pem'),
      NODE_OPTIONS: `--import ${file('resolver.mjs')}`,
    };
    const result = await exportThrough(network, env, SECRET_INPUTS);
    expect(result.exitCode, result.log).toBe(0);
    expect(network.world.secret()).toBe(result.outputs['bundle-url']);
    expect(network.world.github.requests.length).toBeGreaterThan(2);
    expect(new Set(proxy.requests.map(({ target }) => target))).toEqual(
      new Set([network.platform]),
    );
  });

  test.each<[string, ForwardingProxyOptions, typeof CREDENTIALS]>([
    [
      'does not know the credentials',
      { credentials: { ...CREDENTIALS, password: 'another one' } },
      CREDENTIALS,
    ],
    ['cuts the tunnel', { dropConnect: true }, CREDENTIALS],
  ])(
    'Behind a proxy that %s, the run ends as network, and the credentials are not shown anywhere',
    async (_, options, credentials) => {
      await using network = await startNetwork();
      await using proxy = await startForwardingProxy({ ...options, hosts: HOSTS });
      const result = await exportThrough(network, {
        HTTPS_PROXY: withCredentials(proxy.url, credentials),
      });
      expect(result.exitCode).toBe(1);
      expect(result.outputs, result.log).toMatchObject({
        status: 'failed',
        'error-code': 'network',
      });
      expect(result.log).not.toContain('may have started');
      expect(result.log).toContain('HTTPS_PROXY');
      expect(network.world.platform.requests).toEqual([]);
      expect(proxy.requests.length).toBeGreaterThan(0);
      assertNoLeaks(
        { password: credentials.password, user: credentials.user },
        { ...writtenBy(result), all: result.stdout },
      );
    },
  );
});
