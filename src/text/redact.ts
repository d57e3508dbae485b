import { Buffer } from 'node:buffer';
import { escapeMarkdown, plainLine } from './escape.ts';
import { type Match, Matcher } from './matcher.ts';
import { decoded, type View, viewOf } from './views.ts';

/** Shorter values occur in ordinary text: hiding them would hide half the log. */
export const SHORTEST_SECRET = 8;

// Base64 of a value inside a longer text depends on where it starts within three bytes. The edges mix with the neighbours.
function base64Shifts(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]).toString('base64');
    const head = shift === 0 ? 0 : shift + 1;
    const tail = encoded.endsWith('==') ? 3 : encoded.endsWith('=') ? 2 : 0;
    return encoded.slice(head, encoded.length - tail);
  });
}

/** Encodings of a secret as a whole. Those of its characters, one by one, are undone in the text instead. */
function encodings(secret: string): string[] {
  const base64 = base64Shifts(secret);
  return [
    secret,
    ...secret.split(/\r\n|[\r\n]/),
    encodeURIComponent(secret),
    // Texts from outside are made inert before they go anywhere, which changes a value that looks like a command.
    inertForm(secret),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function hexOf(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

// The letter keeps away what is escaped, or made inert, only at the start of a line.
function inertForm(secret: string): string {
  return plainLine(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}

function shownForms(secret: string): string[] {
  const inert = inertForm(secret);
  const markdown = escapeMarkdown(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
  return [inert, markdown, ...[secret, inert].map((form) => JSON.stringify(form).slice(1, -1))];
}

/** The forms of a secret that a runner is asked to mask, which knows no others: it compares letter by letter. */
export function secretForms(secret: string): string[] {
  const hex = hexOf(secret);
  const forms = [...encodings(secret), ...shownForms(secret), hex, hex.toUpperCase()];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

export type Redact = (text: string) => string;

const MASK = '***';
// Encodings within encodings: what is written a fourth time nobody reads by chance.
const DECODINGS = 3;

/**
 * A function that replaces secrets by `***`, in whatever form they are: as they are, in base64 or hexadecimal, percent-encoded,
 * as entities, escaped, in any case that the encoding allows, and split by blanks, line ends or invisible characters. A
 * beginning of a secret where the text was cut (`…`) or ends is replaced too. The work grows with the length of the text.
 */
export function createRedact(secrets: readonly string[]): Redact {
  let matchers: { exact: Matcher; folded: Matcher } | undefined;
  return (text) => {
    if (text === '' || secrets.length === 0) return text;
    matchers ??= createMatchers(secrets);
    const { exact, folded } = matchers;
    let view = viewOf(text);
    const found: Match[] = [];
    for (let round = 0; ; round += 1) {
      found.push(...spansIn(view, exact.find(view.text)), ...spansIn(view, folded.find(fold(view.text))));
      const next = round < DECODINGS ? decoded(view) : undefined;
      if (next === undefined) break;
      view = next;
    }
    return replaceSpans(text, found);
  };
}

function createMatchers(secrets: readonly string[]): { exact: Matcher; folded: Matcher } {
  const whole = secrets.flatMap((secret) => withDecodings(encodings(secret)));
  // The beginning of an address is no secret: what is secret of a link is a secret by itself.
  const cuttable = secrets
    .filter((secret) => !secret.includes('://'))
    .flatMap((secret) => withDecodings(encodings(secret)));
  return {
    exact: new Matcher(longEnough(whole), new Set(longEnough(cuttable)), SHORTEST_SECRET),
    folded: new Matcher(longEnough(secrets.map(hexOf)), new Set(longEnough(secrets.map(hexOf))), SHORTEST_SECRET),
  };
}

function longEnough(forms: readonly string[]): string[] {
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

/** The forms as they look once the text around them was decoded. */
function withDecodings(forms: readonly string[]): string[] {
  return forms.flatMap((form) => {
    const all = [form];
    let view: View | undefined = viewOf(form);
    for (let round = 0; round < DECODINGS; round += 1) {
      view = view && decoded(view);
      if (view !== undefined) all.push(view.text);
    }
    return all;
  });
}

// Hexadecimal is the same in any case. One character stays one, so that places stay.
function fold(text: string): string {
  return text.replace(/[A-F]/g, (letter) => letter.toLowerCase());
}

function spansIn({ starts, ends }: View, matches: readonly Match[]): Match[] {
  return matches.map(({ start, end }) => ({ start: starts?.[start] ?? start, end: ends?.[end - 1] ?? end }));
}

function replaceSpans(text: string, spans: readonly Match[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  let open: Match | undefined;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (open !== undefined && span.start < open.end) {
      open = { start: open.start, end: Math.max(open.end, span.end) };
      continue;
    }
    if (open !== undefined) {
      parts.push(text.slice(at, open.start), MASK);
      at = open.end;
    }
    open = span;
  }
  if (open !== undefined) {
    parts.push(text.slice(at, open.start), MASK);
    at = open.end;
  }
  return parts.join('') + text.slice(at);
}
