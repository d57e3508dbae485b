import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { keyPrefix } from '../text/credentials.ts';
import { hideCredentials, spansOf } from '../text/hide-credentials.ts';
import { createRedact, type Redact } from '../text/redact.ts';
import type { Span } from '../text/spans.ts';

/** Takes out the given credentials, the platform's keys by their prefix, and all that Secretlint or our own formats know. */
export function createCredentialRedact(adminApiKey: string, others: readonly string[]): Redact {
  const own = createRedact([adminApiKey, ...others]);
  const prefix = keyPrefix(adminApiKey);
  const platform = prefix && new RegExp(`(?<![A-Za-z0-9])${prefix}[A-Za-z0-9_-]{16,}`, 'dg');
  return (text) => {
    const redacted = own(text);
    const keys = platform ? spansOf(redacted, platform) : [];
    return hideCredentials(redacted, [...keys, ...bySecretlint(redacted)]);
  };
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
