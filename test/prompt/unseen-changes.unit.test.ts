import { expect, test } from 'vitest';
import { withUnseenChanges } from '../../src/prompt/unseen-changes.ts';

const CRLF = 'U+000D (line end CRLF)';

test.each([
  ['line ends that are new', ['-a', '-b', '+a\r', '+b\r'], 2, 'none', CRLF],
  ['a byte order mark', ['-\ufeffa', '+a'], 1, 'U+FEFF', 'none'],
  ['a joiner between Latin letters', ['-ab', '+a\u200db'], 1, 'none', 'U+200D'],
  ['a form feed', ['-a b', '+a\fb'], 1, 'none', 'U+000C'],
  ['a tag character', ['-a', '+a\u{e0041}'], 1, 'none', 'U+E0041'],
  [
    'a line end at the end of a file',
    ['-a\r', '\\ No newline at end of file', '+a'],
    1,
    CRLF,
    'none',
  ],
])(
  'Lines of a diff that look the same are preceded by what differs: %s',
  (_name, lines, count, before, now) => {
    expect(withUnseenChanges(['@@ -1 +1 @@', ...lines, ' c'])).toEqual([
      '@@ -1 +1 @@',
      `[${count} of these lines differ only in invisible characters: before ${before}, now ${now}]`,
      ...lines,
      ' c',
    ]);
  },
);

test.each([
  ['other words', ['-a\r', '+b\r']],
  ['a line that was moved', ['-a', ' b', '+a']],
  ['a joiner that the script needs', ['-می\u200cخواهم', '+میخواهم']],
  ['a file whose line ends did not change', ['-a\r', '+b\r', ' c\r']],
])('A change that can be seen has no note: %s', (_name, lines) => {
  expect(withUnseenChanges(lines)).toEqual(lines);
});
