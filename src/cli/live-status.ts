import { STAMP_FILE, type Stamp } from '../added/stamp/stamp.ts';
import type { CiRunner } from '../ci/port.ts';
import { CourierError, type ErrorCode, toCourierError } from '../errors.ts';
import { Http } from '../http/http.ts';
import type { LiveInputs } from '../inputs/inputs.ts';
import { secretsOf } from '../inputs/read.ts';
import { readLive } from '../inputs/read-after.ts';
import type { Work } from '../log.ts';
import { linkPolicy } from '../platform/link.ts';
import { type SeenStamp, StampFetcher, stampAddress } from '../publish/after/live/stamp.ts';
import type { Presentation } from '../run/context.ts';
import { type End, type ExitRule, finish } from '../run/finish.ts';
import { errorSection, heading, sections } from '../run/report.ts';
import { formatInstant, writeDuration } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown, plainLine } from '../text/escape.ts';
import { factList } from '../text/markdown.ts';
import { InputReader, type InputSource, rawInput } from '../values/reader.ts';
import * as values from '../values/values.ts';

interface LiveStatusInit extends Work {
  readonly runner: CiRunner;
  readonly source: InputSource;
  /** As it was given: `7d`. */
  readonly maxAge: string | undefined;
  readonly exitCode: ExitRule;
}

interface LiveStatusFacts {
  /** The address of the start page. */
  readonly liveUrl?: string | undefined;
  /** What the site says about itself. It is from outside, and proves nothing. */
  readonly stamp?: Stamp | undefined;
}

interface LiveStatusInputs {
  readonly live: LiveInputs;
  readonly allowPrivateHosts: boolean;
  readonly maxAgeMs: number | undefined;
}

const TIME_LIMIT_MS = 30_000;
/** A clock that is wrong by less does not matter. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * `status --live-url`: shows the stamp of a published site, without a key and without the platform.
 * Gives the exit code.
 */
export async function showLive({
  runner,
  source,
  maxAge,
  exitCode,
  ...work
}: LiveStatusInit): Promise<number> {
  const { log, clock } = work;
  for (const secret of secretsOf('live-headers', rawInput(source, 'live-headers')))
    log.mask(secret);
  const times = { startedAt: new Date(clock.now()), startMs: clock.monotonicMs() };
  const { showHint } = runner;
  const end: End = {
    ...times,
    mode: 'status',
    results: runner.openResults(),
    log,
    clock,
    showHint,
    exitCode,
  };
  let facts: LiveStatusFacts = {};
  try {
    const inputs = readLiveStatus(source, maxAge);
    facts = { liveUrl: inputs.live.url };
    const stamp = await fetchStamp(inputs, work);
    facts = { ...facts, stamp };
    const shown = rowsOf(inputs.live.url, stamp).flatMap(([label, text]) =>
      text === undefined ? [] : [[label, text]],
    );
    log.table(['What', 'Value'], shown, ([label, text]) => `${label}: ${text}`);
    assertYoung(stamp, inputs, clock.now());
    return await finish(end, { facts: { ...facts, status: 'completed' }, presentation });
  } catch (error) {
    return finish(end, { facts, presentation, error: toCourierError(error) });
  }
}

/** Throws `config` with everything that is wrong. */
function readLiveStatus(source: InputSource, maxAge: string | undefined): LiveStatusInputs {
  const reader = new InputReader(source);
  const live = readLive(reader);
  const allowPrivateHosts = reader.optional('allow-private-hosts', values.boolean) ?? false;
  const age = maxAge === undefined ? undefined : values.attempt(days, maxAge);
  if (age?.ok === false)
    reader.problem('max-age', '--max-age must be a duration such as 7d or 36h');
  if (live === undefined || reader.failed) throw reader.failure();
  return { live, allowPrivateHosts, maxAgeMs: age?.ok === true ? age.value : undefined };
}

const DAY_MS = 24 * 60 * 60_000;

/** `7d`, or a shorter duration as inputs have it. */
const days: values.Parser<number> = (text) => {
  const [, count] = /^(\d{1,4})d$/.exec(text) ?? [];
  return count === undefined ? values.duration(text) : Number(count) * DAY_MS;
};

