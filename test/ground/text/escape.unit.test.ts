import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeBlock,
  codeSpan,
  escapeMarkdown,
  inertLines,
  link,
  plainLine,
} from '../../../src/ground/text/escape.ts';
import { anyText } from '../../support/any-text.ts';

const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const hostileText = fc.oneof(
  anyText({ maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '::',
        '##[',
        'set-output name=x',
        '\r',
        '\n',
        '\u2028',
        '\u0085',
        '\u00a0',
        ' ',
        '\u001b[31m',
        'a',
        '`',
        '@team',
        '\u202e',
        '\u{e0041}',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);

/**
 * What would be a command for the runner: `::name` behind white space at the start of a line, or
 * `##[` anywhere.
 */
const isCommand = (line: string) => /^\s*::/.test(line) || line.includes('##[');

describe('lines for the log', () => {
  it('Lines for the log contain no command, no line end and no invisible character', () => {
    fc.assert(
      fc.property(hostileText, (text) =>
        inertLines(text).every(
          (line) =>
            !isCommand(line) && !LINE_BREAK.test(line) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(line),
        ),
      ),
    );
  });

  it.each([
    ['::set-output name=bundle-url::evil', ['| ::set-output name=bundle-url::evil']],
    ['a\r::error::b', ['a', '| ::error::b']],
    ['x ##[set-output name=x]y', ['x ##\\[set-output name=x]y']],
    ['\u00a0::add-mask::e', ['| \u00a0::add-mask::e']],
    ['a\u2028::stop-commands::t', ['a', '| ::stop-commands::t']],
    ['x ##vso[task.setvariable variable=a]b', ['x ##\\vso[task.setvariable variable=a]b']],
    ["##teamcity[setParameter name='a']", ["##\\teamcity[setParameter name='a']"]],
    ['--- evil', ['| --- evil']],
    ['+++ evil', ['| +++ evil']],
    ['~~~ evil', ['| ~~~ evil']],
    ['^^^ +++', ['| ^^^ +++']],
    ['\u001b[0Ksection_start:1:evil\r\u001b[0Kfolded', ['| section_start:1:evil', 'folded']],
    ['section_end:1:evil', ['| section_end:1:evil']],
    ['travis_fold:start:evil', ['| travis_fold:start:evil']],
    ['- item, --flag, a # b [c] ## Title', ['- item, --flag, a # b [c] ## Title']],
  ])('The log shows %j as %j', (text, lines) => {
    expect(inertLines(text)).toEqual(lines);
  });

  it('A text becomes one line of a given length', () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.integer({ min: 5, max: 50 }),
        (text, max) =>
          plainLine(text, max).length <= max + 3 && !LINE_BREAK.test(plainLine(text, max)),
      ),
    );
  });
});

describe('text inside Markdown', () => {
  it.each([
    ['![x](https://evil.example/beacon)', /!\[|\]\(/],
    ['<img src=x onerror=y>', /<img/],
    ['@octo/team please', /@octo/],
    ['fixes #12', /#12/],
    ['see https://evil.example', /https:\/\//],
    ['see HTTP://evil.example', /http:\/\//i],
    // GitHub takes a zero-width space before or behind the dot for a part of the host name, and
    // drops it.
    ['see www.evil.example', /www\u200b?\./],
    ['see WwW.evil.example', /www\u200b?\./i],
    ['mailto:a@evil.example', /@e/],
    ['a.b@evil.example', /@e/],
    ['/docs-agent do it', /^\/docs-agent/],
    ['a | b', /\|/],
    ['<!-- hidden -->', /<!--/],
    ['[x]: https://evil.example', /(?<!\\)\]:/],
  ])('The text %j is inert in Markdown', (text, active) => {
    expect(escapeMarkdown(text)).not.toMatch(active);
  });

  it('A text inside Markdown is one line with the same content', () => {
    expect(escapeMarkdown('two\nlines')).toBe('two lines');
    expect(escapeMarkdown('plain words, and 3 numbers')).toBe('plain words, and 3 numbers');
  });

  it('A text stays inside its code span and code block, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('`', 'a', ' ', '~', '\n'), maxLength: 40 }),
        (text) => {
          const block = codeBlock(text).split('\n');
          const fence = block[0] ?? '';
          const closes = block.slice(1, -1).some((line) => line.includes(fence));
          const span = codeSpan(text);
          const inner = /^(`+)([\s\S]*?)\1$/.exec(span);
          return !closes && block.at(-1) === fence && (span === '' || inner !== null);
        },
      ),
    );
  });
});

describe('a link', () => {
  it('A link is rendered only if the address is plain https', () => {
    expect(link('pull request', 'https://github.com/a/b/pull/1')).toBe(
      '[pull request](https://github.com/a/b/pull/1)',
    );
    for (const url of [
      'javascript:alert(1)',
      'https://a.example/)[x](y',
      'https://a.example/\n',
      'http://a.example',
    ]) {
      expect(link('x', url)).toMatch(/^`.*`$/);
    }
  });
});
