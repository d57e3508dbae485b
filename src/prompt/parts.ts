import { byteLength, cut } from '../text/escape.ts';
import type { PromptContext, QuotedFile, Spot } from './context.ts';
import { fitPatch, type MeasuredPatch, measurePatch, whyNotQuoted } from './patch.ts';

export type Json = string | number | readonly Json[] | { readonly [key: string]: Json };

/** One part of the data: what it needs to be whole, and what it looks like within less. */
export interface Part {
  readonly key: string;
  readonly needBytes: number;
  readonly render: (maxBytes: number) => Json;
}

export interface Clean {
  /** Markdown of a person to the text that a page shows. */
  readonly prose: (text: string) => string;
  /** Text that is shown as it is, such as a diff or a file's name: invisible characters and credentials go. */
  readonly plain: (text: string) => string;
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

function textPart(key: string, text: string): Part {
  return { key, needBytes: jsonBytes(lines(text)), render: (maxBytes) => fitText(text, maxBytes) };
}

const LIST_FRAME_BYTES = 80;

/** As many of the values as fit, from the end where `newest`; their order stays, and it says how many they are. */
function listPart(part: {
  key: string;
  values: readonly Json[];
  /** How many there are; more than values where not all were read. */
  total?: number;
  keep: 'first' | 'newest';
}): Part {
  const { key, values, keep, total = values.length } = part;
  const shown = (kept: readonly Json[]): Json => ({ showing: `${kept.length} of ${total}`, list: kept });
  const sizes = values.map(nestedBytes);
  return {
    key,
    needBytes: sizes.reduce((sum, size) => sum + size, LIST_FRAME_BYTES),
    render(maxBytes) {
      const order = keep === 'newest' ? sizes.toReversed() : sizes;
      let bytes = LIST_FRAME_BYTES;
      const over = order.findIndex((size) => {
        bytes += size;
        return bytes > maxBytes;
      });
      const count = over < 0 ? values.length : over;
      return shown(keep === 'newest' ? values.slice(values.length - count) : values.slice(0, count));
    },
  };
}

const LONGEST_COMMENT_BYTES = 6 * 1024;
const LONGEST_HUNK_BYTES = 2 * 1024;

// The hunk of a review comment ends at the line that it is about: its end matters most.
function endOf(hunk: string): string {
  const all = hunk.split('\n');
  let bytes = 0;
  const from = all.findLastIndex((line) => {
    bytes += byteLength(line) + 1;
    return bytes > LONGEST_HUNK_BYTES;
  });
  return all.slice(from + 1).join('\n');
}

function spotPart({ path, line, hunk }: Spot, { plain }: Clean): Part {
  const place = { file: cut(plain(path).replace(/\s+/g, ' '), { bytes: 300 }), ...(line !== undefined && { line }) };
  const whole = { ...place, hunk: endOf(plain(hunk)).split('\n') };
  const needBytes = jsonBytes(whole) + 80;
  return { key: 'instructionWrittenOn', needBytes, render: (maxBytes) => (needBytes <= maxBytes ? whole : place) };
}

function filesPart(files: readonly QuotedFile[], total: number, { plain }: Clean): Part {
  const values = files.map(({ path, previousPath, status, additions, deletions, patch }) => {
    const isUncounted = patch === undefined && additions + deletions === 0 && status !== 'renamed';
    const counts = isUncounted ? '(not counted)' : `+${additions} -${deletions}`;
    const from = previousPath === undefined ? '' : ` (was ${plain(previousPath)})`;
    return `${status} ${counts} ${plain(path)}${from}`;
  });
  return listPart({ key: 'changedFiles', values, total, keep: 'first' });
}

function diffPart(files: readonly QuotedFile[], total: number, { plain }: Clean): Part {
  const quoted: MeasuredPatch[] = [];
  const listed: string[] = [];
  for (const file of files) {
    const why = whyNotQuoted({ ...file, changes: file.additions + file.deletions });
    if (why !== undefined || file.patch === undefined) listed.push(`${plain(file.path)}: ${why}`);
    else quoted.push(measurePatch(plain(file.path), plain(file.patch)));
  }
  const rest = fewOf(listed);
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

function fewOf(names: readonly string[]): Json {
  if (names.length <= MOST_LISTED) return names;
  return [...names.slice(0, MOST_LISTED), `showing ${MOST_LISTED} of ${names.length}`];
}

// Read before cleaning: with what GitHub does not show taken out, it still fills a comment's share.
const LONGEST_READ_CHARS = 4 * LONGEST_COMMENT_BYTES;
// Cleaning is most of the work. What was read already fills the prompt many times over, or holds next to nothing.
const READ_PER_LIMIT = 8;

/** Cleans texts until there is enough of them: no prompt has room for thousands of comments. */
class Gathering {
  readonly #prose: (text: string) => string;
  readonly #maxBytes: number;
  #bytes = 0;
  #read = 0;

  constructor({ prose }: Clean, maxBytes: number) {
    this.#prose = prose;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes || this.#read > READ_PER_LIMIT * this.#maxBytes;
  }

  say(text: string): Json {
    const beginning = cut(text, { chars: LONGEST_READ_CHARS }, '');
    this.#read += beginning.length;
    const clean = this.#prose(beginning);
    const isCut = beginning.length < text.length;
    const said = isCut ? `${clean}\n[cut: read ${beginning.length} of ${text.length} characters]` : clean;
    return fitText(said, LONGEST_COMMENT_BYTES);
  }

  /** The values of as many entries as there is room for, from the first on. */
  take<T>(entries: readonly T[], toValue: (entry: T) => Json): Json[] {
    const values: Json[] = [];
    for (const entry of entries) {
      if (this.isFull) break;
      const value = toValue(entry);
      this.#bytes += nestedBytes(value);
      values.push(value);
    }
    return values;
  }
}

const LEFT_OUT = '[left out: it comes from someone who lacks the permission to be quoted]';

/** The parts that can be cut, in the order in which they are printed. No more is cleaned than `limitBytes` have room for. */
export function createParts(context: PromptContext, clean: Clean, limitBytes: number): Part[] {
  const { spot, description, files, comments = [], reviewComments = [], relatedDocs = [], named = [] } = context;
  const { prose, plain } = clean;
  const parts: Part[] = spot === undefined ? [] : [spotPart(spot, clean)];
  for (const { name, text } of named) {
    const isProse = name === 'pull_request.title' || name === 'pull_request.description';
    const said = text === undefined ? LEFT_OUT : isProse ? prose(text) : plain(text);
    parts.push(textPart(`{{${name}}}`, said));
  }
  if (description !== undefined && description.trim() !== '') parts.push(textPart('description', prose(description)));
  const fileCount = Math.max(context.fileCount ?? 0, files?.length ?? 0);
  if (files !== undefined && context.showFiles) parts.push(filesPart(files, fileCount, clean));
  if (files !== undefined && context.showDiff) parts.push(diffPart(files, fileCount, clean));
  if (comments.length > 0) {
    const gathering = new Gathering(clean, limitBytes);
    const values = gathering.take(comments.toReversed(), ({ author, at, text }) => ({
      author: plain(author),
      at,
      text: gathering.say(text),
    }));
    parts.push(listPart({ key: 'comments', values: values.toReversed(), total: comments.length, keep: 'newest' }));
  }
  if (reviewComments.length > 0) {
    const gathering = new Gathering(clean, limitBytes);
    const values = gathering.take(reviewComments.toReversed(), ({ author, at, path, line, hunk, text }) => ({
      author: plain(author),
      at,
      ...(path !== undefined && { file: plain(path) }),
      ...(line !== undefined && { line }),
      ...(hunk !== undefined && { hunk: endOf(plain(hunk)).split('\n') }),
      text: gathering.say(text),
    }));
    const total = reviewComments.length;
    parts.push(listPart({ key: 'reviewComments', values: values.toReversed(), total, keep: 'newest' }));
  }
  if (relatedDocs.length > 0) {
    const gathering = new Gathering(clean, limitBytes);
    const values = gathering.take(relatedDocs, ({ path, content }) => ({
      path: plain(path),
      content: gathering.say(content),
    }));
    parts.push(listPart({ key: 'relatedDocumentation', values, total: relatedDocs.length, keep: 'first' }));
  }
  return parts;
}

/**
 * Shares a budget among needs so that small ones are met whole before large ones are cut: a need of no more than an even
 * share is met whole, and the rest is shared evenly among the others.
 */
export function shareBudget(needs: readonly number[], budget: number): number[] {
  const shares = needs.map(() => 0);
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need || a.index - b.index);
  let left = Math.max(0, budget);
  order.forEach(({ need, index }, position) => {
    const share = Math.min(need, Math.floor(left / (order.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

interface UsefulNeed {
  readonly need: number;
  /** Less than this is of no use. */
  readonly least: number;
}

/**
 * The same where less than `least` is of no use: as many as can be get at least that, those that take little first; what is
 * left is shared among them, and the others get nothing.
 */
export function shareUsefully(needs: readonly UsefulNeed[], budget: number): number[] {
  const order = needs
    .map(({ least }, index) => ({ least, index }))
    .sort((a, b) => a.least - b.least || a.index - b.index);
  let spent = 0;
  const served = order.filter(({ least }) => {
    const fits = spent + least <= budget;
    if (fits) spent += least;
    return fits;
  });
  const more = shareBudget(
    served.map(({ index, least }) => (needs[index]?.need ?? least) - least),
    budget - spent,
  );
  const shares = needs.map(() => 0);
  for (const [position, { index, least }] of served.entries()) shares[index] = least + (more[position] ?? 0);
  return shares;
}
