import { type CourierError, configError } from '../errors.ts';
import { plainLine } from './escape.ts';

const MAX_CHARS = 1000;
const MAX_ALTERNATIVES = 256;

type Matcher = (path: string) => boolean;

/** A test of one character of a part; `run`: any number of any characters. */
type CharTest = 'run' | ((char: string) => boolean);

/** The tests of one part of a path, between slashes; `run`: any number of any parts. */
type PartTest = 'run' | readonly CharTest[];

/**
 * True for paths that the patterns name. As in `paths` of a workflow, the last pattern that matches
 * decides, and one that begins with `!` excludes the path. Patterns can come from strangers, so the
 * time is at most the length of a pattern times that of the path. Throws `config` for a pattern
 * that is too long.
 */
export function matcherOf(patterns: readonly string[]): Matcher {
  const rules = patterns.map((pattern) => ({
    isIn: !pattern.startsWith('!'),
    matches: compile(pattern.replace(/^!/, '')),
  }));
  return (path) => rules.findLast((rule) => rule.matches(path))?.isIn ?? false;
}

/**
 * `*` is any part of a name, `**` any folders, `?` one character, `[a-z]` one of these characters,
 * `[!a-z]` any other character, `{a,b}` either of them, and a backslash takes the next character as
 * it is. Everything else is as written, parentheses included.
 */
function compile(pattern: string): Matcher {
  if (pattern.length > MAX_CHARS) throw refusal(pattern, `has more than ${MAX_CHARS} characters`);
  // Paths have no `./` at their beginning, which people write before a pattern.
  const alternatives = expand(pattern).map((alternative) =>
    alternative.replace(/^\.\//, '').split('/').flatMap(readPart),
  );
  return (path) => {
    const parts = path.split('/').map((part) => Array.from(part));
    return alternatives.some((tests) => isLike(tests, parts, isPartLike));
  };
}

/** `**` before other characters, as in `**.md`, is any folders and then a name that ends so. */
function readPart(text: string): PartTest[] {
  if (text === '**') return ['run'];
  return text.startsWith('**') ? ['run', readChars(text)] : [readChars(text)];
}

function readChars(text: string): CharTest[] {
  // In a set, a closing bracket that comes first is one of its characters.
  const tokens = text.matchAll(/\*+|\?|\[([!^]?)(\][^\]]*|[^\]]+)\]|\\?(.)/gsu);
  return Array.from(tokens, ([whole, negation, set, char]) => {
    if (whole.startsWith('*')) return 'run';
    if (whole === '?') return () => true;
    if (set === undefined) return (tested: string) => tested === char;
    const isWanted = negation === '';
    return (tested: string) => isInSet(tested, set) === isWanted;
  });
}

/** `set`: what is between the brackets, such as `a-z_`. */
function isInSet(char: string, set: string): boolean {
  const point = char.codePointAt(0) ?? 0;
  // A range with its ends, or a single character, which is both its ends.
  for (const [, from, to, single = ''] of set.matchAll(/(.)-(.)|(.)/gsu)) {
    const first = (from ?? single).codePointAt(0) ?? 0;
    const last = (to ?? single).codePointAt(0) ?? 0;
    if (first <= point && point <= last) return true;
  }
  return false;
}

/** `*` alone is a name of at least one character: a path such as `docs/` ends with an empty one. */
function isPartLike(tests: readonly CharTest[], part: readonly string[]): boolean {
  const isStarAlone = tests.length > 0 && tests.every((test) => test === 'run');
  return isStarAlone ? part.length > 0 : isLike(tests, part, (test, char) => test(char));
}

/**
 * Whether a list fits the tests, one after the other. After a test that does not fit, the last run
 * takes one more entry. Earlier runs need not take more: what fits before the last run stays.
 */
function isLike<T extends object, U extends object | string>(
  tests: readonly (T | 'run')[],
  list: readonly U[],
  fits: (test: T, entry: U) => boolean,
): boolean {
  let testAt = 0;
  let listAt = 0;
  /** The test after the last run, and the entry that it is tried on. */
  let afterRun: { readonly testAt: number; listAt: number } | undefined;
  for (let entry = list[listAt]; entry !== undefined; entry = list[listAt]) {
    // undefined once the tests are used up.
    const test = tests[testAt];
    if (test === 'run') {
      testAt += 1;
      afterRun = { testAt, listAt };
    } else if (test !== undefined && fits(test, entry)) {
      testAt += 1;
      listAt += 1;
    } else if (afterRun === undefined) {
      return false;
    } else {
      afterRun.listAt += 1;
      testAt = afterRun.testAt;
      listAt = afterRun.listAt;
    }
  }
  // The list has ended: only runs fit nothing.
  return tests.slice(testAt).every((test) => test === 'run');
}

// One choice between braces. Braces in it have no comma: such braces are as written.
const CHOICE = String.raw`(?:[^{},\\]|\\.|\{[^{},]*\})*`;
const BRACES = new RegExp(String.raw`(?<!\\)\{(${CHOICE}(?:,${CHOICE})+)\}`, 's');

/** The patterns without choices that a pattern stands for. Inner braces are replaced first. */
function expand(pattern: string): string[] {
  const expanded: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const choices = BRACES.exec(next)?.[1]?.split(/(?<!\\),/);
    // Replaced by a function, since `replace` would take a `$` in a text for a reference.
    if (choices === undefined) expanded.push(next);
    else for (const choice of choices) waiting.push(next.replace(BRACES, () => choice));
    if (expanded.length + waiting.length > MAX_ALTERNATIVES) {
      throw refusal(pattern, `stands for more than ${MAX_ALTERNATIVES} patterns`);
    }
  }
  return expanded;
}

function refusal(pattern: string, problem: string): CourierError {
  return configError(
    `The pattern ${plainLine(pattern, 100)} ${problem}. Nothing was sent.`,
    'Write it shorter, or as several patterns.',
  );
}
