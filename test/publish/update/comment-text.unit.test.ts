import { expect, test } from 'vitest';
import { previewText } from '../../../src/publish/update/comment-text.ts';
import injections from '../../fixtures/injections/texts.json' with { type: 'json' };

const MADE = {
  url: 'https://preview.example.com/a',
  commit: 'a'.repeat(40),
  published: undefined,
  elapsedMs: 65_000,
  showsFiles: true,
};

test.each([
  ...injections.texts.map(({ text }) => text),
  '@everyone #1 https://evil.example ![x](y) | <b>',
  '`` ` |',
])('The path of a changed file is shown as text: %j', (path) => {
  const text = previewText({
    ...MADE,
    files: { added: [path], modified: undefined, removed: [7] },
  });
  expect(text).toContain('1 file changed');
  const lines = text.split('\n').filter((line) => line.startsWith('- added: '));
  expect(lines).toHaveLength(1);
  // Of a path that cannot be seen, nothing is left.
  expect(lines[0]).toMatch(/^- added: ((`+)(?!`).*[^`]\2)?$/s);
});

test('Without files nothing is said about them, and the address is a link', () => {
  expect(previewText({ ...MADE, files: undefined })).toBe(
    '**Preview of the documentation**: [open the preview](https://preview.example.com/a)\n\n' +
      'Requested for commit `aaaaaaa`, ready after 1 min 5 s. The platform does not show which commit it has.',
  );
});
