import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { publicLookup } from '../../src/http/hosts.ts';
import { linkPolicy } from '../../src/platform/link.ts';
import { requestArchive, TRANSFER_LIMITS } from '../../src/site/download/request.ts';
import { json, startRawServer } from '../support/raw-server.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';

/** Every name resolves to this machine, like the name of an owner who wants to reach it. */
const rebound: LookupFunction = (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
const PUBLIC = linkPolicy('https://api.docs.example.com');

function ask(url: string, policy = PUBLIC, lookup: LookupFunction = publicLookup(rebound)) {
  const request = {
    url,
    range: undefined,
    policy,
    limits: TRANSFER_LIMITS,
    signal: new AbortController().signal,
    lookup,
  };
  return requestArchive(request).then(
    (reply) => {
      reply.destroy();
      return reply.statusCode;
    },
    (error: unknown) => error,
  );
}

describe('a bundle link whose name resolves to a private address', () => {
  it('A link whose name resolves to a private address is refused before the server sees a connection', async () => {
    await using server = await startRawServer(json(200, {}));
    const { port } = new URL(server.url);
    const error = await ask(`http://storage.example.com:${port}/a.tar.gz`);
    expect(error).toMatchObject({ cause: { code: 'ERR_PRIVATE_ADDRESS' }, sent: false });
    expect(server.connections()).toBe(0);
  });

  it('A redirect from a public host to a private address is refused', async () => {
    await using inner = await startRawServer(json(200, {}));
    const target = `https://inner.example.com:${new URL(inner.url).port}/latest/meta-data?a=b`;
    await using front = await startRawServer(json(302, {}, [`location: ${target}`]));
    // The first host represents one on the internet, which this machine may not reach.
    const lookup: LookupFunction = (name, options, done) =>
      name === 'front.example.com'
        ? rebound(name, options, done)
        : publicLookup(rebound)(name, options, done);
    const error = await ask(
      `http://front.example.com:${new URL(front.url).port}/a`,
      PUBLIC,
      lookup,
    );
    expect(error).toMatchObject({ cause: { code: 'ERR_PRIVATE_ADDRESS' } });
    expect([front.requests.length, inner.connections()]).toEqual([1, 0]);
  });

  it.each([
    ['the input allows it', linkPolicy('https://api.docs.example.com', true)],
    ['base-url is on the loopback', linkPolicy('http://127.0.0.1:4000')],
    ['base-url is a private address', linkPolicy('https://10.0.0.7')],
  ])('A link to a private address is fetched if %s', async (_, policy) => {
    await using server = await startRawServer(json(200, {}));
    expect(await ask(server.url, policy)).toBe(200);
  });

  it('A link to a private address ends a download immediately as protocol, with the input that allows it', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startRawServer(json(200, {}));
    const { port } = new URL(server.url);
    const received = world.receive({
      url: `http://storage.example.com:${port}/a.tar.gz?sig=canary-signature`,
      bundle: { bundlePath: `${world.workspace}/a.tar.gz` },
      policy: { allowLoopback: true, allowAddress: false, allowPrivateHosts: false },
      internals: { lookup: publicLookup(rebound) },
    });
    const error: unknown = await received.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'protocol',
      hint: { inputs: { 'allow-private-hosts': 'true' } },
    });
    expect(String(error)).not.toContain('canary-signature');
    expect(server.connections()).toBe(0);
  });
});
