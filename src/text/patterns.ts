import { CourierError } from '../errors.ts';
import { plainLine } from './escape.ts';

const MAX_CHARS = 1000;
const MAX_ALTERNATIVES = 256;

type Matcher = (path: string) => boolean;

/** One character that a part of a path may have; `run`: any number of any characters. */
type CharTest = 'run' | ((char: string) => boolean);

/** A part of a path, between slashes; `run`: any number of any parts. */
type PartTest = 'run' | readonly CharTest[];

/**
 * As the `paths` of a workflow: in order, and a pattern that begins with `!` excludes files.
 * Patterns can come from strangers, so none takes longer than its length times that of the path.
 * Throws `config`.
 */
export function matcherOf(patterns: readonly string[]): Matcher {
  const rules = patterns.map((pattern) => ({
    isIn: !pattern.startsWith('!'),
    matches: compile(pattern.replace(/^!/, '')),
  }));
  return (path) => rules.findLast((rule) => rule.matches(path))?.isIn ?? false;
}

/**
 * `*` is any part of a name, `**` any folders, `?` one character, `[a-z]` one of these, `[!a-z]`
 * none of these, `{a,b}` either, and a backslash takes the next character as it is. Everything else
 * is as written, parentheses included.
 */
function compile(pattern: string): Matcher {
  if (pattern.length > MAX_CHARS) throw refusal(pattern, `has more than ${MAX_CHARS} characters`);
  const alternatives = expand(pattern).map((one) =>
    one.replace(/^\.\//, '').split('/').flatMap(readPart),
  );
  return (path) => {
    const parts = path.split('/').map((part) => Array.from(part));
    return alternatives.some((tests) => isLike(tests, parts, isPartLike));
  };
}

/** `**` next to something else, as in `**.md`, is any file that ends so. */
function readPart(text: string): PartTest[] {
  if (text === '**') return ['run'];
  return text.startsWith('**') ? ['run', readChars(text)] : [readChars(text)];
}

function readChars(text: string): CharTest[] {
  return Array.from(
    text.matchAll(/\*+|\?|\[([!^]?)(\][^\]]*|[^\]]+)\]|\\?(.)/gsu),
    ([whole, negation, set, char]) => {
      if (whole.startsWith('*')) return 'run';
      if (whole === '?') return () => true;
      if (set === undefined) return (one: string) => one === char;
      const isIn = readSet(set);
      return negation === '' ? isIn : (one: string) => !isIn(one);
    },
  );
}

function readSet(set: string): (char: string) => boolean {
  const ranges = Array.from(
    set.matchAll(/(.)-(.)|(.)/gsu),
    ([, from, to, one = '']) => [from ?? one, to ?? one] as const,
  );
  const point = (char: string) => char.codePointAt(0) ?? 0;
  return (char) =>
    ranges.some(([from, to]) => point(from) <= point(char) && point(char) <= point(to));
}

function isPartLike(tests: readonly CharTest[], part: readonly string[]): boolean {
  const isAny = tests.length > 0 && tests.every((test) => test === 'run');
  return isAny ? part.length > 0 : isLike(tests, part, (test, char) => test(char));
}

/**
 * Whether a list is like the tests. Only the last run is ever extended: what fits before it fits
 * whatever it takes.
 */
function isLike<T extends object, U>(
  tests: readonly (T | 'run')[],
  list: readonly U[],
  fits: (test: T, one: U) => boolean,
): boolean {
  let at = 0;
  let position = 0;
  let run: { readonly next: number; from: number } | undefined;
  while (position < list.length) {
    const test = tests[at];
    const one = list[position];
    if (test === 'run') {
      at += 1;
      run = { next: at, from: position };
    } else if (test !== undefined && one !== undefined && fits(test, one)) {
      at += 1;
      position += 1;
    } else if (run === undefined) {
      return false;
    } else {
      run.from += 1;
      at = run.next;
      position = run.from;
    }
  }
  return tests.slice(at).every((test) => test === 'run');
}

/** The pattern without braces, once for each alternative. */
function expand(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const brace = findBrace(one);
    if (brace === undefined) done.push(one);
    else for (const choice of brace.choices) open.push(`${brace.before}${choice}${brace.after}`);
    if (done.length + open.length > MAX_ALTERNATIVES) {
      throw refusal(pattern, `stands for more than ${MAX_ALTERNATIVES} patterns`);
    }
  }
  return done;
}

/** The first pair of braces with a comma directly in it; other braces are as written. */
function findBrace(text: string): { before: string; choices: string[]; after: string } | undefined {
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') open.push({ at, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(at);
    else if (char === '}') {
      const pair = open.pop();
      if (pair === undefined || pair.commas.length === 0) continue;
      const ends = [...pair.commas, at];
      const choices = ends.map((end, index) => text.slice((ends[index - 1] ?? pair.at) + 1, end));
      return { before: text.slice(0, pair.at), choices, after: text.slice(at + 1) };
    }
  }
  return undefined;
}

function refusal(pattern: string, problem: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `The pattern ${plainLine(pattern, 100)} ${problem}. Nothing was sent.`,
    hint: 'Write it shorter, or as several patterns.',
  });
}
