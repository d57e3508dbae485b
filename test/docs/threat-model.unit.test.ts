import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readText } from './pages.ts';

const rows = readText('docs/explanation/threat-model.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Attacker|---) \|/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));

it('The threat model begins with the keys and the link, and then has the docs agent', () => {
  const headings = readText('docs/explanation/threat-model.md').match(/^## .*$/gm) ?? [];
  expect(headings.slice(0, 2)).toEqual([
    '## Keys and the link',
    '## Who may command the docs agent',
  ]);
});

it('The threat model lists many attackers, and what stops each of them', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    expect(row, row.join(' | ')).toHaveLength(4);
    for (const cell of row) expect(cell.length).toBeGreaterThan(5);
  }
});

it.each(rows.map(([attacker, can, , test = '']) => [`${attacker}: ${can}`, test]))(
  'The threat "%s" has tests, and their files exist',
  (_, cell) => {
    const files = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      expect(path).toMatch(/^(test\/.+\.test\.ts|scripts\/examples\/cases\/.+\.ts)$/);
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  },
);
