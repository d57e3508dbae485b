import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import { getProxyUrl } from '@actions/http-client/lib/proxy';

/**
 * The proxy that the environment names for this address: HTTPS_PROXY or HTTP_PROXY, in either case, unless NO_PROXY, a
 * loopback or a link-local address says otherwise. The rules are those of the runner's own toolkit.
 */
export function proxyFor(url: URL): URL | undefined {
  // Where clouds serve credentials to their machines: no proxy gets there.
  if (/^(169\.254\.\d+\.\d+|\[fd00:ec2::.*\])$/.test(url.hostname)) return undefined;
  return getProxyUrl(url.href.startsWith('http') ? url : new URL(url.href));
}

interface Pool {
  readonly kept: http.Agent;
  readonly fresh: http.Agent;
}

const direct: Readonly<Record<string, Pool>> = {
  'http:': { kept: new http.Agent({ keepAlive: true }), fresh: new http.Agent({ keepAlive: false }) },
  'https:': { kept: new https.Agent({ keepAlive: true }), fresh: new https.Agent({ keepAlive: false }) },
};
const tunnels = new Map<string, Promise<Pool>>();

/**
 * The agent for an address: through the proxy where there is one. `keep: false` gives a connection of its own, for calls
 * that must not be written to a kept connection that breaks in that moment: nobody knows then whether the request arrived.
 */
export async function agentFor(url: URL, { keep }: { keep: boolean }): Promise<http.Agent> {
  const proxy = proxyFor(url);
  const pool = proxy === undefined ? direct[url.protocol] : await tunnelPool(proxy);
  if (pool === undefined) throw new Error(`no agent for ${url.protocol}`);
  return keep ? pool.kept : pool.fresh;
}

function tunnelPool(proxy: URL): Promise<Pool> {
  const known = tunnels.get(proxy.href);
  if (known !== undefined) return known;
  const pool = openTunnels(proxy);
  tunnels.set(proxy.href, pool);
  return pool;
}

async function openTunnels(proxy: URL): Promise<Pool> {
  // Loaded here: few runs have a proxy, and every run would pay for it at its start.
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const address = `${proxy.protocol}//${proxy.host}`;
  // Not as part of the address: the library prints that where DEBUG is set.
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const headers =
    proxy.username === '' && proxy.password === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` };
  return {
    kept: new HttpsProxyAgent(address, { keepAlive: true, headers }),
    fresh: new HttpsProxyAgent(address, { keepAlive: false, headers }),
  };
}
