import { Buffer } from 'node:buffer';
import { COLOURS, escapeMarkdown, plainLine } from './escape.ts';
import { HIDDEN, replaceSpans, type Span } from './hide-credentials.ts';

/**
 * A runner is not asked to mask shorter values: they occur in other words, and it would hide half
 * the log of the job.
 */
export const SHORTEST_SECRET = 8;
/**
 * From here on, a value is replaced in our own texts if it is a whole word. Shorter ones are in
 * every text.
 */
const SHORTEST_WORD = 4;

// Base64 of a value inside a longer text depends on where it starts within three bytes. The edges
// mix with the neighbours.
function base64Shifts(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const encoded = bytes.toString('base64');
    const head = shift === 0 ? 0 : shift + 1;
    // As many equals signs fill up the last group of four, and the character before them has bits
    // of nothing.
    const padding = (3 - (bytes.length % 3)) % 3;
    const tail = padding === 0 ? 0 : padding + 1;
    return encoded.slice(head, encoded.length - tail);
  });
}

/**
 * Encodings of a secret as a whole. Those of its characters, one by one, are undone in the text
 * instead.
 */
function encodings(secret: string): string[] {
  const base64 = base64Shifts(secret);
  const forms = [
    secret,
    ...withoutPrefix(secret),
    // The last part of a JSON Web Token: the others are known to everyone.
    ...(/^[\w-]+\.[\w-]+\.([\w-]{16,})$/.exec(secret)?.slice(1) ?? []),
    ...secret.split(/\r\n|[\r\n]/),
    encodeURIComponent(secret),
    // In quotes of a shell, of YAML and SQL, and of CSV. What a backslash escapes is decoded in the
    // text instead.
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", "''"),
    secret.replaceAll('"', '""'),
    // Texts from outside are made inert before they go anywhere, which changes a value that looks
    // like a command.
    inertForm(secret),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ...(secret.length > LONGEST_KEY ? [] : base64.flatMap(base64Shifts)),
  ];
  // What is not shown at all is not a form of this secret.
  return forms.filter((form) => !form.includes(HIDDEN));
}

/** Longer ones are links, of which the parts that are secret are registered on their own. */
const LONGEST_KEY = 300;
const SHORTEST_REST = 16;

/** What is secret of a key such as `svc_…`. */
function withoutPrefix(secret: string): string[] {
  const rest = secret.replace(/^[A-Za-z0-9]{2,20}_(?:dsc_)?/, '');
  return rest === secret || rest.length < SHORTEST_REST ? [] : [rest];
}

