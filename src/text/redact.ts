import { Buffer } from 'node:buffer';
import { escapeMarkdown, plainLine } from './escape.ts';

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

// A summary is redacted when it is written, and by then its texts are escaped. The letter keeps away what is escaped only at
// the start of a line.
function markdownForm(secret: string): string {
  return escapeMarkdown(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}

// Texts from outside are made inert before they go anywhere, which changes a value that looks like a command to the runner.
function inertForm(secret: string): string {
  return plainLine(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}

/**
 * The forms in which a secret shows up in texts: raw, inert, per line, percent-encoded, JSON-escaped, escaped for Markdown, base64
 * (three shifts), hex.
 */
export function secretForms(secret: string): string[] {
  const base64 = base64Shifts(secret);
  const forms = [
    secret,
    ...secret.split(/\r\n|[\r\n]/),
    encodeURIComponent(secret),
    inertForm(secret),
    ...[secret, inertForm(secret)].map((form) => JSON.stringify(form).slice(1, -1)),
    markdownForm(secret),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(secret).toString('hex'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

export type Redact = (text: string) => string;

/** A function that replaces every form of the secrets by `***`; the longest first, so that no rest of one stays. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap(secretForms).sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
}
