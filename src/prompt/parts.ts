import type { DiffSpot } from '../github/pull-request.ts';
import { byteLength, cut, oneLine } from '../text/escape.ts';
import type { PromptContext, QuotedFile, QuotedText } from './context.ts';
import { countFitting, fitPatch, type MeasuredPatch, measurePatch, whyNotQuoted } from './patch.ts';
import { withUnseenChanges } from './unseen-changes.ts';

export type Json = string | number | readonly Json[] | { readonly [key: string]: Json };

/** One part of the data: what it needs to be whole, and what it looks like within less. */
export interface PromptPart {
  readonly key: string;
  readonly needBytes: number;
  readonly render: (maxBytes: number) => Json;
}

export interface Clean {
  /** Markdown of a person to the text that a page shows. */
  readonly prose: (text: string) => string;
  /** Text that is shown as it is: invisible characters and credentials go. */
  readonly plain: (text: string) => string;
}

/** The name of a file, on one line. */
function cleanName(path: string, { plain }: Clean): string {
  return plain(oneLine(path));
}

/**
 * A diff. Any other line end than `\n` is content of its line: after it would begin a line that no
 * `+` marks as new.
 */
function cleanDiff(diff: string, { plain }: Clean): string {
  const lines = withUnseenChanges(diff.split('\n')).map((line) => oneLine(line.replace(/\r$/, '')));
  return plain(lines.join('\n'));
}

/** Bytes of a value as the prompt prints it. */
export function jsonBytes(value: Json): number {
  return byteLength(JSON.stringify(value, null, 1));
}

const lines = (text: string): Json => (text.includes('\n') ? text.split('\n') : text);

/** The same inside a list of a part: three levels deep, so each line is indented by three more. */
function nestedBytes(value: Json): number {
  const printed = JSON.stringify(value, null, 1);
  return byteLength(printed) + 3 * printed.split('\n').length + 2;
}

/** A text within so many bytes of JSON; says so where it was cut. */
function fitText(text: string, maxBytes: number): Json {
  if (jsonBytes(lines(text)) <= maxBytes) return lines(text);
  const total = byteLength(text);
  for (let bytes = Math.min(total, maxBytes); bytes > 0; bytes = Math.floor(bytes * 0.9)) {
    const kept = cut(text, { bytes }, '');
    const value = lines(`${kept}\n[cut: showing ${byteLength(kept)} of ${total} bytes]`);
    if (jsonBytes(value) <= maxBytes) return value;
  }
  return `[cut: showing 0 of ${total} bytes]`;
}

function textPart(key: string, text: string): PromptPart {
  return { key, needBytes: jsonBytes(lines(text)), render: (maxBytes) => fitText(text, maxBytes) };
}

const LIST_FRAME_BYTES = 80;

interface ListInit {
  readonly key: string;
  readonly values: readonly Json[];
  /** How many there are; more than values if not all were read. */
  readonly total: number;
  readonly keep: 'first' | 'newest';
}

/**
 * As many of the values as fit, from the end if `newest`; their order stays, and it says how many
 * they are.
 */
function listPart({ key, values, keep, total }: ListInit): PromptPart {
  const sizes = values.map(nestedBytes);
  return {
    key,
    needBytes: sizes.reduce((sum, size) => sum + size, LIST_FRAME_BYTES),
    render(maxBytes) {
      const isNewest = keep === 'newest';
      const count = countFitting(
        isNewest ? sizes.toReversed() : sizes,
        maxBytes - LIST_FRAME_BYTES,
      );
      const list = isNewest ? values.slice(values.length - count) : values.slice(0, count);
      return { showing: `${count} of ${total}`, list };
    },
  };
}

const LONGEST_COMMENT_BYTES = 6 * 1024;
const LONGEST_HUNK_BYTES = 2 * 1024;

// The hunk of a review comment ends at the line that it is about: its end matters most.
function endOf(hunk: string): string[] {
  const all = hunk.split('\n');
  const sizes = all.map((line) => byteLength(line) + 1).reverse();
  return all.slice(all.length - countFitting(sizes, LONGEST_HUNK_BYTES));
}

function spotPart({ path, line, hunk }: DiffSpot, clean: Clean): PromptPart {
  const place = {
    file: cut(cleanName(path, clean), { bytes: 300 }),
    ...(line !== undefined && { line }),
  };
  const whole = { ...place, hunk: endOf(cleanDiff(hunk, clean)) };
  const needBytes = jsonBytes(whole) + 80;
  return {
    key: 'instructionWrittenOn',
    needBytes,
    render: (maxBytes) => (needBytes <= maxBytes ? whole : place),
  };
}

function filesPart(files: readonly QuotedFile[], total: number, clean: Clean): PromptPart {
  const values = files.map(({ path, previousPath, status, additions, deletions, patch }) => {
    const isUncounted = patch === undefined && additions + deletions === 0 && status !== 'renamed';
    const counts = isUncounted ? '(not counted)' : `+${additions} -${deletions}`;
    const from = previousPath === undefined ? '' : ` (was ${cleanName(previousPath, clean)})`;
    return `${status} ${counts} ${cleanName(path, clean)}${from}`;
  });
  return listPart({ key: 'changedFiles', values, total, keep: 'first' });
}

