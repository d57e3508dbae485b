import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeBlock, codeSpan, escapeMarkdown } from '../../../src/text/escape.ts';
import { createRedact } from '../../../src/text/redact.ts';

// What keys, tokens and presigned links are made of, with all that Markdown would escape.
const secret = fc
  .string({ unit: fc.constantFrom(...'abcXYZ0189_-.~*[]#&=%+|<>@/:?'), minLength: 10, maxLength: 60 })
  .filter((text) => /[a-zA-Z].*[0-9]/.test(text));

describe('redacting', () => {
  it('finds a secret in a text that was escaped for a summary already', () => {
    fc.assert(
      fc.property(secret, (value) => {
        const redact = createRedact([value]);
        for (const shown of [
          escapeMarkdown(`see ${value} here`),
          codeSpan(`a ${value} b`),
          codeBlock(`a ${value}\nb`),
        ]) {
          expect(redact(shown)).toContain('***');
        }
      }),
      { numRuns: 2000, examples: [['a##[aaaa0a']] },
    );
  });

  it.each(['svc_0123456789_abcdef', 'https://b.example/x_y.tar.gz?X-Amz-Signature=0123_4567&www.x=1@2'])(
    'leaves nothing of %s in a heading, a cell or a code span',
    (value) => {
      const summary = [escapeMarkdown(value), `| ${escapeMarkdown(`a ${value}`)} |`, codeSpan(value), value].join('\n');
      expect(createRedact([value])(summary)).toBe('***\n| a *** |\n`***`\n***');
    },
  );

  it('leaves texts without a secret as they are', () => {
    expect(createRedact(['svc_0123456789'])('svc\\_01234 stays')).toBe('svc\\_01234 stays');
  });
});
