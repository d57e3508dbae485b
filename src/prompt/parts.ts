import type { DiffSpot, Written } from '../github/pull-request.ts';
import { byteLength, cut, oneLine } from '../ground/text/escape.ts';
import type { PromptContext, QuotedFile, QuotedText } from './context.ts';
import { countFitting, fitPatch, type MeasuredPatch, measurePatch, whyNotQuoted } from './patch.ts';
import { withUnseenChanges } from './unseen-changes.ts';

export type Json = string | number | boolean | readonly Json[] | JsonObject;
/** What is undefined is not printed. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** One part of the data: what it needs to be whole, and what it looks like within less. */
export interface PromptPart {
  readonly key: string;
  readonly needBytes: number;
  readonly render: (maxBytes: number) => Json;
}

/** How text is cleaned before it goes into the prompt. */
export interface Clean {
  /** What a page shows of a person's text. */
  readonly prose: (written: Written) => string;
  /** Removes invisible characters and credentials from other text. */
  readonly plain: (text: string) => string;
}

/** The name of a file, on one line. */
function cleanName(path: string, clean: Clean): string {
  return clean.plain(oneLine(path));
}

/**
 * A diff without invisible characters; a note says where only these changed. Line ends other than
 * `\n` stay within their line: else they would begin a line that no `+` marks as new.
 */
function cleanDiff(diff: string, clean: Clean): string {
  const lines = withUnseenChanges(diff.split('\n')).map((line) => oneLine(line.replace(/\r$/, '')));
  return clean.plain(lines.join('\n'));
}

/** Bytes of a value as the prompt prints it. */
export function jsonBytes(value: Json): number {
  return byteLength(JSON.stringify(value, null, 1));
}

/** A text of several lines is printed as a list of its lines. */
const lines = (text: string): Json => (text.includes('\n') ? text.split('\n') : text);

/**
 * Bytes of a value in the list of a part. It is three levels deep there, so each line is indented
 * by three more; a comma and a line end follow.
 */
function nestedBytes(value: Json): number {
  const printed = JSON.stringify(value, null, 1);
  return byteLength(printed) + 3 * printed.split('\n').length + 2;
}

