import { isIP } from 'node:net';
import { hasCode, protocolError, unless } from '../errors.ts';
import { isPrivateAddress } from '../http/hosts.ts';
import type { Log, Work } from '../log.ts';
import { formatDuration } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';
import { decodeLoosely, isLoopback } from '../text/names.ts';
import { SHORTEST_SECRET } from '../text/redact.ts';
import type { PlatformReply } from './client.ts';
import type { ExportBundle } from './contract.ts';
import type { ExportApi } from './export-api.ts';

/**
 * A presigned link that has passed every check and is masked: it may be downloaded and published.
 */
export interface BundleLink {
  readonly url: string;
  /** undefined: the platform did not give it, or not in a readable form. */
  readonly expiresAt: Date | undefined;
  /** Where the platform gives it; a hint, never a limit. */
  readonly sizeBytes: number | undefined;
}

/**
 * Makes links for one finished export job: at most three a run, each checked and masked before it
 * is returned.
 */
export interface LinkMaker {
  /**
   * A link that lives for another minute at least, and long enough for a download, as far as its
   * expiry is known.
   */
  fresh(): Promise<BundleLink>;
}

const MAX_LINKS_PER_RUN = 3;
const MAX_CONFLICTS = 3;
const CONFLICT_WAIT_MS = 2000;
const MIN_LIFE_MS = 60_000;
// 1 MiB a second: a download of the bundle must be done before the link dies, also over a slow
// line.
const BYTES_PER_MS = 1024 ** 2 / 1000;
const MAX_SKEW_MS = 60_000;
const MAX_URL_CHARS = 8192;
const MAX_SIZE_BYTES = 2 ** 43;

/**
 * Which links a base address allows: a loopback platform may give http and loopback links, an
 * address an address, and only one that is itself inside, or the input `allow-private-hosts`,
 * connections to private addresses.
 */
export interface LinkPolicy {
  readonly allowLoopback: boolean;
  readonly allowAddress: boolean;
  readonly allowPrivateHosts: boolean;
}

export function linkPolicy(baseUrl: string, allowPrivateHosts = false): LinkPolicy {
  const hostname = new URL(baseUrl).hostname;
  const address = hostname.replace(/^\[|\]$/g, '');
  const allowLoopback = isLoopback(hostname);
  const allowAddress = isIP(address) !== 0;
  // What a name resolves to is the platform's own to say, so that only an address counts as being
  // inside.
  const isInside = allowLoopback || (allowAddress && isPrivateAddress(address));
  return { allowLoopback, allowAddress, allowPrivateHosts: allowPrivateHosts || isInside };
}

