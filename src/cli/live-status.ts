import type { CiRunner } from '../ci/port.ts';
import { courierError, type ErrorCode, toCourierError } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { ownPackage } from '../ground/release.ts';
import { formatInstant, writeDuration } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../ground/text/escape.ts';
import { factList } from '../ground/text/markdown.ts';
import { Http } from '../http/http.ts';
import type { LiveInputs } from '../inputs/inputs.ts';
import { secretsOf } from '../inputs/read.ts';
import { readLive } from '../inputs/read-after.ts';
import { linkPolicy } from '../platform/link.ts';
import type { Presentation } from '../run/context.ts';
import { type End, type ExitRule, finish } from '../run/finish.ts';
import { errorSection, heading, sections } from '../run/report.ts';
import { STAMP_FILE, type Stamp } from '../site/added/stamp/stamp.ts';
import { PageFetcher } from '../steps/live/page-check.ts';
import { fetchStamp, stampAddress } from '../steps/live/stamp.ts';
import { InputReader, type InputSource, rawInput } from '../values/reader.ts';
import * as values from '../values/values.ts';

interface LiveStatusInit extends Work {
  readonly runner: CiRunner;
  readonly source: InputSource;
  /** The flag `--max-age` as it was given, such as `7d`; empty if it was not given. */
  readonly maxAge: string;
  readonly exitCode: ExitRule;
}

interface LiveStatusFacts {
  /** The address of the start page. */
  readonly liveUrl?: string;
  /** What the site says about itself: a text from outside, which is not signed. */
  readonly stamp?: Stamp;
}

interface LiveStatusInputs {
  readonly live: LiveInputs;
  readonly allowPrivateHosts: boolean;
  readonly maxAgeMs: number | undefined;
}

const TIME_LIMIT_MS = 30_000;
/** A stamp may be this far in the future, since clocks differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * `status --live-url`: shows the stamp of a published site, a file in which it says which export it
 * is. Needs no key and no platform. Gives the exit code.
 */
export async function showLive(init: LiveStatusInit): Promise<number> {
  const { source, log, clock } = init;
  for (const secret of secretsOf('live-headers', rawInput(source, 'live-headers')))
    log.mask(secret);
  // A mode gets this from `main`; `status --live-url` is not a mode, and makes its own.
  const end: End = {
    ...init,
    release: ownPackage().release,
    startedAt: new Date(clock.now()),
    startMs: clock.monotonicMs(),
    mode: 'status',
    results: init.runner.openResults(),
  };
  // What is known already is shown if a later step fails.
  let facts: LiveStatusFacts = {};
  try {
    const inputs = readLiveStatus(source, init.maxAge);
    const { url } = inputs.live;
    facts = { liveUrl: url };
    const stamp = await readSiteStamp(inputs, init);
    facts = { liveUrl: url, stamp };
    log.table(['What', 'Value'], rowsOf(url, stamp), (row) => row.join(': '));
    assertYoung(stamp, inputs, clock.now());
    return await finish(end, { facts: { ...facts, status: 'completed' }, presentation });
  } catch (error) {
    const failed = { ...facts, status: 'failed' } as const;
    return finish(end, { facts: failed, presentation, error: toCourierError(error) });
  }
}

/** The inputs of `status --live-url`. Throws `config` with everything that is wrong. */
function readLiveStatus(source: InputSource, maxAge: string): LiveStatusInputs {
  const reader = new InputReader(source);
  const live = readLive(reader);
  const allowPrivateHosts = reader.optional('allow-private-hosts', values.boolean) ?? false;
  let maxAgeMs: number | undefined;
  if (maxAge !== '') {
    const age = values.attempt(maxAgeDuration, maxAge);
    if (age.ok) maxAgeMs = age.value;
    else reader.problem('max-age', '--max-age must be a duration such as 7d or 36h');
  }
  // Without `live` there is a problem too: the check of it is for the compiler.
  if (live === undefined || reader.failed) throw reader.failure();
  return { live, allowPrivateHosts, maxAgeMs };
}

const DAY_MS = 24 * 60 * 60_000;

/** `7d`, or a shorter duration as inputs have it. */
const maxAgeDuration: values.Parser<number> = (text) => {
  if (/^\d{1,4}d$/.test(text)) return Number.parseInt(text, 10) * DAY_MS;
  return values.duration(text);
};

