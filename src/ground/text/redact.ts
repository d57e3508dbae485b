import { Buffer } from 'node:buffer';
import { COLOURS, escapeMarkdown, plainLine } from './escape.ts';
import { HIDDEN, replaceSpans, type Span } from './hide-credentials.ts';

/**
 * A runner is not asked to mask shorter values: they are parts of other words, so that it would
 * hide half the log of the job.
 */
export const SHORTEST_SECRET = 8;
/**
 * Secrets from this length up to `SHORTEST_SECRET` are replaced only in our own texts, where they
 * are whole words. Shorter secrets are not replaced: they are in every text.
 */
const SHORTEST_WORD = 4;

// Base64 encodes groups of three bytes, so a value inside a longer text has three forms: one for
// each position in a group. Characters at the edges also depend on the text around and are left
// out.
function base64Shifts(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const encoded = bytes.toString('base64');
    // `shift` bytes in front reach into `shift + 1` characters.
    const head = shift === 0 ? 0 : shift + 1;
    // The last group ends with that many equals signs; the character before them has only some of
    // its bits from the value.
    const padding = (3 - (bytes.length % 3)) % 3;
    const tail = padding === 0 ? 0 : padding + 1;
    return encoded.slice(head, encoded.length - tail);
  });
}

/**
 * Encodings of a secret as a whole. Encodings of single characters, such as `%41`, are not listed:
 * they are decoded in the text (`viewsOf`).
 */
function encodings(secret: string): string[] {
  const base64 = base64Shifts(secret);
  const forms = [
    secret,
    ...withoutPrefix(secret),
    ...signatureOf(secret),
    // Its lines, since a log may have one at a time.
    ...secret.split(/\r\n|[\r\n]/),
    encodeURIComponent(secret),
    // In quotes of a shell, of YAML and SQL, and of CSV. Backslashes are decoded in the text.
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", "''"),
    secret.replaceAll('"', '""'),
    // As it looks in a text that was made inert: a secret that looks like a command is changed.
    escapedWithin(secret, plainLine),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    // Base64 twice, as in a Secret of Kubernetes for a registry. Not of links, which are long.
    ...(secret.length > LONGEST_KEY ? [] : base64.flatMap(base64Shifts)),
    ...[secret, ...withoutPrefix(secret)].flatMap(hexOf),
  ];
  // `plainLine` replaces a credential by HIDDEN: such a text is not a form of the secret.
  return forms.filter((form) => !form.includes(HIDDEN));
}

/** Longer secrets are links, whose secret parts are registered separately. */
const LONGEST_KEY = 300;
const SHORTEST_REST = 16;

/**
 * The part of a key such as `svc_…` or `svc_dsc_…` that is secret, as a list; empty if the key has
 * no prefix.
 */
function withoutPrefix(secret: string): string[] {
  const rest = secret.replace(/^[A-Za-z0-9]{2,20}_(?:dsc_)?/, '');
  return rest === secret || rest.length < SHORTEST_REST ? [] : [rest];
}

/** The signature of a JSON Web Token, as a list: its last part, and the only one that is secret. */
function signatureOf(secret: string): string[] {
  return /^[\w-]+\.[\w-]+\.([\w-]{16,})$/.exec(secret)?.slice(1) ?? [];
}

/** In hexadecimal, with small letters and with capitals. */
function hexOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  return [hex, hex.toUpperCase()];
}

/**
 * The secret as a function escapes it within a line. Some characters are changed only at the start
 * of a line, so that a letter stands before the secret.
 */
