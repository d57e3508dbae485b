import { expect, test } from 'vitest';
import { type BundleFacts, bundleSections } from '../../src/site/summary.ts';
import type { Finding } from '../../src/site/verify/finding.ts';

const facts: BundleFacts = {
  path: '/w/docs.tar.gz',
  sha256: 'ab'.repeat(32),
  bytes: 3 * 1024 * 1024,
  manifestPath: '/w/docs.tar.gz.manifest.json',
  checksumPath: '/w/docs.tar.gz.sha256',
  sitePath: '/w/site',
  verifyReport: '/t/verify.json',
  format: 'tar.gz',
  files: 2,
  pages: 1,
  unpackedBytes: 9000,
  resumed: 1,
  verification: undefined,
};

function verified(first: readonly Finding[], errors = first.length): BundleFacts {
  return {
    ...facts,
    verification: { pages: 1, files: 2, references: 5, errors, warnings: 0, notes: 0, first },
  };
}

test('The summary shows what was received, and that a verification found nothing', () => {
  const text = bundleSections(verified([]));
  expect(text).toContain('tar.gz, 3.0 MiB');
  expect(text).toContain('1, resumed each time');
  expect(text).toContain('no finding');
});

test('Findings are in a table in which all text from the bundle is inert', () => {
  const text = bundleSections(
    verified(
      [
        {
          level: 'error',
          kind: 'broken-link',
          page: 'a|b.html',
          target: '`![x](https://evil.example/b.png)` @team',
          reason: 'bad <img src=x> @team',
        },
      ],
      12,
    ),
  );
  const row = text.split('\n').find((line) => line.includes('evil.example')) ?? '';
  expect(row.replace(/\\\|/g, '').split('|')).toHaveLength(6);
  expect(row).not.toMatch(/<img/);
  expect(text).toContain('first 1 of 12; the file at `/t/verify.json`');
});