/** Fetches the stamp of the site. Throws if it has none that can be read. */
async function readSiteStamp(inputs: LiveStatusInputs, work: Work): Promise<Stamp> {
  const { url, headers } = inputs.live;
  const { clock } = work;
  // A site whose address is an IP address of a private network is fetched without the input too.
  const policy = linkPolicy(url, inputs.allowPrivateHosts);
  const fetcher = new PageFetcher({ http: new Http(work), clock, headers, ...policy });
  const address = stampAddress(url);
  const seen = await fetchStamp(fetcher, address, clock.monotonicMs() + TIME_LIMIT_MS);
  if (seen.kind === 'stamp') return seen.stamp;
  const code = seen.kind === 'unreadable' ? 'protocol' : codeOf(seen.status);
  throw courierError(
    code,
    `${address.href} has no stamp that can be read: ${plainLine(seen.why, 300)}.`,
    HINTS[code] ?? 'Check --live-url, and that this machine reaches it.',
  );
}

const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'not-found': `--live-url is the address of the start page, with its path. A site has ${STAMP_FILE} if it was exported with add: stamp.`,
  forbidden:
    'A site behind a login needs the headers that let a request in: --live-headers-file FILE.',
  protocol: `Open ${STAMP_FILE} of the site in a browser. A site has one if it was exported with add: stamp.`,
};

/** `status`: undefined if the site did not answer. */
function codeOf(status: number | undefined): ErrorCode {
  if (status === 404 || status === 410) return 'not-found';
  // A login, or a redirect to one.
  if (/^(3\d\d|401|403|407)$/.test(String(status))) return 'forbidden';
  return 'network';
}

/**
 * Throws `checks-failed` if the stamped export is older than it may be, or if that cannot be said.
 */
function assertYoung(stamp: Stamp, inputs: LiveStatusInputs, nowMs: number): void {
  if (inputs.maxAgeMs === undefined) return;
  // Not a number if the stamp has no time; then no comparison below is true.
  const ageMs = nowMs - Date.parse(stamp.exportedAt ?? '');
  if (ageMs <= inputs.maxAgeMs && ageMs >= -CLOCK_TOLERANCE_MS) return;
  throw courierError(
    'checks-failed',
    `${inputs.live.url}: ${whyNotYoung(ageMs)}.`,
    'Look at the last runs of the workflow that publishes the site, and export again. An image whose content is unchanged keeps its stamp: leave out --max-age for it.',
  );
}

function whyNotYoung(ageMs: number): string {
  if (Number.isNaN(ageMs)) return 'its stamp does not say when the export was requested';
  if (ageMs < 0) return 'its stamp names a time in the future';
  const days = Math.floor(ageMs / DAY_MS);
  // Rounded down, as the days are: `writeDuration` would round it.
  const wholeSecondsMs = Math.floor(ageMs / 1000) * 1000;
  const age = days < 2 ? writeDuration(wholeSecondsMs) : `${days} days`;
  return `the export was requested ${age} ago, which is more than --max-age`;
}

/**
 * What a stamp says, in one line each, without control characters, but not escaped for Markdown.
 * The id of the commit and the fingerprint are hexadecimal: the reader of the stamp checks that.
 */
function rowsOf(url: string, stamp: Stamp): readonly (readonly [string, string])[] {
  const { exportedAt, commit } = stamp;
  // An empty text is what the stamp does not say: such a row is left out below.
  const line = (text: string | null | undefined) => plainLine(text ?? '', 200);
  const from = commit?.from ? ` (${line(commit.from)})` : '';
  const rows: (readonly [string, string])[] = [
    ['Address', plainLine(url, 300)],
    ['Site', line(stamp.site)],
    ['Project', line(stamp.project)],
    ['Version', line(stamp.label)],
    ['Export job', line(stamp.exportJobId)],
    ['Requested', exportedAt === null ? 'not known' : formatInstant(new Date(exportedAt))],
    ['Commit', `${commit?.id ?? ''}${from}`],
    ['Pages', String(stamp.pages)],
    ['Content', stamp.fingerprint],
  ];
  return rows.filter((row) => row[1] !== '');
}

const presentation: Presentation<LiveStatusFacts> = {
  unreported: ['liveUrl'],
  summary(report) {
    // Without an address, `live-url` was wrong: the error says so.
    const { liveUrl = '', stamp } = report;
    const parts = [
      heading(`What is live at ${codeSpan(liveUrl)}`, report.status),
      errorSection(report.error),
    ];
    if (stamp !== undefined) {
      const rows = rowsOf(liveUrl, stamp);
      parts.push(
        factList(rows.map(([label, text]) => [label, escapeMarkdown(text)])),
        'This is what the site says about itself. It is not signed.',
      );
    }
    return sections(parts);
  },
};