async function fetchStamp(
  { live, allowPrivateHosts }: LiveStatusInputs,
  work: Work,
): Promise<Stamp> {
  const { clock } = work;
  const policy = linkPolicy(live.url, allowPrivateHosts);
  const site = {
    http: new Http(work),
    clock,
    headers: live.headers,
    allowPrivateHosts: policy.allowPrivateHosts,
  };
  const address = stampAddress(live.url);
  const seen = await new StampFetcher(site).fetch(address, clock.monotonicMs() + TIME_LIMIT_MS);
  if (seen.kind === 'stamp') return seen.stamp;
  throw noStamp(address, seen);
}

function noStamp(address: URL, seen: Exclude<SeenStamp, { kind: 'stamp' }>): CourierError {
  const code = seen.kind === 'unreadable' ? 'protocol' : codeOf(seen.status);
  return new CourierError({
    code,
    message: `${address.href} has no stamp that can be read: ${plainLine(seen.why, 300)}.`,
    hint: HINTS[code] ?? 'Check --live-url, and that this machine reaches it.',
  });
}

const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'not-found': `--live-url is the address of the start page, with its path. A site has ${STAMP_FILE} if it was exported with add: stamp.`,
  forbidden:
    'A site behind a login needs the headers that let a request in: --live-headers-file FILE.',
  protocol: `Open ${STAMP_FILE} of the site in a browser. A site has one if it was exported with add: stamp.`,
};

function codeOf(status: number | undefined): ErrorCode {
  if (status === 404 || status === 410) return 'not-found';
  const isLogin =
    status !== undefined && ((status >= 300 && status <= 399) || [401, 403, 407].includes(status));
  return isLogin ? 'forbidden' : 'network';
}

/**
 * Throws `checks-failed` if the stamped export is older than it may be, or if that cannot be said.
 */
function assertYoung(
  { exportedAt }: Stamp,
  { live, maxAgeMs }: LiveStatusInputs,
  nowMs: number,
): void {
  if (maxAgeMs === undefined) return;
  const ageMs = exportedAt === null ? Number.NaN : nowMs - Date.parse(exportedAt);
  if (ageMs <= maxAgeMs && ageMs >= -CLOCK_TOLERANCE_MS) return;
  throw new CourierError({
    code: 'checks-failed',
    message: `${live.url}: ${whyNotYoung(ageMs)}.`,
    hint: 'Look at the last runs of the workflow that publishes the site, and export again. An image whose content is unchanged keeps its stamp: leave out --max-age for it.',
  });
}

function whyNotYoung(ageMs: number): string {
  if (Number.isNaN(ageMs)) return 'its stamp does not say when the export was requested';
  if (ageMs < 0) return 'its stamp names a time in the future';
  const hours = Math.floor(ageMs / 3_600_000);
  const age =
    hours < 48 ? writeDuration(Math.floor(ageMs / 1000) * 1000) : `${Math.floor(hours / 24)} days`;
  return `the export was requested ${age} ago, which is more than --max-age`;
}

/** What a stamp says, in one line each: inert, but not escaped for Markdown. */
function rowsOf(url: string, stamp: Stamp): readonly (readonly [string, string | undefined])[] {
  const { site, project, exportJobId, exportedAt, commit, label, pages, fingerprint } = stamp;
  const line = (text: string | null) => (text === null ? undefined : plainLine(text, 200));
  const from = commit?.from === null ? '' : ` (${plainLine(commit?.from ?? '', 200)})`;
  return [
    ['Address', plainLine(url, 300)],
    ['Site', line(site)],
    ['Project', line(project)],
    ['Version', line(label)],
    ['Export job', line(exportJobId)],
    ['Requested', exportedAt === null ? 'not known' : formatInstant(new Date(exportedAt))],
    ['Commit', commit === null ? undefined : `${commit.id}${from}`],
    ['Pages', String(pages)],
    ['Content', fingerprint],
  ];
}

const presentation: Presentation<LiveStatusFacts> = {
  outputs: () => ({}),
  unreported: ['liveUrl'],
  summary: ({ status, error, liveUrl = '', stamp }) =>
    sections([
      heading(`What is live at ${codeSpan(liveUrl)}`, status),
      errorSection(error),
      stamp &&
        factList(
          rowsOf(liveUrl, stamp).map(
            ([label, text]) => [label, text && escapeMarkdown(text)] as const,
          ),
        ),
      stamp && 'This is what the site says about itself. It is not signed.',
    ]),
};
