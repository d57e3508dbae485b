import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from './any-text.ts';
import { readEnvFile } from './runner/env-file.ts';

describe('an env file', () => {
  test('An env file contains plain pairs and values of several lines', () => {
    const file = readEnvFile('a=1\n\nb<<EOF\nx=y\n<<\n\nEOF\nc=d<<e\n');
    expect(file).toEqual({ values: { a: '1', b: 'x=y\n<<\n', c: 'd<<e' }, error: undefined });
  });

  test('A delimiter counts only as a whole line', () => {
    expect(readEnvFile('a<<E=F\nx\nE=F\n').values).toEqual({ a: 'x' });
    expect(readEnvFile('a<<END\n END\nEND \nENDE\nEND\n').values).toEqual({ a: ' END\nEND \nENDE' });
  });

  test('A lone CR and a CR before LF are kept, as by the runner on Linux', () => {
    expect(readEnvFile('a<<E\none\r\ntwo\rthree\nE\n').values).toEqual({ a: 'one\r\ntwo\rthree' });
  });

  test.each([
    ['no equals sign\n', 'Invalid format'],
    ['=value\n', 'Name must not be empty'],
    ['<<EOF\nx\nEOF\n', 'Name must not be empty'],
    ['a<<\nx\n', 'delimiter must not be empty'],
    ['a<<EOF\nx\n', "Matching delimiter not found 'EOF'"],
  ])('A malformed env file is an error: %j', (text, message) => {
    expect(readEnvFile(`good=1\n${text}`)).toEqual({
      values: { good: '1' },
      error: expect.stringContaining(message),
    });
  });

  test('Every value is read back if it does not contain its delimiter', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (value) => {
        const text = value.toWellFormed();
        const delimiter = 'ghadelimiter_7a1f';
        fc.pre(!text.split('\n').includes(delimiter));
        expect(readEnvFile(`k<<${delimiter}\n${text}\n${delimiter}\n`).values).toEqual({ k: text });
      }),
      { numRuns: 300 },
    );
  });
});
