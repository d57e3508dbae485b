import { randomBytes } from 'node:crypto';
import type { Clock } from '../../ground/clock.ts';
import { assertFailure, type CourierError, configError } from '../../ground/errors.ts';
import { formatDuration } from '../../ground/text/amounts.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { parseUrl } from '../../ground/text/names.ts';
import { systemCodes } from '../../http/codes.ts';
import type { HeaderFields, HttpReply } from '../../http/exchange.ts';
import { PRIVATE_ADDRESS } from '../../http/hosts.ts';
import type { Http } from '../../http/http.ts';
import { LOGIN_PAGE, type Service } from '../../http/service.ts';
import { MAX_PAGE_BYTES, type PageText, readPageText, textOfPage } from '../../site/pages.ts';
import { comparePage, type Difference } from './compare.ts';
import type { LivePage } from './summary.ts';

/** What came back for one address of the site. */
export type Fetched<T = PageText> =
  | {
      readonly kind: 'page';
      readonly status: number;
      /** What `read` gave for its text. */
      readonly page: T;
      readonly cache: HeaderFields | undefined;
      /** True if the page has a field for a password. */
      readonly isLogin: boolean;
    }
  | Unread;

interface Unread {
  readonly kind: 'status' | 'redirect' | 'unreachable';
  readonly status?: number | undefined;
  /** One sentence without a full stop. */
  readonly detail: string;
  readonly cache?: HeaderFields | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What is asked for, and how it is read. */
interface Content<T> {
  readonly read: (text: string) => T;
  /** The types of content that are asked for. */
  readonly accept: string;
  readonly maxBytes: number;
}

interface FetcherInit {
  readonly http: Http;
  readonly clock: Clock;
  /** Sent with each request, to the site's own origin and nowhere else. */
  readonly headers: HeaderFields;
  readonly allowPrivateHosts: boolean;
  /** The input with the address of the site; undefined: `live-url`. */
  readonly addressSetting?: 'served-at' | undefined;
}

const SITE: Service = { name: 'the published site', addressSetting: 'live-url' };
const MOST_REDIRECTS = 5;
const LIMITS = { connectMs: 10_000, headersMs: 15_000, idleMs: 15_000, totalMs: 30_000 } as const;

/** How a page is asked for. */
interface Way {
  readonly headers: HeaderFields;
  /** The address that the request is sent to. */
  readonly addressOf: (address: URL) => URL;
}

/** As readers get a page: perhaps from a cache. */
export const AS_READERS: Way = { headers: {}, addressOf: (address) => address };

/**
 * As far as caches allow it, from the site itself: they are asked to revalidate (RFC 9111,
 * 5.2.1.4), and a parameter with a random value makes an address that none of them knows.
 */
export const PAST_CACHES: Way = {
  headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
  addressOf: (address) => {
    const url = new URL(address);
    url.searchParams.set('docs-courier', randomBytes(6).toString('hex'));
    return url;
  },
};

/** The headers by which caches say what they did. Their values are printed; no other header is. */
const CACHE_HEADERS = [
  'age',
  'cache-control',
  'x-cache',
  'cf-cache-status',
  'x-vercel-cache',
  'x-served-by',
  'via',
];
const LONGEST_HEADER = 100;

/**
 * A documentation page may have a field for a password, too; but it has the words of the export.
 */
const MOST_WORDS_OF_LOGIN = 0.2;
const PASSWORD_FIELD = /<input\b[^<>]{0,300}\btype=["']?password\b/i;

/** What a browser asks for. */
const PAGES: Content<PageText> = {
  read: readPageText,
  accept: 'text/html,application/xhtml+xml',
  maxBytes: MAX_PAGE_BYTES,
};

/** Fetches pages of one site as a browser without scripts does, bounded in time and size. */
export class PageFetcher {
  readonly #init: FetcherInit;

  constructor(init: FetcherInit) {
    this.#init = init;
  }

  /** A page of the site; see `fetch`. */
  page(start: URL, way: Way, endMs: number): Promise<Fetched> {
    return this.fetch(start, way, endMs, PAGES);
  }

  /**
   * What is at an address, after redirects on the same origin. `endMs`: when to give up, by the
   * monotonic clock. Throws only `cancelled`, and `config` for an address of a private network.
   */
  async fetch<T>(start: URL, way: Way, endMs: number, content: Content<T>): Promise<Fetched<T>> {
    let address = start;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const url = way.addressOf(address);
      const reply = await this.#request(url, way, endMs, content);
      const isFailure = 'kind' in reply;
      if (isFailure) return reply;
      const { status } = reply;
      const { location } = reply.headers;
      if (location === undefined || !REDIRECTS.includes(status)) return readReply(reply, content);
      const target = redirectTarget(location, url, start);
      const isRefused = typeof target === 'string';
      if (isRefused)
        return { kind: 'redirect', status, detail: target, cache: cacheHeaders(reply) };
      address = target;
    }
    const detail = `there are more than ${MOST_REDIRECTS} redirects, one after the other`;
    return { kind: 'redirect', detail };
  }

  /** True once the time is over. */
  isOver(endMs: number): boolean {
    return this.#init.clock.monotonicMs() >= endMs;
  }

  /** One request. A server that gives no reply is a result, too: it may be back a moment later. */
  async #request(
    url: URL,
    way: Way,
    endMs: number,
    { accept, maxBytes }: Pick<Content<unknown>, 'accept' | 'maxBytes'>,
  ): Promise<HttpReply | Unread> {
    const { http, clock, headers, allowPrivateHosts, addressSetting = 'live-url' } = this.#init;
    try {
      return await http.request({
        service: { ...SITE, addressSetting },
        method: 'GET',
        url,
        headers: { accept, ...way.headers, ...headers },
        // Every reply is a result, and the next round repeats the request.
        repeat: 'never',
        accepts: () => true,
        allowPrivateHosts,
        limits: { ...LIMITS, bodyBytes: maxBytes },
        // Not negative: once the time is over, the request fails at once.
        timeLimitMs: Math.max(1, endMs - clock.monotonicMs()),
      });
    } catch (error) {
      assertFailure(error);
      if (systemCodes(error).includes(PRIVATE_ADDRESS))
        throw privateHostError(addressSetting, url, error);
      return { kind: 'unreachable', detail: error.message.replace(/\.$/, '') };
    }
  }
}

