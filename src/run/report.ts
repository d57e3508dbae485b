import type { ErrorCode } from '../ground/errors.ts';
import { DOCUMENTATION } from '../ground/published.ts';
import type { Release } from '../ground/release.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import { table } from '../ground/text/markdown.ts';

export const STATUSES = [
  'completed',
  'failed',
  'timed-out',
  'detached',
  'cancelled',
  'skipped',
  'refused',
] as const;
export type Status = (typeof STATUSES)[number];

/** A write that `dry-run` did not do, or one that a real run did. */
export interface Write {
  /** Such as `start an export` or `write the secret`. */
  readonly action: string;
  /** Where it goes: a URL without its query, or `secret DOCS_BUNDLE_URL of repository acme/app`. */
  readonly target: string;
}

/** How a run ended, in every mode. The report of a mode is this and its own facts. */
export interface RunFacts {
  readonly status: Status;
  /** One sentence: why it was skipped, refused or detached. */
  readonly reason?: string | undefined;
  /** Filled with `dry-run` only. */
  readonly planned?: readonly Write[] | undefined;
}

export interface ReportError {
  readonly code: ErrorCode;
  readonly message: string;
  /** A sentence, and below it an example to copy. */
  readonly hint?: string | undefined;
  /** The address of the section about this code, or the command that prints it. */
  readonly help?: string | undefined;
}

/**
 * The `report` output: the facts of a mode with what main adds. Everything in it may be printed.
 */
export type Report<Facts> = Partial<Facts> &
  RunFacts & {
    readonly version: 1;
    readonly mode: string;
    /** The Docs Courier that ran. */
    readonly release?: Release | undefined;
    readonly error?: ReportError | undefined;
    /** ISO 8601, UTC. */
    readonly startedAt: string;
    readonly elapsedMs: number;
  };

const HEADINGS: Readonly<Record<Status, string>> = {
  completed: '✅',
  failed: '❌',
  'timed-out': '⏱️',
  detached: '↗️',
  cancelled: '🛑',
  skipped: '⏭️',
  refused: '🚫',
};

/** `## ✅ Export of docs.example.com: completed`. `subject` is Markdown. */
export function heading(subject: string, status: Status): string {
  return `## ${HEADINGS[status]} ${subject}: ${status}`;
}

/**
 * `## 🧪 Dry run: nothing was exported`, instead of a heading that would say that the work is done.
 */
export function dryRunHeading(done: string): string {
  return `## 🧪 Dry run: nothing was ${done}`;
}

/**
 * What went wrong and what to do; empty without an error. The first line of a message or hint is a
 * sentence; the lines after it are a list in a message, and an example to copy in a hint.
 */
export function errorSection(error: ReportError | undefined): string {
  if (error === undefined) return '';
  const [first = '', ...rest] = error.message.split('\n');
  const parts = [`**What happened** (${codeSpan(error.code)}): ${escapeMarkdown(first, 1500)}`];
  // Some lines of a message are items of a list already.
  if (rest.length > 0)
    parts.push(rest.map((line) => `- ${escapeMarkdown(line.replace(/^- /, ''), 500)}`).join('\n'));
  if (error.hint !== undefined) parts.push(hintSection(error.hint));
  return parts.join('\n\n');
}

function hintSection(hint: string): string {
  const [advice = '', ...example] = hint.split('\n');
  const text = `**What to do**: ${escapeMarkdown(advice, 1500)}`;
  if (example.length === 0) return text;
  // For a workflow, an example is YAML; elsewhere it is a command, or its flags.
  const isShell = /^ *(?:--|docs-courier |export )/.test(example[0] ?? '');
  const language = isShell ? 'sh' : 'yaml';
  return `${text}\n\n${codeBlock(example.join('\n'), { language })}`;
}

/** Sections with a blank line between them; empty ones left out. */
export function sections(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

/** A table of what a dry run would have written; undefined if this was not a dry run. */
export function plannedSection(planned: readonly Write[] | undefined): string | undefined {
  if (planned === undefined) return undefined;
  if (planned.length === 0) return 'Nothing would be written.';
  const rows = planned.map((write) => [escapeMarkdown(write.action), codeSpan(write.target)]);
  return table(['What would happen', 'Where'], rows);
}

const SETUP = 'errors-setup';
const REMOTE = 'errors-remote';
const BUNDLE = 'errors-bundle';

const PAGES: Readonly<Record<ErrorCode, string>> = {
  config: SETUP,
  unauthorized: SETUP,
  forbidden: SETUP,
  'not-found': SETUP,
  refused: SETUP,
  conflict: REMOTE,
  'rate-limited': REMOTE,
  'job-failed': REMOTE,
  'timed-out': REMOTE,
  network: REMOTE,
  protocol: REMOTE,
  integrity: BUNDLE,
  'unsafe-archive': BUNDLE,
  'checks-failed': BUNDLE,
  io: BUNDLE,
  cancelled: BUNDLE,
};

/**
 * The address of a page of the documentation, such as `how-to/refresh.md`; undefined until it is
 * published: a copy of the action and the packed command line have no pages.
 */
export function documentation(path: string): string | undefined {
  if (DOCUMENTATION === '') return undefined;
  return `${DOCUMENTATION}docs/${path}`;
}

/** Words that lead to a page, as Markdown; the words alone until the page has an address. */
export function pageLink(words: string, path: string): string {
  const address = documentation(path);
  if (address === undefined) return words;
  return `[${words}](${address})`;
}

/**
 * Where the section about an error code is: the command that prints it, or its address. undefined
 * in the action until the pages are published.
 */
export function helpFor(code: ErrorCode, program: string | undefined): string | undefined {
  if (program !== undefined) return `${program} explain ${code}`;
  return documentation(`reference/${PAGES[code]}.md#error-${code}`);
}

/** What an error code means, for a summary. Its texts are loaded only by a run that failed. */
export async function aboutSection({ code, help }: ReportError): Promise<string> {
  const { EXPLANATIONS } = await import('./explanations.ts');
  const words = `About the error code ${codeSpan(code)}`;
  const meaning = EXPLANATIONS[code][0];
  if (help === undefined) return `${words}: ${meaning}`;
  if (help.startsWith('https:')) return `[${words}](${help}): ${meaning}`;
  return `${words} (${codeSpan(help)}): ${meaning}`;
}
