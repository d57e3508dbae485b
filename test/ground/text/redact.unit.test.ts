import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeBlock, codeSpan, cut, escapeMarkdown } from '../../../src/ground/text/escape.ts';
import { createRedact } from '../../../src/ground/text/redact.ts';
import { measureGrowth } from '../../support/growth.ts';

// The characters of keys, tokens and presigned links, with all that Markdown would escape.
const secret = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ0189_-.~*[]#&=%+|<>@/:?'),
    minLength: 10,
    maxLength: 60,
  })
  .filter((text) => /[a-zA-Z].*[0-9]/.test(text));

describe('redacting', () => {
  it('A secret is found in a text that was already escaped for a summary', () => {
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

  it.each([
    'svc_0123456789_abcdef',
    'https://b.example/x_y.tar.gz?X-Amz-Signature=0123_4567&www.x=1@2',
  ])('Nothing of %s is left in a heading, a cell or a code span', (value) => {
    const summary = [
      escapeMarkdown(value),
      `| ${escapeMarkdown(`a ${value}`)} |`,
      codeSpan(value),
      value,
    ].join('\n');
    expect(createRedact([value])(summary)).toBe('***\n| a *** |\n`***`\n***');
  });

  it('The signature of a JSON Web Token is replaced if it is alone', () => {
    const signature = 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
    const redact = createRedact([`eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyZXBvIn0.${signature}`]);
    expect(redact(`the signature ${signature} is wrong`)).toBe('the signature *** is wrong');
  });

  it('Texts without a secret stay unchanged', () => {
    expect(createRedact(['svc_0123456789'])('svc\\_01234 stays')).toBe('svc\\_01234 stays');
  });

  const KEY = 'svc_K3y+Of/Tests~0123';
  const redactKey = createRedact([KEY]);

  it.each([
    ['in upper-case hexadecimal', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['percent-encoded in every character', Buffer.from(KEY).toString('hex').replace(/../g, '%$&')],
    ['percent-encoded twice', Buffer.from(KEY).toString('hex').replace(/../g, '%25$&')],
    ['as entities', [...KEY].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    [
      'as entities without semicolons',
      [...KEY].map((one) => `&#x${one.charCodeAt(0).toString(16)}`).join(' '),
    ],
    [
      'as JSON escapes',
      [...KEY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['split by line ends', [...KEY].join('\r\n')],
    ['split by tabs', [...KEY].join('\t')],
    ['split by blanks', [...KEY].join('   ')],
    ['split by invisible characters', [...KEY].join('\u200b\u2060')],
    ['in wrapped base64', Buffer.from(`xy${KEY}`).toString('base64').replace(/.{7}/g, '$&\n')],
    [
      'in base64 that JSON wraps',
      Buffer.from(KEY).toString('base64').replace(/.{8}/g, '$&\\n').replace(/=+$/, ''),
    ],
    ['in base64 for addresses', Buffer.from(KEY).toString('base64url')],
  ])('A key is found %s', (_name, form) => {
    const shown = redactKey(`before: ${form} , after`);
    expect(shown).toMatch(/^before: .{0,4}\*\*\*.{0,3} , after$/s);
  });

  it.each([
    ["in a shell's single quotes", "'it'\\''s-a-passw0rd'"],
    ['in single quotes that were closed', `'it'"'"'s-a-passw0rd'`],
    ['behind a backslash', "it\\'s-a-passw0rd"],
    ['in single quotes of YAML or SQL', "'it''s-a-passw0rd'"],
    ['in JSON', JSON.stringify("it's-a-passw0rd")],
    ['as an entity', 'it&#39;s-a-passw0rd'],
  ])('A password with an apostrophe is found %s', (_name, form) => {
    expect(createRedact(["it's-a-passw0rd"])(`login ${form} failed`)).toMatch(
      /^login ["']?\*\*\*["']? failed$/,
    );
  });

  it('A password with a quotation mark is found in a cell of CSV', () => {
    expect(createRedact(['say"hello"2u'])('a,"say""hello""2u",b')).toBe('a,"***",b');
  });

  it('A secret of 4 to 7 characters is replaced if it is a whole word, and in encodings', () => {
    const redact = createRedact(['r00t', "p'wd7%"]);
    expect(redact('token r00t, "r00t" (r00t) r00t.')).toBe('token ***, "***" (***) ***.');
    expect(
      redact(`${Buffer.from('r00t').toString('base64')} ${Buffer.from('r00t').toString('hex')}`),
    ).toBe('*** ***');
    expect(redact("login p'wd7% and p'wd7%25")).toBe('login *** and ***');
    expect(redact('r00ts xr00t my_r00t')).toBe('r00ts xr00t my_r00t');
  });

  it.each(['abc', '1234', 'true', 'null'])(
    'Too short or part of every report, so it is not replaced: %s',
    (value) => {
      expect(createRedact([value])(`{"a":${value}}`)).toBe(`{"a":${value}}`);
    },
  );

  // A key that contains half an encoding can be read in two ways.
  const plainSecret = secret.filter((value) => !/[&%]/.test(value));

  const encode: readonly ((character: string) => string)[] = [
    (one) => one,
    (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
    (one) => `&#${one.charCodeAt(0)};`,
    (one) => `&#X${one.charCodeAt(0).toString(16)};`,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
    (one) => `${one}\n`,
    (one) => `\t${one}`,
    (one) => `${one}\u00ad`,
    (one) => `%26%23${one.charCodeAt(0)}%3B`,
  ];

  it('A key with a different encoding for each character is found, and nothing else is removed', () => {
    fc.assert(
      fc.property(plainSecret, fc.infiniteStream(fc.constantFrom(...encode)), (value, ways) => {
        const written = [...value].map((one) => ways.next().value?.(one) ?? one).join('');
        expect(createRedact([value])(`(${written.trim()})`).replace(/[\s\u00ad]/g, '')).toBe(
          '(***)',
        );
      }),
      { numRuns: process.env['SOAK'] ? 20_000 : 1000 },
    );
  });

  it('At most seven letters of a key are left at the end of a cut text, with a mark or without', () => {
    for (let length = 1; length < KEY.length + 3; length += 1) {
      const text = `see ${KEY} there`.slice(0, 4 + length);
      for (const shown of [
        redactKey(text),
        redactKey(`${text}…`),
        redactKey(cut(`see ${KEY} there`, { chars: 5 + length })),
      ]) {
        expect(shown).not.toContain(KEY.slice(0, 8));
      }
    }
  });

  it('The beginning of a link stays, because only its query is secret', () => {
    const redact = createRedact([
      'https://files.example/a/site.tar.gz?sig=0123456789abcdef',
      'sig=0123456789abcdef',
    ]);
    expect(redact('at https://files.example/a/site.tar.gz?…')).toBe(
      'at https://files.example/a/site.tar.gz?…',
    );
    expect(redact('at https://files.example/a/site.tar.gz?sig=0123456…')).toBe(
      'at https://files.example/a/site.tar.gz?***…',
    );
  });

  it('Overlapping secrets become one mark, adjacent ones become two', () => {
    expect(createRedact(['abcdefgh12', 'efgh12345678'])('-abcdefgh12345678-')).toBe('-***-');
    expect(createRedact(['abcdefgh12', 'ijklmnop34'])('abcdefgh12ijklmnop34')).toBe('******');
  });

  it.each([
    ['a', `${'a'.repeat(200)}b`],
    ['a', `b${'a'.repeat(200)}`],
    ['%61', 'a'.repeat(100)],
    ['&#97;', `${'a'.repeat(100)}b`],
    ['\\', 'secret-0123456'],
    ['aab', 'aa'.repeat(50)],
    [' ', 'secret-0123456'],
  ])('The work for a text of %j grows with its length, not faster', (bit, value) => {
    expect(
      measureGrowth(createRedact([value]), bit.repeat(Math.ceil(131_072 / bit.length))),
    ).toBeLessThan(6);
  });
});
