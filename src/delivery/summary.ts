import { formatInstant } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import { table } from '../ground/text/markdown.ts';
import type { ExportRecord } from './state.ts';

/** What became of the link in one destination. */
export interface DestinationFacts {
  /** The canonical address, such as `github:secret/NAME`. */
  readonly destination: string;
  /** The destination contains the link of this run. */
  readonly written: boolean;
  /** The store's name of the version that contains the link, in stores that keep versions. */
  readonly version?: string;
  /** The store's name of the version with the previous link, to go back to. */
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
  readonly destinations?: readonly DestinationFacts[];
}

/** What a run records about the destinations of its link. */
export interface DeliveryRecord {
  readonly delivery: DeliveryFacts;
  /** What is and was live in the first destination that has a state, newest first. */
  readonly exports?: readonly LiveExport[] | undefined;
  /** Only after the link was put back: true if every destination still has that of this run. */
  readonly changed?: boolean;
}

/** An export in the history of a destination. */
export interface LiveExport extends ExportRecord {
  readonly live?: true;
}

/**
 * What a list of facts calls the link: `Secret` if every destination is a secret of a repository,
 * an environment or an organization, and also if there is none.
 */
export function deliveryLabel(delivery: DeliveryFacts | undefined): 'Secret' | 'Link' {
  const all = delivery?.destinations ?? [];
  const isSecret = all.every((one) => /^(github|gitea):/.test(one.destination));
  return isSecret ? 'Secret' : 'Link';
}

/** Whether the link was written, where, and why not. `isAskedFor`: the step names a destination. */
export function deliveryText(delivery: DeliveryFacts | undefined, isAskedFor: boolean): string {
  if (delivery === undefined) return isAskedFor ? 'not written' : 'not asked for';
  const destinations = delivery.destinations ?? [];
  if (destinations.length > 1) return destinations.map(destinationText).join('; ');
  // One destination has room for its full name, and for the reason.
  let text = `${codeSpan(delivery.name)} of ${escapeMarkdown(delivery.target)}`;
  const [only] = destinations;
  if (delivery.updated && only !== undefined) text += versionText(only);
  if (delivery.reason !== undefined) text += `: ${escapeMarkdown(delivery.reason)}`;
  return `${writtenTo(delivery.updated)} ${text}`;
}

function destinationText(facts: DestinationFacts): string {
  const text = `${writtenTo(facts.written)} ${codeSpan(facts.destination)}${versionText(facts)}`;
  if (facts.error === undefined) return text;
  return `${text}: ${escapeMarkdown(facts.error.code)}`;
}

function writtenTo(isWritten: boolean): string {
  return isWritten ? 'written to' : 'not written to';
}

function versionText({ version, formerVersion }: DestinationFacts): string {
  if (version === undefined) return '';
  if (formerVersion === undefined) return ` (version ${codeSpan(version)})`;
  return ` (version ${codeSpan(version)}; the previous link is version ${codeSpan(formerVersion)})`;
}

/** Longer names of people are cut. */
const MAX_NAME = 60;

/**
 * A table of the exports that are or were live, newest first; undefined: no destination has any.
 */
export function historySection(exports: readonly LiveExport[] = []): string | undefined {
  if (exports.length === 0) return undefined;
  const hasImages = exports.some((one) => one.image !== undefined);
  const head = ['Export job', 'State', 'First live', 'Pages', 'Run for', 'Published', 'By'];
  if (hasImages) head.push('Image');
  const rows = exports.map((one) => {
    const row = [
      codeSpan(one.job),
      stateText(one),
      timeText(one.at),
      one.pages?.toLocaleString('en-US') ?? '',
      codeText(one.commit?.slice(0, 7)),
      codeText(one.contentCommit?.slice(0, 7)),
      escapeMarkdown(one.by ?? '', MAX_NAME),
    ];
    // Without registry and repository, which are those of the destination: `sha256:…`.
    if (hasImages) row.push(codeText(one.image?.replace(/^.*@/, '')));
    return row;
  });
  return `### What is live\n\n${table(head, rows)}`;
}

/** An empty cell if the export has no such detail. */
function codeText(text: string | undefined): string {
  if (text === undefined) return '';
  return codeSpan(text);
}

function timeText(at: string | undefined): string {
  if (at === undefined) return '';
  return formatInstant(new Date(at));
}

/** What a reader should know of an export in the list; empty for most of the earlier ones. */
function stateText({ live, withdrawn, forced }: LiveExport): string {
  const words: string[] = [];
  if (live) words.push('**live**');
  else if (withdrawn !== undefined) words.push(`rolled back at ${timeText(withdrawn)}`);
  if (forced) words.push('forced');
  return words.join(', ');
}