// The whole link, in characters that need no quoting in a shell but `&`, `?` and round brackets,
// which are allowed only in a query's places and in the path. Square brackets are not: in a path
// they must be encoded (RFC 3986, 3.3), and curl reads `[1-9]` as nine addresses. The link is never
// encoded here, since some signatures are of the text as it came.
const LINK =
  /^https?:\/\/[A-Za-z0-9\-._~%+:@]+(\/[A-Za-z0-9\-._~/%+:@()]*)?(\?[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*(&[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*)*)?$/;

// A link may come to be in a shell: some characters are taken apart there, even if the signature
// was made over them.
const UNSAFE = /[^\w\-.~%+:@/?&=()]/u;

function nameOf(character: string): string {
  if (/[!-~]/.test(character)) return `the character "${character}"`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `the character U+${code.padStart(4, '0')}`;
}

/**
 * What is wrong with an address that the platform gave; completes "the address …". undefined: it
 * may be used.
 */
export function linkFault(raw: string, policy: LinkPolicy): string | undefined {
  if (raw.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  // Matched as it came: a URL parser silently drops line ends and tabs.
  if (!LINK.test(raw)) {
    const [, query = ''] = raw.split('?', 2);
    const [character] = UNSAFE.exec(raw) ?? /[()]/.exec(query) ?? [];
    if (character !== undefined) {
      return `contains ${nameOf(character)}, which a link may contain only percent-encoded`;
    }
    return 'is not an https address whose query has the form name=value&name=value';
  }
  if (!URL.canParse(raw)) return 'is not a valid address';
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '') return 'contains a user name';
  if (isLoopback(url.hostname)) {
    return policy.allowLoopback ? undefined : 'leads to this machine itself';
  }
  if (url.protocol !== 'https:') return 'is not https';
  if (isIP(url.hostname) !== 0 && !policy.allowAddress) {
    return 'leads to an IP address instead of a name';
  }
  return undefined;
}

/** True for what any platform may have given as a link. */
export function isBundleLink(text: string): boolean {
  const any = { allowLoopback: true, allowAddress: true, allowPrivateHosts: true };
  return linkFault(text, any) === undefined;
}

/** Returns the link as it came, or throws `protocol`; the message never contains the link. */
export function checkBundleUrl(raw: string, policy: LinkPolicy): string {
  const fault = linkFault(raw, policy);
  if (fault === undefined) return raw;
  throw protocolError(
    `The bundle link that the platform gave ${fault}; it was neither downloaded nor published.`,
    'Report it to the platform: the storage that signs the link has to encode it. An http link, or one to an IP address, is accepted only when base-url is one too.',
  );
}

// Names of query parameters whose values are secret however short they are.
const SECRET_NAME =
  /sig|token|credential|key|secret|auth|hdnts|hdnea|code|pass|verify|hmac|policy/i;
// No value of this length is needed to read a message, and each could be what makes the link work.
const LONGEST_OPEN_VALUE = 15;

/**
 * Parts of a link that alone would let someone use it, or let them guess it: the query, and every
 * long or secret value in it.
 */
export function linkSecrets(url: string): string[] {
  const query = url.split('?').slice(1).join('?');
  const parts = new Set([url, query]);
  for (const pair of query.split(/[&;]/)) {
    const name = pair.split('=')[0] ?? '';
    const value = pair.slice(pair.indexOf('=') + 1);
    if (!SECRET_NAME.test(name) && value.length <= LONGEST_OPEN_VALUE) continue;
    parts.add(value).add(decodeLoosely(value));
  }
  return [...parts].filter((part) => part.length >= SHORTEST_SECRET);
}

function readSize(raw: unknown, log: Log): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  const isSize = typeof raw === 'number' && Number.isInteger(raw);
  if (isSize && raw > 0 && raw <= MAX_SIZE_BYTES) return raw;
  log.warning(
    `The platform gave ${plainLine(String(raw), 40)} as the size of the bundle; it is ignored.`,
  );
  return undefined;
}

interface LinkMakerInit extends Work {
  readonly api: ExportApi;
  readonly jobId: string;
  readonly baseUrl: string;
}

export class CheckedLinks implements LinkMaker {
  readonly #init: LinkMakerInit;
  readonly #policy: LinkPolicy;
  readonly #warned = new Set<string>();
  #made = 0;

  constructor(init: LinkMakerInit) {
    this.#init = init;
    this.#policy = linkPolicy(init.baseUrl);
  }

  async fresh(): Promise<BundleLink> {
    const { jobId, log } = this.#init;
    for (;;) {
      if (this.#made >= MAX_LINKS_PER_RUN) {
        throw protocolError(
          `Three links were made for job ${jobId} in this run, and none of them could be used.`,
          "Check the platform's clock and storage; then run again with export-job-id, which does not start a second export.",
        );
      }
      const { link, lifeMs } = await this.#make();
      // A minute, and the time that a download of this size takes on a slow line.
      if (lifeMs >= MIN_LIFE_MS + (link.sizeBytes ?? 0) / BYTES_PER_MS) return link;
      if (this.#made >= MAX_LINKS_PER_RUN && lifeMs > 0) {
        this.#warnOnce(
          `The link expires in ${formatDuration(lifeMs)}; the platform makes none that is valid for longer.`,
        );
        return link;
      }
      const why = lifeMs <= 0 ? 'had expired already' : 'expires too soon';
      log.info(`The link ${why}; making another.`);
    }
  }

  async #make(): Promise<{ link: BundleLink; lifeMs: number }> {
    const { clock, log } = this.#init;
    this.#made += 1;
    const { value, serverTimeMs } = await this.#request();
    const url = checkBundleUrl(value.bundleUrl, this.#policy);
    for (const secret of linkSecrets(url)) log.mask(secret);
    const nowMs = clock.now();
    const skewMs = (serverTimeMs ?? nowMs) - nowMs;
    if (Math.abs(skewMs) > MAX_SKEW_MS) {
      this.#warnOnce(
        `This machine's clock differs from the platform's by ${formatDuration(Math.abs(skewMs))}; the platform's is used.`,
      );
    }
    const expiresAt = value.expiresAt;
    const link = { url, expiresAt, sizeBytes: readSize(value.sizeBytes, log) };
    if (expiresAt !== undefined) {
      return { link, lifeMs: expiresAt.getTime() - (clock.now() + skewMs) };
    }
    this.#warnOnce(
      'The platform did not give the expiry of the link in a readable form; expires-at stays empty.',
    );
    return { link, lifeMs: Number.POSITIVE_INFINITY };
  }

  // A job that is completed and a bundle that is not ready yet: replicas of the platform may lag
  // behind each other.
  async #request(): Promise<PlatformReply<ExportBundle>> {
    const { api, jobId, clock, log, signal } = this.#init;
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        return await api.link(jobId);
      } catch (error) {
        if (!hasCode(error, 'conflict') || conflicts > MAX_CONFLICTS) throw error;
        log.info(`The bundle of job ${jobId} is not ready yet; asking again.`);
        await clock.sleep(CONFLICT_WAIT_MS * conflicts, signal);
        // Once, and only to let replicas catch up: its failure must not end a finished export.
        await unless(['network', 'protocol', 'rate-limited'], () => api.poll(jobId));
      }
    }
  }

  #warnOnce(text: string): void {
    if (!this.#warned.has(text)) this.#init.log.warning(text);
    this.#warned.add(text);
  }
}
