import type { StateBlock, StateInline } from 'markdown-it';

/** Rules of markdown-it for GitHub's formulas: `$a$`, `$$a$$`, `` $`a`$ `` and a block between lines of `$$`. */

// A dollar opens a formula before anything but white space; it closes one behind anything but white space and a backslash,
// unless a letter or digit follows.
const CLOSES_MATH = /(?<![\s\\$])\$(?![\p{L}\p{N}$])/gu;

/** Where formulas can end in the text that is being parsed, so that no opening dollar searches to its end. */
interface MathEnds {
  readonly text: string;
  /** Offsets of closing dollars and of backticks, ascending. */
  readonly dollars: readonly number[];
  readonly backticks: readonly number[];
  /** Of any dollar, and of what only formulas hold. */
  readonly anyDollars: readonly number[];
  readonly commands: readonly number[];
  /** Offset of the last end of a formula in backticks. */
  readonly lastQuoted: number;
}

let ends: MathEnds = { text: '', dollars: [], backticks: [], anyDollars: [], commands: [], lastQuoted: -1 };

function endsIn(text: string): MathEnds {
  if (ends.text !== text) {
    ends = {
      text,
      dollars: offsetsOf(text, CLOSES_MATH),
      backticks: offsetsOf(text, /`/g),
      anyDollars: offsetsOf(text, /(?<!\\)\$/g),
      commands: offsetsOf(text, /[\\{}^]/g),
      lastQuoted: text.lastIndexOf('`$'),
    };
  }
  return ends;
}

function offsetsOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

/** The first of ascending offsets that is not before `from`. */
function firstFrom(offsets: readonly number[], from: number): number | undefined {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return offsets[low];
}

export function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x24) return false;
  const end = src.startsWith('$$', pos) ? endOfDisplay(src, pos) : endOfFormula(src, pos);
  if (end === undefined || end > state.posMax) return false;
  if (!silent) state.push('math_inline', '', 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

function endOfDisplay(text: string, at: number): number | undefined {
  const end = text.indexOf('$$', at + 2);
  return end <= at + 2 ? undefined : end + 2;
}

function endOfFormula(text: string, at: number): number | undefined {
  if (at > 0 && /[\p{L}\p{N}$]/u.test(text.charAt(at - 1))) return undefined;
  const { dollars, backticks, anyDollars, commands, lastQuoted } = endsIn(text);
  if (text.startsWith('`', at + 1)) return lastQuoted < at + 2 ? undefined : text.indexOf('`$', at + 2) + 2;
  if (/^\s?$/.test(text.charAt(at + 1))) return undefined;
  const end = firstFrom(dollars, at + 2);
  // Code is code, whatever dollars it holds.
  if (end === undefined || (firstFrom(backticks, at) ?? end) < end) return undefined;
  // `$5 and $10` up to some later dollar is no formula, unless a command of TeX is in it.
  const isNested = (firstFrom(anyDollars, at + 1) ?? end) < end;
  return isNested && (firstFrom(commands, at) ?? end) >= end ? undefined : end + 1;
}

export function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const first = lineOf(startLine);
  // Text behind the dollars is left to the formula within a line.
  if (first.trim() !== '$$') return false;
  for (let line = startLine + 1; line < endLine; line += 1) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) return false;
    if (!lineOf(line).trimEnd().endsWith('$$')) continue;
    if (!silent) {
      const token = state.push('math_block', '', 0);
      token.content = state.getLines(startLine, line + 1, state.blkIndent, false);
      token.map = [startLine, line + 1];
    }
    state.line = line + 1;
    return true;
  }
  return false;
}