function escapedWithin(secret: string, change: (text: string, maxChars: number) => string): string {
  return change(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}

/**
 * The forms of a secret that a runner is asked to mask. It compares letter by letter, so it finds
 * no other form.
 */
export function secretForms(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const forms = [
    ...encodings(secret),
    // In Markdown and in JSON.
    escapedWithin(secret, escapeMarkdown),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(escapedWithin(secret, plainLine)).slice(1, -1),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

export type Redact = (text: string) => string;

const MASK = '***';
// How many encodings within each other are undone. No person reads a text that is encoded more
// often by accident.
const DECODINGS = 3;

/**
 * A function that replaces secrets by `***`, in whatever form they are: as they are, in base64 or
 * hexadecimal, percent-encoded, as entities, escaped, quoted, and split by spaces, line ends or
 * invisible characters. Where the text was cut (`…`) or ends, the beginning of a secret is replaced
 * too. Secrets of 4 to 7 characters, such as a password for
 * development, are replaced only as whole words, and not if they are numbers or words of JSON, of
 * which reports consist. The time grows with the length of the text.
 */
export function createRedact(secrets: readonly string[]): Redact {
  let matchers: Matchers | undefined;
  // Made at the first text, since a log calls `createRedact` again for each secret.
  return (coloured) => {
    if (coloured === '' || secrets.length === 0) return coloured;
    const text = coloured.replace(COLOURS, '');
    matchers ??= createMatchers(secrets);
    // Only in the text as it is: decoding leaves out spaces, and so the borders of words.
    const spans = matchers.words.find(text).filter((span) => isWord(text, span));
    for (const view of viewsOf(text)) {
      for (const span of matchers.secrets.find(view.text)) spans.push(placeOf(view, span));
    }
    return replaceSpans(text, spans, MASK);
  };
}

interface Matchers {
  readonly secrets: Matcher;
  /** Short secrets. */
  readonly words: Matcher;
}

function createMatchers(secrets: readonly string[]): Matchers {
  const longer = new Matcher();
  const words = new Matcher(SHORTEST_WORD);
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) {
      for (const form of shortForms(secret)) words.add(form, { isCuttable: false });
      continue;
    }
    // Where a text was cut, the beginning of a secret is hidden too. That of a link is not secret,
    // and its secret parts are among `secrets` as well.
    const isCuttable = !secret.includes('://');
    for (const form of new Set(withDecodings(encodings(secret)))) longer.add(form, { isCuttable });
  }
  return { secrets: longer, words };
}

/** The forms of a short secret; none for a very short one, a number or a word of JSON. */
function shortForms(secret: string): string[] {
  if (secret.length < SHORTEST_WORD || /^(?:\d+|true|false|null)$/i.test(secret)) return [];
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), ...hexOf(secret), base64, base64.replaceAll('=', '')];
}

/** True if no letter, digit or underscore is directly before or after the span. */
function isWord(text: string, span: Span): boolean {
  return !/\w/.test(text.charAt(span[0] - 1)) && !/\w/.test(text.charAt(span[1]));
}

/**
 * A text after some rounds of decoding. `starts` and `ends`: where the original has each character;
 * without them this is the original.
 */
interface View {
  readonly text: string;
  readonly starts?: Int32Array;
  readonly ends?: Int32Array;
}

/**
 * Each form as it is, and as it looks after each round of decoding the text around it. Decoding
 * changes a secret that has a percent sign or a backslash itself.
 */
function withDecodings(forms: readonly string[]): string[] {
  return forms.flatMap((form) => viewsOf(form).map((view) => view.text));
}

/** The text, and what it reads as after each round of decoding that changes something. */
function viewsOf(text: string): View[] {
  const views: View[] = [];
  for (let view: View | undefined = { text }; view !== undefined; view = decoded(view)) {
    views.push(view);
    if (views.length > DECODINGS) break;
  }
  return views;
}

/** The span of the original text that a span of a view was read from. */
function placeOf(view: View, span: Span): Span {
  return [view.starts?.[span[0]] ?? span[0], view.ends?.[span[1] - 1] ?? span[1]];
}

/**
 * Text from outside as one inert line. Redacted before it is cut: a cut could take the last letter
 * of a key, so that the key would not be found.
 */
export function excerpt(
  text: string,
  { redact, max = 500 }: { redact: Redact; max?: number },
): string {
  return plainLine(redact(text), max);
}