/** A text in at most so many bytes of JSON. It says how much of it is there if it was cut. */
function fitText(text: string, maxBytes: number): Json {
  if (jsonBytes(lines(text)) <= maxBytes) return lines(text);
  const total = byteLength(text);
  // How much JSON adds depends on the characters, so smaller and smaller beginnings are tried.
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

/** At most what JSON adds to the content of a part: its key, brackets and counts. */
const PART_FRAME_BYTES = 80;

/** Which values of a list are kept if the list is too long. */
type Keep = 'first' | 'newest';

/**
 * A list with as many of the values as fit, in their order: the first ones, or the last ones if
 * `newest`. It says how many of `total` they are.
 */
function listPart(key: string, values: readonly Json[], total: number, keep: Keep): PromptPart {
  const sizes = values.map(nestedBytes);
  const needBytes = sizes.reduce((sum, size) => sum + size, PART_FRAME_BYTES);
  // Counted from the end that is kept.
  if (keep === 'newest') sizes.reverse();
  return {
    key,
    needBytes,
    render(maxBytes) {
      const count = countFitting(sizes, maxBytes - PART_FRAME_BYTES);
      const from = keep === 'newest' ? values.length - count : 0;
      return { showing: `${count} of ${total}`, list: values.slice(from, from + count) };
    },
  };
}

// Longer ones are cut, so that one comment does not take the room of many.
const LONGEST_COMMENT_BYTES = 6 * 1024;
const LONGEST_HUNK_BYTES = 2 * 1024;

/**
 * The end of the hunk of a review comment. The hunk ends at the line that the comment is about, so
 * its end matters most.
 */
function endOf(hunk: string): string[] {
  const all = hunk.split('\n');
  const sizes = all.map((line) => byteLength(line) + 1).reverse();
  const count = countFitting(sizes, LONGEST_HUNK_BYTES);
  const end = all.slice(all.length - count);
  return count === all.length ? end : [`[cut: showing ${count} of ${all.length} lines]`, ...end];
}

/** The lines of the diff that the instruction was written on, with the hunk if there is room. */
function spotPart(spot: DiffSpot, clean: Clean): PromptPart {
  const { path, hunk, ...place } = spot;
  const fileAndLine = { file: cut(cleanName(path, clean), { bytes: 300 }), ...place };
  const whole = { ...fileAndLine, hunk: endOf(cleanDiff(hunk, clean)) };
  const needBytes = jsonBytes(whole) + PART_FRAME_BYTES;
  return {
    key: 'instructionWrittenOn',
    needBytes,
    render: (maxBytes) => (needBytes <= maxBytes ? whole : fileAndLine),
  };
}

/** The names of the changed files, each with the size of its change. */
function filesPart(files: readonly QuotedFile[], total: number, clean: Clean): PromptPart {
  const values: string[] = [];
  for (const file of files) {
    const { status, additions, deletions, previousPath } = file;
    // GitHub counts no lines of binary and very large files; a renamed file can truly have none.
    const isUncounted =
      file.patch === undefined && additions + deletions === 0 && status !== 'renamed';
    const counts = isUncounted ? '(not counted)' : `+${additions} -${deletions}`;
    const oldName = previousPath === undefined ? '' : ` (was ${cleanName(previousPath, clean)})`;
    values.push(`${status} ${counts} ${cleanName(file.path, clean)}${oldName}`);
  }
  return listPart('changedFiles', values, total, 'first');
}

// Files that are only listed must leave room for the diffs of the others.
const MOST_LISTED = 50;
/** What JSON adds to the files: the keys, the counts and brackets. */
const DIFF_FRAME_BYTES = 120;

/**
 * The diffs of the files. A file whose diff tells the agent nothing, such as a generated one, is
 * listed with the reason. `total` is the number of changed files.
 */
function diffPart(files: readonly QuotedFile[], total: number, clean: Clean): PromptPart {
  const quoted: MeasuredPatch[] = [];
  const listed: string[] = [];
  for (const file of files) {
    const name = cleanName(file.path, clean);
    const reason = whyNotQuoted(file);
    if (reason !== undefined) listed.push(`${name}: ${reason}`);
    // There is a patch: `whyNotQuoted` has a reason for every file without one.
    else quoted.push(measurePatch(name, cleanDiff(file.patch ?? '', clean)));
  }
  const listedOnly = listed.slice(0, MOST_LISTED);
  if (listed.length > MOST_LISTED) listedOnly.push(`showing ${MOST_LISTED} of ${listed.length}`);
  const frameBytes = jsonBytes(listedOnly) + DIFF_FRAME_BYTES;
  // Files that GitHub counts and does not list: they count as files whose diff is not shown.
  const unlistedCount = total - files.length;
  return {
    key: 'diff',
    needBytes: quoted.reduce((sum, patch) => sum + patch.need, frameBytes),
    render(maxBytes) {
      // One for each patch, in the same order.
      const shares = shareUsefully(quoted, maxBytes - frameBytes);
      const shown = quoted.flatMap((patch, index) => fitPatch(patch, shares[index] ?? 0));
      return {
        showing: `${shown.length} of ${quoted.length + unlistedCount} files`,
        listedOnly: listedOnly.length === 0 ? undefined : listedOnly,
        files: shown,
      };
    },
  };
}

// Cleaning is most of the work, so it ends here: texts of this size fill the prompt many times
// over, or have almost nothing that is shown.
const READ_PER_LIMIT = 8;

/** A quoted text as the prompt prints it. */
function cleanQuoted(entry: QuotedText, clean: Clean): Json {
  // `facts`: who wrote it, when and where, as far as that is known.
  const { text, hunk, ...facts } = entry;
  const value: Record<string, Json> = {};
  for (const [name, fact] of Object.entries(facts)) {
    if (fact !== undefined) value[name] = typeof fact === 'string' ? clean.plain(fact) : fact;
  }
  if (hunk !== undefined) value['hunk'] = endOf(cleanDiff(hunk, clean));
  value['text'] = fitText(cleanText(text, clean), LONGEST_COMMENT_BYTES);
  return value;
}

function cleanText(text: QuotedText['text'], clean: Clean): string {
  return typeof text === 'string' ? clean.plain(text) : clean.prose(text);
}

/**
 * The quoted texts of one kind. They are cleaned only until there are enough: no prompt has room
 * for thousands of comments.
 */
function quotedPart(
  key: string,
  keep: Keep,
  entries: readonly QuotedText[],
  clean: Clean,
  limitBytes: number,
): PromptPart {
  const values: Json[] = [];
  let bytes = 0;
  let readChars = 0;
  for (const entry of keep === 'newest' ? entries.toReversed() : entries) {
    // They fill the prompt, or almost nothing of what was read is shown.
    if (bytes > limitBytes || readChars > READ_PER_LIMIT * limitBytes) break;
    const { text } = entry;
    readChars += (typeof text === 'string' ? text : (text.html ?? text.body)).length;
    const value = cleanQuoted(entry, clean);
    bytes += nestedBytes(value);
    values.push(value);
  }
  // The prompt has the oldest first.
  if (keep === 'newest') values.reverse();
  return listPart(key, values, entries.length, keep);
}

const LEFT_OUT = '[left out: it comes from someone who lacks the permission to be quoted]';

/**
 * The parts that can be cut, in the order in which they are printed. Only as much text is cleaned
 * as `limitBytes` have room for.
 */
export function createParts(
  context: PromptContext,
  clean: Clean,
  limitBytes: number,
): PromptPart[] {
  const { spot, description, files } = context;
  const parts: PromptPart[] = [];
  if (spot !== undefined) parts.push(spotPart(spot, clean));
  for (const { name, text } of context.named ?? []) {
    const shown = text === undefined ? LEFT_OUT : cleanText(text, clean);
    parts.push(textPart(`{{${name}}}`, shown));
  }
  const shownDescription = description === undefined ? '' : clean.prose(description);
  if (shownDescription !== '') parts.push(textPart('description', shownDescription));
  if (files !== undefined) {
    // Never fewer than are listed, whatever the count says.
    const total = Math.max(context.fileCount ?? 0, files.length);
    if (context.showFiles) parts.push(filesPart(files, total, clean));
    if (context.showDiff) parts.push(diffPart(files, total, clean));
  }
  const addQuoted = (key: string, keep: Keep, entries: readonly QuotedText[] = []) => {
    if (entries.length > 0) parts.push(quotedPart(key, keep, entries, clean, limitBytes));
  };
  addQuoted('comments', 'newest', context.comments);
  addQuoted('reviewComments', 'newest', context.reviewComments);
  addQuoted('relatedDocumentation', 'first', context.relatedDocs);
  return parts;
}

/**
 * Shares a budget among needs. A need of at most an even share is met whole, and the rest is shared
 * evenly among the others.
 */
export function shareBudget(needs: readonly number[], budget: number): number[] {
  const shares = needs.map(() => 0);
  const smallestFirst = needs.map((need, index) => ({ need, index }));
  smallestFirst.sort((a, b) => a.need - b.need);
  let unserved = needs.length;
  // The budget is negative if the instruction alone takes more than there is.
  let remaining = Math.max(0, budget);
  for (const { need, index } of smallestFirst) {
    const share = Math.min(need, Math.floor(remaining / unserved));
    shares[index] = share;
    remaining -= share;
    unserved -= 1;
  }
  return shares;
}

/**
 * Shares a budget among needs that are of no use with less than `least`: as many as possible get at
 * least that, the others get nothing. What then remains is shared as by `shareBudget`.
 */
export function shareUsefully(
  needs: readonly { readonly need: number; readonly least: number }[],
  budget: number,
): number[] {
  let remaining = budget;
  // By their index in `needs`.
  const served = new Set<number>();
  const smallestFirst = needs.map((one, index) => ({ index, least: one.least }));
  for (const { index, least } of smallestFirst.sort((a, b) => a.least - b.least)) {
    if (least > remaining) break;
    served.add(index);
    remaining -= least;
  }
  const unmetNeeds = needs.map((one, index) => (served.has(index) ? one.need - one.least : 0));
  // One share for each need, in the same order.
  const extraShares = shareBudget(unmetNeeds, remaining);
  return needs.map((one, index) => (served.has(index) ? one.least + (extraShares[index] ?? 0) : 0));
}
