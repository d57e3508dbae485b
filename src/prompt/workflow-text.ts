import type { OutsideText } from '../github/outside-texts.ts';
import { stripInvisible } from '../ground/text/escape.ts';
import type { Instruction } from './compose.ts';

/** An instruction of a workflow. It is on no page, so only invisible characters go. */
export function plainInstruction(written: string): Instruction {
  const { text, removed: invisible } = stripInvisible(written);
  return { text, removed: [], invisible };
}

/** A text of an event within a line is recognized from this length on. */
const LEAST_CHARS = 20;

/** A part of the prompt, in UTF-16 units. */
interface Range {
  readonly start: number;
  end: number;
}

/** Texts of the event in the prompt that overlap. */
interface Passage extends Range {
  /** Without those that are inside of another. */
  readonly texts: Set<OutsideText>;
}

/**
 * The input `prompt` with a name in double braces instead of each text of the event that is in
 * it: as a whole, or a long line of it. Such a text is not the workflow's own. `found`: these texts.
 * The prompt must be as given: cleaning it could change the ends of these texts.
 */
export function nameOutsideTexts(prompt: string, outside: readonly OutsideText[]) {
  const passages = findPassages(prompt, outside);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, texts } of passages) {
    pieces.push(prompt.slice(at, start), ...Array.from(texts, ({ name }) => `{{${name}}}`));
    at = end;
  }
  const found = new Set(passages.flatMap(({ texts }) => [...texts]));
  return { text: pieces.join('') + prompt.slice(at), found: [...found] };
}

/** In the order of the prompt. All are looked for in the same text, so that none hides another. */
function findPassages(prompt: string, outside: readonly OutsideText[]): Passage[] {
  const ranges = outside.flatMap((one) => rangesOf(one, prompt));
  // Of those that begin together, the longest is first, and the others are inside of it.
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  const passages: Passage[] = [];
  for (const { start, end, one } of ranges) {
    const last = passages.at(-1);
    if (last === undefined || start >= last.end)
      passages.push({ start, end, texts: new Set([one]) });
    else if (end > last.end) {
      last.end = end;
      last.texts.add(one);
    }
  }
  return passages;
}

/** Where a text of the event is in the prompt. */
function rangesOf(one: OutsideText, prompt: string) {
  const written = one.text.trim();
  const wholes = [written, plainInstruction(written).text.trim()];
  // Perhaps only some of the lines are there.
  const lines = wholes.flatMap((whole) => whole.split('\n')).map((line) => line.trim());
  const parts = new Set([...wholes, ...wholes.map(asJson), ...lines]);
  const ranges: Range[] = [];
  for (const part of parts) {
    if (part.length >= LEAST_CHARS) ranges.push(...findAll(prompt, part));
    else if (part !== '' && wholes.includes(part))
      ranges.push(...findAll(prompt, part).filter((range) => hasOwnLines(prompt, range)));
  }
  return ranges.map((range) => ({ ...range, one }));
}

/** Where this part is in the prompt; one range for those that overlap, which can be very many. */
function findAll(prompt: string, part: string): Range[] {
  const ranges: Range[] = [];
  for (let start = prompt.indexOf(part); start >= 0; start = prompt.indexOf(part, start + 1)) {
    const end = start + part.length;
    const last = ranges.at(-1);
    if (last !== undefined && start < last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

/** True if nothing else is in the lines of this range. */
function hasOwnLines(prompt: string, { start, end }: Range): boolean {
  const before = prompt.slice(0, start);
  const after = prompt.slice(end);
  const indent = before.slice(before.trimEnd().length);
  const rest = after.slice(0, after.length - after.trimStart().length);
  const isFirst = indent === before || indent.includes('\n');
  return isFirst && (rest === after || rest.includes('\n'));
}

/** As the expression `toJSON` writes it, without the quotation marks. */
function asJson(text: string): string {
  const json = JSON.stringify(text).slice(1, -1);
  return json.replace(/[\u0085\u2028\u2029]/g, (lineEnd) => {
    return `\\u${lineEnd.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
