import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES, parseCommand } from './runner/commands.ts';
import { LogReader } from './runner/log-reader.ts';
import { createMasker } from './runner/masker.ts';

const registered = new Set(COMMAND_NAMES);
const parse = (line: string) => parseCommand(line, registered);

function read(text: string, options: { debug?: boolean; chunkSize?: number } = {}) {
  const masker = createMasker();
  const reader = new LogReader({ masker, debug: options.debug ?? false });
  const bytes = Buffer.from(text);
  const size = options.chunkSize ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) reader.write('stdout', bytes.subarray(at, at + size));
  reader.end();
  return reader;
}

describe('a line of the log', () => {
  test.each([
    ['::warning::careful', { name: 'warning', properties: {}, data: 'careful' }],
    ['  \t::warning::after white space', { name: 'warning', properties: {}, data: 'after white space' }],
    ['\u00a0\u2028\u0085::warning::x', { name: 'warning', properties: {}, data: 'x' }],
    ['::warning::a::b', { name: 'warning', properties: {}, data: 'a::b' }],
    ['::WARNING::x', { name: 'warning', properties: {}, data: 'x' }],
    [
      '::error file=a%2Cb.md,line=3,title=50%25%3A::one%0Atwo %2525',
      { name: 'error', properties: { file: 'a,b.md', line: '3', title: '50%:' }, data: 'one\ntwo %25' },
    ],
    ['any text ##[set-output name=x]y', { name: 'set-output', properties: { name: 'x' }, data: 'y' }],
    ['##[error file=a;line=2]no%5D', { name: 'error', properties: { file: 'a', line: '2' }, data: 'no]' }],
  ])('The line "%s" is a command', (line, expected) => {
    expect(parse(line)).toEqual(expected);
  });

  test.each([
    'text ::warning::not at the start',
    '| ::warning::x',
    '::unknown::x',
    '::warning',
    '##\\[error]x',
    '##[unknown]x',
    '\ufeff::warning::x',
    '##[error',
  ])('The line "%s" is not a command', (line) => {
    expect(parse(line)).toBeUndefined();
  });
});

describe('the visible log', () => {
  test('A mask hides the value from then on, not before', () => {
    const { shown, masks } = read('before s3cret-value\n::add-mask::s3cret-value\nafter s3cret-value\n');
    expect(shown).toEqual(['before s3cret-value', 'after ***']);
    expect(masks).toEqual(['s3cret-value']);
  });

  test('Each line of a mask with several lines is hidden', () => {
    expect(read('::add-mask::first-line%0Asecond-line\nx second-line\n').shown).toEqual(['x ***']);
  });

  test('Nothing is a command between stop-commands and its token', () => {
    const reader = read(
      '::stop-commands::tok3n\n::add-mask::hidden-1\n##[error]no\n::tok3n::\n::error::yes\n::tok3n::\n',
    );
    expect(reader.masks).toEqual([]);
    expect(reader.annotations.map((one) => one.message)).toEqual(['yes']);
    expect(reader.shown.at(-1)).toBe('::tok3n::');
  });

  test('A stop token that is itself a command is refused', () => {
    const reader = read('::stop-commands::error\n::stop-commands::\n::error::still works\n');
    expect(reader.violations).toHaveLength(2);
    expect(reader.annotations).toHaveLength(1);
  });

  test('Annotations have a title, file and line, with secrets masked', () => {
    const { annotations } = read(
      '::add-mask::k3y-value\n::warning title=T k3y-value,file=docs/a.md,line=7::m k3y-value\n',
    );
    expect(annotations).toEqual([{ type: 'warning', message: 'm ***', title: 'T ***', file: 'docs/a.md', line: 7 }]);
  });

  test('The deprecated output command works and is reported', () => {
    const reader = read('::set-output name=a::b\n');
    expect(reader.legacyOutputs).toEqual({ a: 'b' });
    expect(reader.violations).toHaveLength(1);
  });

  test('Debug lines are shown only when debugging is on', () => {
    expect(read('::debug::detail\n').shown).toEqual([]);
    expect(read('::debug::detail\n', { debug: true }).shown).toEqual(['##[debug]detail']);
  });

  test.each([1, 2, 3, 5])('CR, LF and CR LF end a line, also in pieces of %i bytes', (chunkSize) => {
    const { shown } = read('one\rtwo\r\nthree ☃\nfour', { chunkSize });
    expect(shown).toEqual(['one', 'two', 'three ☃', 'four']);
  });
});
