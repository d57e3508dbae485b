import { expect, test } from 'vitest';
import { countsOf } from '../../scripts/measure/counts.ts';

test.each([
  ['const a = b ? 1 : 2;', { conditionals: 1, nestedConditionals: 0 }],
  ['const a = b ? 1 : c ? 2 : 3;', { conditionals: 2, nestedConditionals: 1 }],
  // A separate step between them: Biome does not count it either.
  ['const a = b ? f(c ? 1 : 2) : 3;', { conditionals: 2, nestedConditionals: 0 }],
  ['const { a, b: [c] } = d; function f({ e }) {}', { destructurings: 3 }],
  ["const a = b as string; const c = d!; const e = ['f'] as const;", { casts: 2 }],
  ["import { a as b } from './c.ts'; type D = Pick<E, 'f'>;", { casts: 0, picks: 1 }],
  ['a && (b || (c ?? d));', { logicals: 3 }],
  ['/** A. */\n// B\n\na;\n/*\n C\n*/\nb; /* D */\n', { codeLines: 2, nodes: 5 }],
  ['// Pick<A, B> and c ? 1 : 2\n', { lines: 1, conditionals: 0, picks: 0 }],
  [
    'export function a() { function b() {} }\ntype C = 1; export class D {} const e = 1;',
    { names: ['a', 'C', 'D'] },
  ],
])('The code %j is counted as %j', (text, counts) => {
  expect(countsOf(text)).toMatchObject(counts);
});

test('The words of a file are its names and texts in lower case, without those of comments', () => {
  const { words } = countsOf(
    "// Azure\nconst readVault = 'aws-sm:x'; const b = `kubernetes ${c}`;",
  );
  const all = [...words];
  for (const word of ['readvault', 'aws-sm:x', 'kubernetes ']) expect(all).toContain(word);
  expect(all.join()).not.toContain('azure');
});