/** What a reply shows that is not a redirect. */
function readReply<T>(reply: HttpReply, content: Content<T>): Fetched<T> {
  const { status, headers } = reply;
  const cache = cacheHeaders(reply);
  if (status >= 200 && status <= 299) {
    const text = textOfPage(reply.body, headers['content-type']);
    const isLogin = PASSWORD_FIELD.test(text);
    return { kind: 'page', status, page: content.read(text), cache, isLogin };
  }
  // In seconds; a date, which is allowed as well, is ignored.
  const retryAfter = headers['retry-after'] ?? '';
  const retryAfterMs = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
  return { kind: 'status', status, detail: `the site answered ${status}`, cache, retryAfterMs };
}

const REDIRECTS = [301, 302, 303, 307, 308];

function privateHostError(input: string, url: URL, cause: CourierError): CourierError {
  return configError(
    `${input}: ${url.hostname} has only addresses of a private network.`,
    {
      text: 'If the site is inside your network, allow it:',
      inputs: { 'allow-private-hosts': 'true' },
    },
    { cause },
  );
}

/**
 * Where a redirect from `url` leads. As text: why it is not followed. `start`: the address that was
 * asked for; a person may have named a login page as the site.
 */
function redirectTarget(location: string, url: URL, start: URL): URL | string {
  const target = parseUrl(location, url);
  if (target === undefined) return 'the site redirects to no valid address';
  if (target.origin !== start.origin)
    return `the site redirects to another origin, ${plainLine(target.origin, 100)}, which is not followed`;
  if (LOGIN_PAGE.test(target.pathname) && !LOGIN_PAGE.test(start.pathname))
    return `the site redirects to the login page ${plainLine(target.pathname, 100)}`;
  return target;
}

