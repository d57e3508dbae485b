import { expect, test } from 'vitest';
import { hideSecrets, looksSecret } from '../../../src/ground/text/credentials.ts';
import { foreignText } from '../../../src/http/service.ts';
import { measureGrowth } from '../../support/growth.ts';

test.each([
  ['slashes', '/'],
  ['beginnings of an address', 'https://'],
  ['addresses with a question mark', 'https://a?'],
  ['names with digits', 'docs_2026_'],
  ['digits and letters', 'a1'],
])('A text of %s takes time that grows with its length', (_, piece) => {
  const text = piece.repeat(Math.ceil(64_000 / piece.length));
  for (const work of [
    looksSecret,
    hideSecrets,
    (raw: string) => foreignText(raw, (same) => same),
  ]) {
    expect(measureGrowth(work, text)).toBeLessThan(6);
  }
});

test('The words of a service are shown without the query of any address', () => {
  const said =
    'see https://s3.example.com/a?X-Signature=canary1 and HTTPS://b.example/c#canary2, not https://d.example/e';
  expect(foreignText(said, (same) => same)).toBe(
    'see https://s3.example.com/a?… and HTTPS://b.example/c?… not https://d.example/e',
  );
});
