import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { createRedact, type Redact } from '../text/redact.ts';
import { FORMATS, looksRandom, NAMED_VALUES } from './credential-formats.ts';

const HIDDEN = '[credential removed]';

/** Offsets in a text, the end not included. */
type Span = readonly [start: number, end: number];

/**
 * A function that takes credentials out of a text: the given ones in every form, the platform's keys by their prefix (that of
 * the admin key in use), and all that Secretlint's rules or the formats kept here know.
 */
export function createCredentialRedact(adminApiKey: string, others: readonly string[]): Redact {
  const own = createRedact([adminApiKey, ...others]);
  const prefix = /^([A-Za-z0-9]{2,20})_/.exec(adminApiKey)?.[1];
  const platform = prefix === undefined ? [] : [new RegExp(`(?<![A-Za-z0-9])${prefix}_[A-Za-z0-9_-]{16,}`, 'dg')];
  return (text) => {
    const redacted = own(text);
    return hide(redacted, findCredentials(redacted, platform));
  };
}

function findCredentials(text: string, platform: readonly RegExp[]): Span[] {
  return [
    ...[...FORMATS, ...platform].flatMap((format) => spansOf(text, format)),
    ...NAMED_VALUES.flatMap((format) =>
      spansOf(text, format).filter(([start, end]) => looksRandom(text.slice(start, end))),
    ),
    ...privateKeys(text),
    ...bySecretlint(text),
  ];
}

// With exec and not matchAll, which copies the pattern for each text.
function spansOf(text: string, pattern: RegExp): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const span = found.indices?.[1] ?? found.indices?.[0];
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

// A key whose end is missing goes to the end of the text: its beginning alone is half a secret.
function privateKeys(text: string): Span[] {
  const spans: Span[] = [];
  PRIVATE_KEY_BEGIN.lastIndex = 0;
  for (let begin = PRIVATE_KEY_BEGIN.exec(text); begin !== null; begin = PRIVATE_KEY_BEGIN.exec(text)) {
    PRIVATE_KEY_END.lastIndex = PRIVATE_KEY_BEGIN.lastIndex;
    const end = PRIVATE_KEY_END.exec(text) === null ? text.length : PRIVATE_KEY_END.lastIndex;
    spans.push([begin.index, end]);
    PRIVATE_KEY_BEGIN.lastIndex = end;
  }
  return spans;
}

// Some rules look at the name of a file.
const FILE = 'comment.md';
const NOWHERE: Span = [0, 0];

// The rules as they are, without Secretlint's core, which adds reading of files, configuration and a logger. They report while
// they are called, although some are declared as asynchronous; a test has one credential for each of them.
function bySecretlint(text: string): Span[] {
  const spans: Span[] = [];
  const source = {
    content: text,
    filePath: FILE,
    physicalFilePath: FILE,
    getFilePath: () => FILE,
    getPhysicalFilePath: () => FILE,
    ext: '.md',
    contentType: 'text',
    hasBOM: false,
    locationToRange: () => NOWHERE,
    rangeToLocation: () => ({ start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }),
    positionToIndex: () => 0,
    indexToPosition: () => ({ line: 1, column: 0 }),
  } as const;
  for (const rule of rules) {
    const context = {
      sharedOptions: {},
      createTranslator: () => () => ({ messageId: '', message: '', data: undefined }),
      report({ range }: { readonly range: Span }) {
        spans.push(range);
      },
      ignore() {},
    };
    rule.create(context, {}).file?.(source);
  }
  return spans;
}

function hide(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (end <= at) continue;
    if (start >= at) parts.push(text.slice(at, start), HIDDEN);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