/** What caches on the way said about themselves; undefined: nothing. */
function cacheHeaders(reply: HttpReply): HeaderFields | undefined {
  const found: Record<string, string> = {};
  for (const name of CACHE_HEADERS) {
    const value = reply.headers[name];
    if (typeof value === 'string') found[name] = plainLine(value, LONGEST_HEADER);
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** How much longer a cache serves its copy (RFC 9111, 4.2); undefined if the headers do not say. */
export function freshForSeconds({
  age,
  'cache-control': control = '',
}: HeaderFields): number | undefined {
  // For a shared cache, `s-maxage` comes before `max-age`.
  const lifetime =
    /s-maxage\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ??
    /max-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
  if (lifetime === undefined || age === undefined || !/^\d{1,9}$/.test(age)) return undefined;
  return Math.max(0, Number(lifetime) - Number(age));
}

/** One page of the sample: what was exported, and how the site shows it. */
export class PageCheck {
  /** What the last fetch showed. */
  facts: LivePage;
  /** How long the site asked this run to wait before the next request. */
  retryAfterMs = 0;
  readonly #addresses: readonly URL[];
  readonly #exported: PageText;
  #isFetched = false;

  /**
   * `path`: the address below the start page, such as `/guide/start`. `addresses`: those under
   * which a host may serve the page, the likeliest first.
   */
  constructor(path: string, addresses: readonly URL[], exported: PageText) {
    this.#addresses = addresses;
    this.#exported = exported;
    this.facts = { path, outcome: 'unreachable', detail: 'it was not fetched' };
  }

  get isLive(): boolean {
    return this.facts.outcome === 'live';
  }

  /** False if no reply came. */
  get isReached(): boolean {
    return this.facts.outcome !== 'unreachable';
  }

  /**
   * True if the site itself shows the page as exported, whatever caches serve. Fetches past the
   * caches, so that none of them keeps a page from before the delivery.
   */
  async isServed(fetcher: PageFetcher, endMs: number): Promise<boolean> {
    return (await this.#findServed(fetcher, endMs)).served !== undefined;
  }

  /**
   * Fetches the page past the caches, and once that is the exported page, also as readers get it.
   * In the other order, a cache could be filled with the page from before, and keep it. False: the
   * time was over before a result, and `facts` stays as it was.
   */
  async look(fetcher: PageFetcher, endMs: number): Promise<boolean> {
    const { served, reply } = await this.#findServed(fetcher, endMs);
    let addressForReaders = served;
    // Readers may get the page although such a request is refused, most likely at the first address.
    if (served === undefined && mayRefuseUncached(reply)) [addressForReaders] = this.#addresses;
    let fetched = reply;
    // Otherwise the site lacks the page, and `reply` says how.
    if (addressForReaders !== undefined)
      fetched = await fetcher.page(addressForReaders, AS_READERS, endMs);
    // A request for which no time was left says nothing about the site: an earlier result stays.
    if (fetched.kind === 'unreachable' && this.#isFetched && fetcher.isOver(endMs)) return false;
    this.#isFetched = true;
    this.facts = { path: this.facts.path, ...this.#judge(fetched, served) };
    this.retryAfterMs = fetched.kind === 'page' ? 0 : (fetched.retryAfterMs ?? 0);
    return true;
  }

  /**
   * Fetches the addresses past the caches. `served`: the first that shows the exported page.
   * `reply`: the one that says most about the page.
   */
  async #findServed(
    fetcher: PageFetcher,
    endMs: number,
  ): Promise<{ readonly served?: URL; readonly reply: Fetched }> {
    // Replaced by the first reply: a page always has an address.
    let best: Fetched = { kind: 'unreachable', detail: 'it has no address' };
    for (const address of this.#addresses) {
      const fetched = await fetcher.page(address, PAST_CACHES, endMs);
      const isServed =
        fetched.kind === 'page' && comparePage(this.#exported, fetched.page) === undefined;
      if (isServed) return { served: address, reply: fetched };
      // A page says more about what is wrong than an error, and an error more than no reply.
      const isFirstPage = fetched.kind === 'page' && best.kind !== 'page';
      if (isFirstPage || best.kind === 'unreachable') best = fetched;
      // The other addresses are on the same server: they are not tried.
      if (fetched.kind === 'unreachable') break;
    }
    return { reply: best };
  }

  /** What a reply says about the page. `served`: where the site itself has the exported page. */
  #judge(fetched: Fetched, served: URL | undefined): Omit<LivePage, 'path'> {
    const { status, cache } = fetched;
    if (fetched.kind !== 'page')
      return { outcome: fetched.kind, status, detail: fetched.detail, cache };
    const difference = comparePage(this.#exported, fetched.page);
    if (difference === undefined) return { outcome: 'live', status, cache };
    if (served !== undefined)
      return { outcome: 'cached', status, detail: cachedText(cache), ...difference, cache };
    if (fetched.isLogin && difference.found < MOST_WORDS_OF_LOGIN)
      return { outcome: 'redirect', status, detail: 'the site answers with a login page', cache };
    const detail = differenceText(difference);
    return { outcome: 'differs', status, detail, ...difference, cache };
  }
}

/**
 * True for a reply that may be caused by what is added to get past the caches: a firewall may
 * refuse the parameter, or a host may redirect to the address without it. A missing page (404, 410)
 * and a limit (429) have other causes.
 */
function mayRefuseUncached({ kind, status }: Fetched): boolean {
  if (kind === 'redirect') return true;
  // Without a reply, nothing was refused.
  if (status === undefined || [404, 410, 429].includes(status)) return false;
  return status >= 400 && status <= 499;
}

function differenceText(difference: Difference): string {
  // Rounded down: all words are there only if none is missing.
  if (difference.missing.length > 0)
    return `it has ${Math.floor(difference.found * 100)} % of the exported words`;
  if (difference.extra.length > 0) return 'it has all exported words, and others between them';
  return 'it has the exported words in another order';
}

function cachedText(cache: HeaderFields = {}): string {
  const text = 'the site has the export, but a cache serves something else';
  const seconds = freshForSeconds(cache);
  return seconds === undefined ? text : `${text}, for another ${formatDuration(seconds * 1000)}`;
}
