import { isIP } from 'node:net';
import { hasCode, protocolError, unless } from '../ground/errors.ts';
import type { Log, Work } from '../ground/log.ts';
import { formatDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { decodeLoosely, isLoopback } from '../ground/text/names.ts';
import { SHORTEST_SECRET } from '../ground/text/redact.ts';
import { isPrivateAddress } from '../http/hosts.ts';
import type { PlatformReply } from './client.ts';
import { type ExportBundle, readInstant } from './contract.ts';
import type { ExportApi } from './export-api.ts';

/**
 * A presigned link that has passed every check and is masked: it may be downloaded and published.
 */
export interface BundleLink {
  readonly url: string;
  /** undefined: the platform gave no expiry, or one that cannot be read. */
  readonly expiresAt: Date | undefined;
  /** The size that the platform gives, if it gives one; a hint, never a limit. */
  readonly sizeBytes: number | undefined;
}

/**
 * Makes links for one finished export job: at most three a run, each checked and masked before it
 * is returned.
 */
export interface LinkMaker {
  /**
   * A link that is valid for another minute at least, and long enough for a download; if its expiry
   * is not known, any link. The last one allowed may expire sooner. Throws if all had expired.
   */
  fresh(): Promise<BundleLink>;
}

const MAX_LINKS_PER_RUN = 3;
// How often a link is asked for again if the bundle is not ready, with 2, 4 and 6 s between.
const MAX_CONFLICTS = 3;
const CONFLICT_WAIT_MS = 2000;
const MIN_LIFE_MS = 60_000;
// 1 MiB a second: also on a slow line, a download of the bundle must end before the link expires.
const BYTES_PER_MS = 1024 ** 2 / 1000;
// Clocks that differ by more are reported.
const MAX_SKEW_MS = 60_000;
const MAX_URL_CHARS = 8192;
// 8 TiB: a larger number is not the size of a bundle.
const MAX_SIZE_BYTES = 2 ** 43;

/**
 * Which links are accepted. It follows from the base address: links may lead only to where the
 * platform itself is.
 */
export interface LinkPolicy {
  /** Links to this machine, also by http: if the platform is on this machine. */
  readonly allowLoopback: boolean;
  /** Links to an IP address: if the base address has one. */
  readonly allowAddress: boolean;
  /** Connections to private addresses: if the base address is one, or by `allow-private-hosts`. */
  readonly allowPrivateHosts: boolean;
}

/** `baseUrl`: empty for a run without a platform, whose links are only those of its user. */
export function linkPolicy(baseUrl: string, allowPrivateHosts = false): LinkPolicy {
  const hostname = baseUrl && new URL(baseUrl).hostname;
  // An address of IPv6 is in brackets.
  const address = hostname.replace(/^\[|\]$/g, '');
  const allowLoopback = isLoopback(hostname);
  const allowAddress = isIP(address) !== 0;
  // Only an IP address shows that the platform is in a private network: a name may resolve to any
  // address.
  const isInside = allowLoopback || (allowAddress && isPrivateAddress(address));
  return { allowLoopback, allowAddress, allowPrivateHosts: allowPrivateHosts || isInside };
}

// The whole link. All its characters need no quoting in a shell, except `?` and `&`, which are
// allowed only in a query, and round brackets, which are allowed only in the path. Square brackets
// are not allowed: in a path they must be encoded (RFC 3986, 3.3), and curl reads `[1-9]` as nine
// addresses. The link is never encoded here, since some signatures are of the text as it came.
const LINK =
  /^https?:\/\/[A-Za-z0-9\-._~%+:@]+(\/[A-Za-z0-9\-._~/%+:@()]*)?(\?[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*(&[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*)*)?$/;

// The characters that no link may have: a shell, in which a link may be used, would interpret them.
const UNSAFE = /[^\w\-.~%+:@/?&=()]/u;

/** The character as a message shows it; by its code point if it cannot be printed. */
function nameOf(character: string): string {
  if (/[!-~]/.test(character)) return `the character "${character}"`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `the character U+${code.padStart(4, '0')}`;
}

/** What follows the first question mark, with further ones; empty if there is none. */
function queryOf(link: string): string {
  return link.split('?').slice(1).join('?');
}

/**
 * What is wrong with an address that the platform gave; completes "the address …". undefined: it
 * may be used.
 */
export function linkFault(raw: string, policy: LinkPolicy): string | undefined {
  if (raw.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  // The text is matched before it is parsed: a URL parser silently drops line ends and tabs.
  if (!LINK.test(raw)) {
    // Round brackets are allowed in the path, but not in the query.
    const unsafe = UNSAFE.exec(raw) ?? /[()]/.exec(queryOf(raw));
    if (unsafe !== null) {
      return `contains ${nameOf(unsafe[0])}, which a link may contain only percent-encoded`;
    }
    return 'is not an https address whose query has the form name=value&name=value';
  }
  if (!URL.canParse(raw)) return 'is not a valid address';
  const url = new URL(raw);
  // The pattern allows `:` for a port and `@` for the path, and so also a login before the host.
  if (url.username !== '' || url.password !== '') return 'contains a user name';
  // A platform on this machine may use http and an IP address, so the checks below are not for it.
  if (isLoopback(url.hostname)) {
    return policy.allowLoopback ? undefined : 'leads to this machine itself';
  }
  if (url.protocol !== 'https:') return 'is not https';
  if (isIP(url.hostname) !== 0 && !policy.allowAddress) {
    return 'leads to an IP address instead of a name';
  }
  return undefined;
}

/** True if the text has the form of a link, whichever platform gave it. */
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

// Names of query parameters whose values are secret however short they are: of S3 and its kin, GCS,
// Azure, CloudFront and other CDNs.
const SECRET_NAME =
  /sig|token|credential|key|secret|auth|hdnts|hdnea|code|pass|verify|hmac|policy/i;
/** Such as `X-Amz-SignedHeaders` and `Signature-Version`: they only describe a signature. */
const DESCRIBES = /(?:headers|list|algorithm|alg|method|type|version|time|date|expires)$/i;
// A longer value of a query is masked, whatever its name, unless it can be read: it could make the
// link work, and no message needs it.
const LONGEST_OPEN_VALUE = 15;
/** Such as `AWS4-HMAC-SHA256`. */
const ALGORITHM = /^(?:[a-z0-9]{2,8}-){0,3}sha-?\d{1,3}$/i;
const HOST = /^(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?$/;
/** A number, a word, a word with a number, or a part of a date. */
const READABLE =
  /^(?:\d*|[A-Z]?[a-z]{0,15}|[A-Z]{1,15}|[A-Za-z]{1,5}\d{1,4}|\d{2,8}T\d{2,6}Z?|\d+Z)$/;

/** True if a person could use the link with this value of its query, which is decoded. */
function isSecretValue(name: string, value: string): boolean {
  if (readInstant(value) !== undefined || ALGORITHM.test(value)) return false;
  if (SECRET_NAME.test(name) && !DESCRIBES.test(name)) return true;
  if (value.length <= LONGEST_OPEN_VALUE || HOST.test(value)) return false;
  // Plus signs are of base64.
  return !value.split(/[^A-Za-z0-9+]+/).every((piece) => READABLE.test(piece));
}

/**
 * The parts of a link to mask: with one of them, a person could use the link or guess it. They are
 * the link, its query, and the values in the query that are secret. `open`: what outputs carry: the
 * runner passes on no output that contains a masked text.
 */
export function linkSecrets(url: string, open: readonly string[] = []): string[] {
  const query = queryOf(url);
  const parts = new Set([url, query]);
  for (const pair of query.split(/[&;]/)) {
    // Without an equals sign, the whole pair counts as the name and as the value.
    const name = pair.split('=')[0] ?? '';
    const value = pair.slice(pair.indexOf('=') + 1);
    const decoded = decodeLoosely(value);
    const isOpen = open.some((text) => text.includes(decoded));
    if (!isOpen && isSecretValue(name, decoded)) parts.add(value).add(decoded);
  }
  // With a shorter one, common words in the log would be masked.
  return [...parts].filter((part) => part.length >= SHORTEST_SECRET);
}

/** The size of the bundle in bytes; undefined: there is none, or one that makes no sense. */
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
  /** The commit that was published, which an output names. */
  readonly commit?: string | undefined;
}

/** See `LinkMaker`. */
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
      // Links of earlier calls count too.
      if (this.#made >= MAX_LINKS_PER_RUN) {
        throw protocolError(
          `Three links were made for job ${jobId} in this run, and none of them could be used.`,
          "Check the platform's clock and storage; then run again with export-job-id, which does not start a second export.",
        );
      }
      const { link, lifeMs } = await this.#make();
      // A minute and, if the size is known, the time of a download on a slow line.
      const neededMs = MIN_LIFE_MS + (link.sizeBytes ?? 0) / BYTES_PER_MS;
      if (lifeMs >= neededMs) return link;
      // The last link that may be made: a short life is better than none.
      const isLast = this.#made >= MAX_LINKS_PER_RUN;
      if (isLast && lifeMs > 0) {
        this.#warnOnce(
          `The link expires in ${formatDuration(lifeMs)}; the platform makes none that is valid for longer.`,
        );
        return link;
      }
      const why = lifeMs <= 0 ? 'had expired already' : 'expires too soon';
      log.info(`The link ${why}; making another.`);
    }
  }

  /**
   * Makes one link, checks and masks it. `lifeMs`: how long it is valid, by the platform's clock.
   */
  async #make(): Promise<{ link: BundleLink; lifeMs: number }> {
    const { clock, log } = this.#init;
    this.#made += 1;
    const { value, serverTimeMs } = await this.#request();
    const url = checkBundleUrl(value.bundleUrl, this.#policy);
    for (const secret of linkSecrets(url, this.#openIds())) log.mask(secret);
    const nowMs = clock.now();
    // The expiry is by the platform's clock. Without its time, both clocks count as equal.
    const platformNowMs = serverTimeMs ?? nowMs;
    const skewMs = Math.abs(platformNowMs - nowMs);
    if (skewMs > MAX_SKEW_MS) {
      this.#warnOnce(
        `This machine's clock differs from the platform's by ${formatDuration(skewMs)}; the platform's is used.`,
      );
    }
    const expiresAt = value.expiresAt;
    const link = { url, expiresAt, sizeBytes: readSize(value.sizeBytes, log) };
    if (expiresAt !== undefined) {
      return { link, lifeMs: expiresAt.getTime() - platformNowMs };
    }
    // A link whose expiry is not known is taken as it is: another would not have one either.
    this.#warnOnce(
      'The platform did not give the expiry of the link in a readable form; expires-at stays empty.',
    );
    return { link, lifeMs: Number.POSITIVE_INFINITY };
  }

  #openIds(): readonly string[] {
    const { api, jobId, commit } = this.#init;
    const { domain, projectId } = api.source;
    return [jobId, domain, projectId, commit].filter((id) => id !== undefined);
  }

  /**
   * Asks for a link. A `conflict` says that the bundle is not ready, although a poll has shown the
   * job as completed: another replica of the platform has answered, which is behind. So it is asked
   * again, up to three times, each after a longer wait.
   */
  async #request(): Promise<PlatformReply<ExportBundle>> {
    const { api, jobId, clock, log, signal } = this.#init;
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        return await api.link(jobId);
      } catch (error) {
        if (!hasCode(error, 'conflict') || conflicts > MAX_CONFLICTS) throw error;
        log.info(`The bundle of job ${jobId} is not ready yet; asking again.`);
        await clock.sleep(CONFLICT_WAIT_MS * conflicts, signal);
        // One poll, only to let the replicas catch up: its answer is not used. A failure that may
        // pass must not end a finished export; any other would meet the next request too.
        await unless(['network', 'protocol', 'rate-limited'], () => api.poll(jobId));
      }
    }
  }

  #warnOnce(text: string): void {
    if (!this.#warned.has(text)) this.#init.log.warning(text);
    this.#warned.add(text);
  }
}