/** As programs print bytes, one by one. */
function byteForms(secret: string): string[] {
  if (secret.length > LONGEST_KEY) return [];
  const bytes = [...Buffer.from(secret)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  return [hex.join(':'), hex.join('-'), bytes.join(',')];
}

function hexOf(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

// The letter keeps away what is escaped, or made inert, only at the start of a line.
function inertForm(secret: string): string {
  return plainLine(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}

/**
 * The forms of a secret that a runner is asked to mask, which knows no others: it compares letter
 * by letter.
 */
export function secretForms(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const hex = hexOf(secret);
  const forms = [
    ...encodings(secret),
    escapeMarkdown(`x${secret}`, Number.POSITIVE_INFINITY).slice(1),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(inertForm(secret)).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

export type Redact = (text: string) => string;

const MASK = '***';
// Encodings within encodings: what is written a fourth time is not read by chance.
const DECODINGS = 3;

/**
 * A function that replaces secrets by `***`, in whatever form they are: as they are, in base64 or
 * hexadecimal, percent-encoded, as entities, escaped, quoted, in capitals or small letters, and
 * split by spaces, line ends or invisible characters. A beginning of a secret if the text was cut
 * (`…`) or ends is replaced too. Values of 4 to 7 characters, such as a password for development,
 * are replaced only as whole words, and not if they are numbers or words of JSON, which reports
 * consist of. The work grows with the length of the text.
 */
export function createRedact(secrets: readonly string[]): Redact {
  let matchers: Matchers | undefined;
  return (coloured) => {
    if (coloured === '' || secrets.length === 0) return coloured;
    const text = coloured.replace(COLOURS, '');
    matchers ??= createMatchers(secrets);
    const found = matchers.words.find(fold(text)).filter((span) => isWord(text, span));
    for (const view of viewsOf(text)) {
      const exact = matchers.exact.find(view.text);
      const folded = matchers.folded.find(fold(view.text));
      for (const span of [...exact, ...folded]) found.push(placeOf(view, span));
    }
    return replaceSpans(text, found, MASK);
  };
}

interface Matchers {
  readonly exact: Matcher;
  /** For texts in small letters. */
  readonly folded: Matcher;
  /** Of short secrets, for texts in small letters. */
  readonly words: Matcher;
}

function createMatchers(secrets: readonly string[]): Matchers {
  const exact = new Matcher();
  const folded = new Matcher();
  const words = new Matcher(SHORTEST_WORD);
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) {
      for (const form of shortForms(secret)) words.add(fold(form), false);
      continue;
    }
    // The beginning of an address is not a secret: what is secret of a link is registered on its
    // own.
    const isCuttable = !secret.includes('://');
    for (const form of new Set(withDecodings(encodings(secret)))) exact.add(form, isCuttable);
    for (const part of [secret, ...withoutPrefix(secret)]) {
      const forms = withDecodings([part, hexOf(part), ...byteForms(part)]);
      for (const form of new Set(forms)) folded.add(fold(form), isCuttable);
    }
  }
  return { exact, folded, words };
}

function shortForms(secret: string): string[] {
  if (secret.length < SHORTEST_WORD || /^(?:\d+|true|false|null)$/i.test(secret)) return [];
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), hexOf(secret), base64, base64.replaceAll('=', '')];
}

/** Neither before nor after it a letter, a digit or an underscore. */
function isWord(text: string, span: Span): boolean {
  return !/\w/.test(text.charAt(span[0] - 1)) && !/\w/.test(text.charAt(span[1]));
}

/** The forms as they look once the text around them was decoded. */
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

/** The text in small letters. One UTF-16 unit stays one, so that places stay. */
function fold(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Where a part of a view is in the original. */
function placeOf(view: View, span: Span): Span {
  return [view.starts?.[span[0]] ?? span[0], view.ends?.[span[1] - 1] ?? span[1]];
}

/**
 * Text from outside as one inert line, redacted before it is cut: else all but the last letter of a
 * key could stay.
 */
export function excerpt(
  text: string,
  { redact, max = 500 }: { redact: Redact; max?: number },
): string {
  return plainLine(redact(text), max);
}

/**
 * A text as someone reads it who undoes encodings, with the place in the original that each
 * character comes from.
 */
interface View {
  readonly text: string;
  readonly starts?: Int32Array;
  readonly ends?: Int32Array;
}

// Whatever can be encoded: a percent sign, an entity, a backslash; and what is left out: spaces and
// characters without a shape.
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
 * The text with one layer of encodings undone and without spaces; undefined if that changes
 * nothing.
 */
function decoded(view: View): View | undefined {
  const { text } = view;
  if (!READ_ON.test(text)) return undefined;
  const characters: string[] = [];
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const { character, length } = readOne(text, at);
    if (isPlain(character.charCodeAt(0)) || !IGNORED.test(character)) {
      characters.push(character);
      from[count] = view.starts?.[at] ?? at;
      to[count] = view.ends?.[at + length - 1] ?? at + length;
      count += 1;
    }
    at += length;
  }
  return { text: characters.join(''), starts: from, ends: to };
}

/** Printable ASCII, which most texts are made of. */
function isPlain(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

function readOne(text: string, at: number): { character: string; length: number } {
  const character = text.charAt(at);
  if (character !== '%' && character !== '&' && character !== '\\') return { character, length: 1 };
  ENCODED.lastIndex = at;
  const found = ENCODED.exec(text);
  if (found === null) return { character, length: 1 };
  const [{ length }, percent, decimal, entity, name = '', unicode, byte, punctuation] = found;
  if (decimal !== undefined) return { character: unitOf(decimal, 10), length };
  const hex = percent ?? entity ?? unicode ?? byte;
  if (hex !== undefined) return { character: unitOf(hex, 16), length };
  return { character: punctuation ?? NAMED[name.toLowerCase()] ?? ' ', length };
}

// One UTF-16 unit, so that one character of a view is one place. No secret is made of others.
function unitOf(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  if (code > 0xffff) return '\ufffd';
  return String.fromCharCode(code);
}

const ROOT = 0;
const UNITS = 0x10000;
const CUT = '…';

/**
 * Finds many words in one reading of a text (Aho and Corasick, 1975): the work does not depend on
 * what the words have in common with each other or with the text, which both may come from someone
 * who would like it to take long.
 */
class Matcher {
  readonly #shortest: number;
  readonly #next = new Map<number, number>();
  readonly #first = new Set<number>();
  readonly #depth: number[] = [0];
  /** Length of the longest word that ends in a state; 0 for none. */
  readonly #word: number[] = [0];
  /** Where to continue when no word continues. */
  readonly #fallback: number[] = [ROOT];
  /** True if the beginning that a state stands for may be taken for a word that was cut. */
  readonly #cuttable: boolean[] = [false];
  #isLinked = false;

  constructor(shortest = SHORTEST_SECRET) {
    this.#shortest = shortest;
  }

  /**
   * Words are added before the first search. `isCuttable`: a beginning counts too if the text was
   * cut or ends.
   */
  add(word: string, isCuttable: boolean): void {
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

  // States by their depth: a fallback is less deep than its state, and known when it is needed.
  #link(): void {
    const edges = [...this.#next];
    edges.sort((a, b) => (this.#depth[a[1]] ?? 0) - (this.#depth[b[1]] ?? 0));
    for (const [key, state] of edges) {
      const parent = Math.floor(key / UNITS);
      let fallback = ROOT;
      if (parent !== ROOT) fallback = this.#step(this.#fallback[parent] ?? ROOT, key % UNITS);
      this.#fallback[state] = fallback;
      this.#word[state] ||= this.#word[fallback] ?? 0;
    }
  }

  #step(from: number, unit: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? ROOT) {
      const next = this.#next.get(state * UNITS + unit);
      if (next !== undefined) return next;
      if (state === ROOT) return ROOT;
    }
  }

  find(text: string): Span[] {
    if (!this.#isLinked) this.#link();
    this.#isLinked = true;
    const matches: Span[] = [];
    let state = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      if (state === ROOT && !this.#first.has(text.charCodeAt(at))) continue;
      if (state !== ROOT && text[at] === CUT) this.#findCut(state, at, matches);
      state = this.#step(state, text.charCodeAt(at));
      const length = this.#word[state] ?? 0;
      if (length > 0) matches.push([at + 1 - length, at + 1]);
    }
    this.#findCut(state, text.length, matches);
    return matches;
  }

  #findCut(from: number, end: number, matches: Span[]): void {
    for (let state = from; state !== ROOT; state = this.#fallback[state] ?? ROOT) {
      const depth = this.#depth[state] ?? 0;
      if (depth < SHORTEST_SECRET) return;
      if (this.#cuttable[state] === true) {
        matches.push([end - depth, end]);
        return;
      }
    }
  }
}