function diffPart(files: readonly QuotedFile[], total: number, clean: Clean): PromptPart {
  const quoted: MeasuredPatch[] = [];
  const listed: string[] = [];
  for (const file of files) {
    const why = whyNotQuoted({ ...file, changes: file.additions + file.deletions });
    if (why !== undefined || file.patch === undefined)
      listed.push(`${cleanName(file.path, clean)}: ${why}`);
    else quoted.push(measurePatch(cleanName(file.path, clean), cleanDiff(file.patch, clean)));
  }
  const few = listed.slice(0, MOST_LISTED);
  const rest =
    few.length < listed.length ? [...few, `showing ${MOST_LISTED} of ${listed.length}`] : few;
  const unlisted = total - files.length;
  return {
    key: 'diff',
    needBytes: quoted.reduce((sum, { need }) => sum + need, 0) + jsonBytes(rest) + 120,
    render(maxBytes) {
      const shares = shareUsefully(quoted, maxBytes - jsonBytes(rest) - 120);
      const shown = quoted.flatMap((file, index) => fitPatch(file, shares[index] ?? 0));
      const head = { showing: `${shown.length} of ${quoted.length + unlisted} files` };
      return { ...head, ...(listed.length > 0 && { listedOnly: rest }), files: shown };
    },
  };
}

const MOST_LISTED = 50;

// Read before cleaning: with what GitHub does not show taken out, it still fills a comment's share.
const LONGEST_READ_CHARS = 4 * LONGEST_COMMENT_BYTES;
// Cleaning is most of the work. What was read already fills the prompt many times over, or adds
// next to nothing.
const READ_PER_LIMIT = 8;

interface Quoted extends Pick<ListInit, 'key' | 'keep'> {
  readonly entries: readonly QuotedText[] | undefined;
}

function cleanFacts(
  facts: Readonly<Record<string, Json | undefined>>,
  clean: Clean,
): Record<string, Json> {
  const cleaned: Record<string, Json> = {};
  for (const [name, fact] of Object.entries(facts)) {
    if (fact !== undefined) cleaned[name] = typeof fact === 'string' ? clean.plain(fact) : fact;
  }
  return cleaned;
}

/**
 * Texts are cleaned until there is enough of them: no prompt has room for thousands of comments.
 */
function quotedPart(
  { key, keep, entries = [] }: Quoted,
  clean: Clean,
  limitBytes: number,
): PromptPart[] {
  const values: Json[] = [];
  let [bytes, read] = [0, 0];
  for (const { text, hunk, ...facts } of keep === 'newest' ? entries.toReversed() : entries) {
    if (bytes > limitBytes || read > READ_PER_LIMIT * limitBytes) break;
    const beginning = cut(text, { chars: LONGEST_READ_CHARS }, '');
    read += beginning.length;
    const isCut = beginning.length < text.length;
    const note = isCut ? `\n[cut: read ${beginning.length} of ${text.length} characters]` : '';
    const value = cleanFacts(facts, clean);
    if (hunk !== undefined) value['hunk'] = endOf(cleanDiff(hunk, clean));
    value['text'] = fitText(`${clean.prose(beginning)}${note}`, LONGEST_COMMENT_BYTES);
    bytes += nestedBytes(value);
    values.push(value);
  }
  if (keep === 'newest') values.reverse();
  return entries.length === 0 ? [] : [listPart({ key, values, total: entries.length, keep })];
}

const LEFT_OUT = '[left out: it comes from someone who lacks the permission to be quoted]';

function namedText(
  { name, text }: NonNullable<PromptContext['named']>[number],
  clean: Clean,
): string {
  if (text === undefined) return LEFT_OUT;
  const isProse = name === 'pull_request.title' || name === 'pull_request.description';
  return isProse ? clean.prose(text) : clean.plain(text);
}

/**
 * The parts that can be cut, in the order in which they are printed. No more is cleaned than
 * `limitBytes` have room for.
 */
export function createParts(
  context: PromptContext,
  clean: Clean,
  limitBytes: number,
): PromptPart[] {
  const {
    spot,
    description = '',
    files,
    comments,
    reviewComments,
    relatedDocs,
    named = [],
  } = context;
  const fileCount = Math.max(context.fileCount ?? 0, files?.length ?? 0);
  return [
    ...(spot === undefined ? [] : [spotPart(spot, clean)]),
    ...named.map((one) => textPart(`{{${one.name}}}`, namedText(one, clean))),
    ...(description.trim() === '' ? [] : [textPart('description', clean.prose(description))]),
    ...(files !== undefined && context.showFiles ? [filesPart(files, fileCount, clean)] : []),
    ...(files !== undefined && context.showDiff ? [diffPart(files, fileCount, clean)] : []),
    ...quotedPart({ key: 'comments', keep: 'newest', entries: comments }, clean, limitBytes),
    ...quotedPart(
      { key: 'reviewComments', keep: 'newest', entries: reviewComments },
      clean,
      limitBytes,
    ),
    ...quotedPart(
      { key: 'relatedDocumentation', keep: 'first', entries: relatedDocs },
      clean,
      limitBytes,
    ),
  ];
}

/**
 * Shares a budget among needs: one of at most an even share is met whole, and the rest is shared
 * evenly among the others.
 */
export function shareBudget(needs: readonly number[], budget: number): number[] {
  const shares = needs.map(() => 0);
  let left = Math.max(0, budget);
  for (const [position, [index, need]] of [...needs.entries()]
    .sort(([, a], [, b]) => a - b)
    .entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/**
 * The same if less than `least` is of no use: as many as can be get at least that, the others
 * nothing.
 */
export function shareUsefully(
  needs: readonly Pick<MeasuredPatch, 'need' | 'least'>[],
  budget: number,
): number[] {
  const shares = needs.map(() => 0);
  let left = budget;
  const served = [...needs.entries()]
    .sort(([, a], [, b]) => a.least - b.least)
    .filter(([, { least }]) => {
      const fits = least <= left;
      if (fits) left -= least;
      return fits;
    });
  const wanted = served.map(([, { need, least }]) => need - least);
  const more = shareBudget(wanted, left);
  for (const [position, [index, { least }]] of served.entries())
    shares[index] = least + (more[position] ?? 0);
  return shares;
}
