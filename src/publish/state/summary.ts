import { formatInstant } from '../../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../../text/escape.ts';
import { table } from '../../text/markdown.ts';
import type { ExportRecord } from './state.ts';

/** What became of the link in one destination. */
export interface DestinationFacts {
  /** The canonical address, such as `github:secret/NAME`. */
  readonly destination: string;
  /** The destination contains the link of this run. */
  readonly written: boolean;
  /** The store's name of the version that contains the link, in stores that keep versions. */
  readonly version?: string | undefined;
  /** That of the version with the link before, for going back to. */
  readonly formerVersion?: string | undefined;
  /** What went wrong there: the code and the message of the error. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/**
 * What became of the link and of the state next to it, in the first destination; `updated` is about
 * all of them.
 */
export interface DeliveryFacts {
  /** Every destination contains the link of this run. */
  readonly updated: boolean;
  /** Such as `DOCS_BUNDLE_URL`. */
  readonly name: string;
  /** Where it is, such as `repository acme/app` or `environment production of acme/app`. */
  readonly target: string;
  /** True when the state names job and expiry of this link. */
  readonly stateWritten: boolean;
  /** Why something was not written. */
  readonly reason?: string | undefined;
  readonly destinations?: readonly DestinationFacts[] | undefined;
}

/** What a run records about the destinations of its link. */
export interface DeliveryRecord {
  readonly delivery: DeliveryFacts;
  /** What is and was live in the first destination that has a state, newest first. */
  readonly exports?: readonly LiveExport[] | undefined;
}

/** An export in the history of a destination. */
export interface LiveExport extends ExportRecord {
  readonly live?: true | undefined;
}

/**
 * What a list of facts calls it: `Secret` if every destination is one of a repository, an
 * environment or an organization.
 */
export function deliveryLabel(delivery: DeliveryFacts | undefined): 'Secret' | 'Link' {
  return (delivery?.destinations ?? []).every(({ destination }) =>
    /^(github|gitea):/.test(destination),
  )
    ? 'Secret'
    : 'Link';
}

/** Written or not, where, and why not. `isAskedFor`: the step names a destination. */
export function deliveryText(delivery: DeliveryFacts | undefined, isAskedFor: boolean): string {
  if (delivery === undefined) return isAskedFor ? 'not written' : 'not asked for';
  const { destinations = [] } = delivery;
  if (destinations.length > 1) return destinations.map(destinationText).join('; ');
  const where = `${codeSpan(delivery.name)} of ${escapeMarkdown(delivery.target)}`;
  const why = delivery.reason === undefined ? '' : `: ${escapeMarkdown(delivery.reason)}`;
  const version = destinations[0] === undefined ? '' : versionText(destinations[0]);
  return delivery.updated ? `written to ${where}${version}${why}` : `not written to ${where}${why}`;
}

function destinationText(facts: DestinationFacts): string {
  const { destination, written, error } = facts;
  const why = error === undefined ? '' : `: ${escapeMarkdown(error.code)}`;
  return `${written ? 'written to' : 'not written to'} ${codeSpan(destination)}${versionText(facts)}${why}`;
}

function versionText({ version, formerVersion }: DestinationFacts): string {
  if (version === undefined) return '';
  const former =
    formerVersion === undefined ? '' : `; the previous link is version ${codeSpan(formerVersion)}`;
  return ` (version ${codeSpan(version)}${former})`;
}

/** What is live and what was, newest first; nothing if no destination has a state. */
export function historySection(exports: readonly LiveExport[] = []): string | undefined {
  if (exports.length === 0) return undefined;
  const hasImages = exports.some(({ image }) => image !== undefined);
  const rows = exports.map(({ job, at, pages, commit, contentCommit, by, image, ...marks }) => [
    codeSpan(job),
    markText(marks),
    at === undefined ? '' : formatInstant(new Date(at)),
    pages?.toLocaleString('en-US') ?? '',
    commit === undefined ? '' : codeSpan(commit.slice(0, 7)),
    contentCommit === undefined ? '' : codeSpan(contentCommit.slice(0, 7)),
    by === undefined ? '' : escapeMarkdown(by, 60),
    ...(hasImages ? [image === undefined ? '' : codeSpan(image.replace(/^.*@/, ''))] : []),
  ]);
  const head = ['Export job', 'State', 'First live', 'Pages', 'Run for', 'Published', 'By'];
  return `### What is live\n\n${table([...head, ...(hasImages ? ['Image'] : [])], rows)}`;
}

type ExportMarks = Pick<LiveExport, 'live' | 'withdrawn' | 'forced'>;

function markText(marks: ExportMarks): string {
  return [placeText(marks), marks.forced ? 'forced' : ''].filter((text) => text !== '').join(', ');
}

function placeText({ live, withdrawn }: ExportMarks): string {
  if (live) return '**live**';
  return withdrawn === undefined ? '' : `rolled back at ${formatInstant(new Date(withdrawn))}`;
}
