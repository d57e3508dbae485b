import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import { checkBypass, getProxyUrl } from '@actions/http-client/lib/proxy';
import { configError } from '../ground/errors.ts';
import { CHECKED } from './certificates.ts';

/**
 * The proxy that the environment names for this address, by the rules of the runner's own toolkit;
 * undefined: the connection is direct. Throws `config` for a proxy address that cannot be read.
 */
export function proxyFor(url: URL): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const setting = process.env[name.toLowerCase()] || process.env[name];
  // No proxy is set, or NO_PROXY names the host.
  if (!setting || checkBypass(url) || isInNoProxyList(url)) return undefined;
  // For an address that it cannot read, the toolkit gives no proxy: the request would bypass the
  // proxy.
  const proxy = getProxyUrl(url);
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) {
    // A password with `#`, `?` or `/` ends the host for the URL parser: the `@` before the real
    // host is then in what follows.
    const isLoginCut = `${proxy.pathname}${proxy.search}${proxy.hash}`.includes('@');
    if (!isLoginCut) return proxy;
  }
  throw configError(
    `The variable ${name} is not the address of a proxy. Nothing was sent.`,
    `Write ${name}=http://HOST:PORT or ${name}=http://USER:PASSWORD@HOST:PORT. In the user name and the password, every character but letters and digits is written percent-encoded: # is %23, % is %25, @ is %40, / is %2F.`,
  );
}

/**
 * True if NO_PROXY has this host in one of the forms that curl or Go reads and the toolkit does
 * not: in a list with spaces, as a range, such as `10.0.0.0/8`, as IPv6 without brackets, or as a
 * name that begins with `*.` or ends with a dot. As there, names are not resolved for it.
 */
function isInNoProxyList(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const setting = process.env['no_proxy'] || process.env['NO_PROXY'] || '';
  const entries = setting.split(/[\s,]+/);
  if (isIP(host) === 0) return entries.some((entry) => isNamed(url, entry.toLowerCase()));
  const listed = new BlockList();
  for (const entry of entries) addRange(listed, entry);
  return listed.check(host, familyOf(host));
}

/** Whether an entry names this host, or a domain above it. */
function isNamed({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, dot, name = '', only] = /^(\*?\.)?([^*:/]+?)\.?(?::(\d+))?$/.exec(entry) ?? [];
  const usualPort = protocol === 'https:' ? '443' : '80';
  if (name === '' || (only !== undefined && only !== (port || usualPort))) return false;
  const host = hostname.replace(/\.$/, '');
  return host.endsWith(`.${name}`) || (dot === undefined && host === name);
}

/** Adds `ADDRESS/PREFIX`, or an address alone. Any other entry is for the toolkit. */
function addRange(listed: BlockList, entry: string): void {
  const [, address = '', prefix] = /^\[?([\da-f.:]+)\]?(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0) return;
  const longest = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? longest : Number(prefix);
  if (bits <= longest) listed.addSubnet(address, bits, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  if (isIP(address) === 6) return 'ipv6';
  return 'ipv4';
}

/** The address of a proxy without its password. */
export function proxyName(url: URL): string | undefined {
  const proxy = proxyFor(url);
  return proxy && `${proxy.protocol}//${proxy.host}`;
}

interface Pool {
  /** Keeps connections, for the next request. */
  readonly kept: http.Agent;
  /** Makes a connection for each request. */
  readonly fresh: http.Agent;
}

/**
 * The options of an agent are also those of its connection to an https proxy, so that CHECKED is
 * needed here too: the options of a request are only for the connection to its server.
 */
function makePool(make: (options: http.AgentOptions) => http.Agent): Pool {
  return {
    kept: make({ keepAlive: true, ...CHECKED }),
    fresh: make({ keepAlive: false, ...CHECKED }),
  };
}

const direct: Readonly<Record<string, Pool>> = {
  'http:': makePool((options) => new http.Agent(options)),
  'https:': makePool((options) => new https.Agent(options)),
};
const tunnels = new Map<string, Promise<Pool>>();

/**
 * The agent for an address: through the proxy if there is one. `keep: false` makes a separate
 * connection for a call that must not be sent twice: a kept connection may break at the moment when
 * the request is written, and then it is unknown whether the request arrived.
 */
export async function agentFor(url: URL, options: { keep: boolean }): Promise<http.Agent> {
  const proxy = proxyFor(url);
  const pool = proxy === undefined ? direct[url.protocol] : await tunnelsOf(proxy);
  if (pool === undefined) throw new Error(`no agent for ${url.protocol}`);
  if (options.keep) return pool.kept;
  return pool.fresh;
}

function tunnelsOf(proxy: URL): Promise<Pool> {
  const opened = tunnels.get(proxy.href) ?? openTunnels(proxy);
  tunnels.set(proxy.href, opened);
  return opened;
}

async function openTunnels(proxy: URL): Promise<Pool> {
  // Loaded here: few runs have a proxy, and every run would pay for it at its start.
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const headers: Record<string, string> = {};
  if (proxy.username !== '' || proxy.password !== '') {
    // Not as part of the address: the library prints the address if DEBUG is set.
    const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
    headers['Proxy-Authorization'] = `Basic ${credentials}`;
  }
  const address = `${proxy.protocol}//${proxy.host}`;
  return makePool((options) => new HttpsProxyAgent(address, { ...options, headers }));
}