// What decoding would change: a percent sign, an entity or a backslash, which may begin an encoded
// character, and spaces and invisible characters, which are left out.
const READ_ON = /[%&\\\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
// Percent-encoded, an entity, or escaped.
const ENCODED =
  /%([0-7][0-9a-f])|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&(amp|lt|gt|quot|apos|nbsp|Tab|NewLine);?|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\[nrtbf]|\\([!-/:-@[-`{-~])/iy;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const IGNORED = /[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The view after one more round: encoded characters are decoded, spaces and invisible characters
 * left out. undefined: the text has nothing to decode.
 */
function decoded(view: View): View | undefined {
  const { text } = view;
  if (!READ_ON.test(text)) return undefined;
  const characters: string[] = [];
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const { character, length } = readOne(text, at);
    if (isPlain(character.charCodeAt(0)) || !IGNORED.test(character)) {
      characters.push(character);
      starts[count] = view.starts?.[at] ?? at;
      ends[count] = view.ends?.[at + length - 1] ?? at + length;
      count += 1;
    }
    at += length;
  }
  return { text: characters.join(''), starts, ends };
}

/** Printable ASCII, which most texts are made of: it needs no slow check by a pattern. */
function isPlain(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

/** The character at a position, decoded if it is encoded there, and its length in the text. */
function readOne(text: string, at: number): { character: string; length: number } {
  const character = text.charAt(at);
  if (character !== '%' && character !== '&' && character !== '\\') return { character, length: 1 };
  ENCODED.lastIndex = at;
  const match = ENCODED.exec(text);
  if (match === null) return { character, length: 1 };
  const [{ length }, percent, decimal, hexEntity, name = '', unicode, byte, punctuation] = match;
  if (decimal !== undefined) return { character: unitOf(decimal, 10), length };
  const hex = percent ?? hexEntity ?? unicode ?? byte;
  if (hex !== undefined) return { character: unitOf(hex, 16), length };
  // All that is left stands for white space, such as `&nbsp;` and `\n`.
  return { character: punctuation ?? NAMED[name.toLowerCase()] ?? ' ', length };
}

// Always one UTF-16 unit, so that each character of a view has one position. Secrets contain no
// characters that need two units.
function unitOf(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  if (code > 0xffff) return '\ufffd';
  return String.fromCharCode(code);
}

const ROOT = 0;
const UNITS = 0x10000;
const CUT = '…';

/**
 * Finds many words in one reading of a text (Aho and Corasick, 1975). The words form a tree, whose
 * nodes are the states: a state stands for the beginning of a word that was just read. The time
 * does not depend on how much the words and the text have in common: a stranger may have chosen
 * both. `?? 0` and `?? ROOT` are for the compiler: the lists have an entry for each state.
 */
class Matcher {
  readonly #shortest: number;
  /** The next state, by `state * UNITS + unit`. */
  readonly #next = new Map<number, number>();
  /** The first units of all words. */
  readonly #first = new Set<number>();
  /** By state: the length of the beginning that it stands for. */
  readonly #depth: number[] = [0];
  /** Length of the longest word that ends in a state; 0 for none. */
  readonly #word: number[] = [0];
  /** By state: the state to continue in if no word continues with the next unit. */
  readonly #fallback: number[] = [ROOT];
  /** True if the beginning that a state stands for may be taken for a word that was cut. */
  readonly #cuttable: boolean[] = [false];
  #isLinked = false;

  constructor(shortest = SHORTEST_SECRET) {
    this.#shortest = shortest;
  }

  /**
   * Adds a word; all words are added before the first search. `isCuttable`: where the text was cut
   * or ends, the beginning of the word is found too.
   */
  add(word: string, { isCuttable }: { readonly isCuttable: boolean }): void {
    if (word.length < this.#shortest) return;
    this.#first.add(word.charCodeAt(0));
    let state = ROOT;
    for (let at = 0; at < word.length; at += 1) {
      const key = state * UNITS + word.charCodeAt(at);
      let next = this.#next.get(key);
      if (next === undefined) {
        next = this.#depth.length;
        this.#next.set(key, next);
        this.#depth.push(at + 1);
        this.#word.push(0);
        this.#fallback.push(ROOT);
        this.#cuttable.push(false);
      }
      state = next;
      if (isCuttable) this.#cuttable[state] = true;
    }
    this.#word[state] = word.length;
  }

  // Sets the fallbacks, of the short beginnings first: the fallback of a state is a shorter
  // beginning, so it is known by then.
  #link(): void {
    const edges = [...this.#next];
    edges.sort((a, b) => (this.#depth[a[1]] ?? 0) - (this.#depth[b[1]] ?? 0));
    for (const [key, state] of edges) {
      const parent = Math.floor(key / UNITS);
      // A beginning of one unit has no shorter one.
      let fallback = ROOT;
      if (parent !== ROOT) fallback = this.#step(this.#fallback[parent] ?? ROOT, key % UNITS);
      this.#fallback[state] = fallback;
      // If no word ends here, a shorter one may.
      this.#word[state] ||= this.#word[fallback] ?? 0;
    }
  }

  /** The state after one more unit: of the longest beginning that ends with it. */
  #step(from: number, unit: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? ROOT) {
      const next = this.#next.get(state * UNITS + unit);
      if (next !== undefined) return next;
      if (state === ROOT) return ROOT;
    }
  }

  /** The spans of all words in the text; of words that end together, the longest. */
  find(text: string): Span[] {
    if (!this.#isLinked) this.#link();
    this.#isLinked = true;
    const matches: Span[] = [];
    let state = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      // Most units begin no word, and this is the fastest check.
      if (state === ROOT && !this.#first.has(text.charCodeAt(at))) continue;
      if (state !== ROOT && text[at] === CUT) this.#findCut(state, at, matches);
      state = this.#step(state, text.charCodeAt(at));
      const length = this.#word[state] ?? 0;
      if (length > 0) matches.push([at + 1 - length, at + 1]);
    }
    this.#findCut(state, text.length, matches);
    return matches;
  }

  /**
   * Adds the longest beginning of a cuttable word that ends at `end`, if it is long enough: the
   * fallbacks lead from `from` to shorter and shorter beginnings.
   */
  #findCut(from: number, end: number, matches: Span[]): void {
    for (let state = from; state !== ROOT; state = this.#fallback[state] ?? ROOT) {
      const depth = this.#depth[state] ?? 0;
      if (depth < SHORTEST_SECRET) return;
      if (this.#cuttable[state]) {
        matches.push([end - depth, end]);
        return;
      }
    }
  }
}
