import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';
import { CourierError, type ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import type { Reply } from './call.ts';
import type { PlatformClient } from './client.ts';
import type { ExportBundle } from './contract.ts';

/** A presigned link that has passed every check: it may be fetched, masked and handed on. */
export interface BundleLink {
  readonly url: string;
  /** undefined: the platform did not say, or said something unreadable. */
  readonly expiresAt: Date | undefined;
  /** Where the platform tells it; a hint, never a limit. */
  readonly sizeBytes: number | undefined;
}

/** Makes links for one finished export job: at most three a run, each checked and masked before it is returned. */
export interface LinkMaker {
  /** A link that lives a minute longer, and long enough for a download, as far as the platform tells. */
  fresh(): Promise<BundleLink>;
}

const MAX_LINKS_PER_RUN = 3;
const MAX_CONFLICTS = 3;
const CONFLICT_WAIT_MS = 2000;
const PASSING: ReadonlySet<ErrorCode> = new Set(['network', 'protocol', 'rate-limited']);
const LEAST_LIFE_MS = 60_000;
// 1 MiB a second: whoever fetches the bundle must be done before the link dies, also over a slow line.
const BYTES_PER_MS = 1024 ** 2 / 1000;
const MAX_SKEW_MS = 60_000;
const LONGEST_URL = 8192;
const MAX_SIZE_BYTES = 2 ** 43;

export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Which links a base address allows: a loopback platform may hand out http and loopback links, an address an address. */
export interface LinkPolicy {
  readonly allowLoopback: boolean;
  readonly allowAddress: boolean;
}

export function linkPolicy(baseUrl: string): LinkPolicy {
  const { hostname } = new URL(baseUrl);
  return { allowLoopback: isLoopback(hostname), allowAddress: isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 };
}

// The whole link, in characters that need no quoting in a shell but `&` and `?`: those stand only where a query has them.
const LINK =
  /^https?:\/\/[A-Za-z0-9\-._~/%+:@]+(\?[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*(&[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*)*)?$/;

function linkFault(raw: string, policy: LinkPolicy): string | undefined {
  if (raw.length > LONGEST_URL) return `is longer than ${LONGEST_URL} characters`;
  // Matched as it came: a URL parser drops line ends and tabs without a word.
  if (!LINK.test(raw)) return 'is not an https address made of the characters that a presigned link needs';
  if (!URL.canParse(raw)) return 'is not an address';
  const { protocol, username, password, hostname } = new URL(raw);
  if (username !== '' || password !== '') return 'carries a user name';
  if (isLoopback(hostname)) return policy.allowLoopback ? undefined : 'leads to this machine itself';
  if (protocol !== 'https:') return 'is not https';
  if (isIP(hostname) !== 0 && !policy.allowAddress) return 'leads to an address instead of a name';
  return undefined;
}

/** Returns the link as it came, or throws `protocol`; the message never holds the link. */
export function checkBundleUrl(raw: string, policy: LinkPolicy): string {
  const fault = linkFault(raw, policy);
  if (fault === undefined) return raw;
  throw new CourierError({
    code: 'protocol',
    message: `The bundle link that the platform gave ${fault}; it was neither fetched nor handed on.`,
    hint: 'Tell the platform about it. An http link, or one to an address, is taken only when base-url is of that kind itself.',
  });
}

/** Parts of a link that alone would let someone use it, or let them guess it: the query, and every long value in it. */
export function linkSecrets(url: string): string[] {
  const query = url.split('?').slice(1).join('?');
  const values = query.split('&').flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1);
    return /sig|token|credential|key|secret/i.test(pair.split('=')[0] ?? '') ? [value, decodeLoosely(value)] : [];
  });
  return [url, query, ...values].filter((part) => part.length >= 8);
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readSize(raw: unknown, log: Log): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'number' && Number.isInteger(raw) && raw > 0 && raw <= MAX_SIZE_BYTES) return raw;
  log.warning(`The platform gave ${plainLine(String(raw), 40)} as the size of the bundle; it is ignored.`);
  return undefined;
}

export interface LinkMakerInit {
  readonly platform: PlatformClient;
  readonly jobId: string;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export function createLinkMaker(init: LinkMakerInit): LinkMaker {
  const { platform, jobId, clock, log, signal } = init;
  const policy = linkPolicy(init.baseUrl);
  const warned = new Set<string>();
  let made = 0;

  function warnOnce(text: string): void {
    if (!warned.has(text)) log.warning(text);
    warned.add(text);
  }

  // `completed` and a bundle that is not ready yet: replicas of the platform may lag behind each other.
  async function request(): Promise<Reply<ExportBundle>> {
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        return await platform.createBundle(jobId);
      } catch (error) {
        if (!(error instanceof CourierError) || error.code !== 'conflict' || conflicts > MAX_CONFLICTS) throw error;
        log.info(`The bundle of job ${jobId} is not ready yet; asking again.`);
        await clock.sleep(CONFLICT_WAIT_MS * conflicts, signal);
        await lookAgain();
      }
    }
  }

  // One attempt, and only to let replicas meet: its failure is no reason to give up a finished export.
  async function lookAgain(): Promise<void> {
    try {
      await platform.getExportJob(jobId);
    } catch (error) {
      if (!(error instanceof CourierError) || !PASSING.has(error.code)) throw error;
    }
  }

  async function make(): Promise<{ link: BundleLink; lifeMs: number }> {
    made += 1;
    const { value, serverTime } = await request();
    const url = checkBundleUrl(value.bundleUrl, policy);
    for (const secret of linkSecrets(url)) log.mask(secret);
    const skewMs = serverTime === undefined ? 0 : serverTime.getTime() - clock.now();
    if (Math.abs(skewMs) > MAX_SKEW_MS) {
      warnOnce(
        `This machine's clock differs from the platform's by ${Math.round(skewMs / 1000)} s; the platform's is used.`,
      );
    }
    const { expiresAt } = value;
    if (expiresAt === undefined) {
      warnOnce('The platform did not say in a readable form when the link expires; expires-at stays empty.');
    }
    const lifeMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt.getTime() - (clock.now() + skewMs);
    return { link: { url, expiresAt, sizeBytes: readSize(value.sizeBytes, log) }, lifeMs };
  }

  return {
    async fresh() {
      for (;;) {
        if (made >= MAX_LINKS_PER_RUN) throw tooManyLinks(jobId);
        const { link, lifeMs } = await make();
        if (lifeMs >= neededLifeMs(link)) return link;
        if (made >= MAX_LINKS_PER_RUN && lifeMs > 0) {
          warnOnce(
            `The link lives only ${Math.floor(lifeMs / 1000)} s longer; the platform makes none that lives longer.`,
          );
          return link;
        }
        log.info(
          lifeMs <= 0 ? 'The link had expired already; making another.' : 'The link expires too soon; making another.',
        );
      }
    },
  };
}

/** A minute, and the time that a download of this size takes on a slow line. */
function neededLifeMs({ sizeBytes = 0 }: BundleLink): number {
  return LEAST_LIFE_MS + sizeBytes / BYTES_PER_MS;
}

function tooManyLinks(jobId: string): CourierError {
  return new CourierError({
    code: 'protocol',
    message: `Three links were made for job ${jobId} in this run, and none of them could be used.`,
    hint: "Check the platform's clock and storage; then run again with export-job-id, which starts no second export.",
  });
}
