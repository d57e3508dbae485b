import { expect, test } from 'vitest';
import { readStep } from './reading.ts';

test.each([
  ['', []],
  ['stamp', ['stamp']],
  [' search \n\nstamp\n', ['search', 'stamp']],
  ['stamp\nstamp', ['stamp']],
])('The text %j adds %j', (add, expected) => {
  expect(readStep({ add, 'extract-to': 'site' })).toMatchObject({ add: expected });
});

test('What can be added to a folder can be added to an image', () => {
  expect(readStep({ add: 'stamp', image: 'registry.example.com/acme/docs:latest' })).toMatchObject({
    add: ['stamp'],
  });
});

test.each([
  [{ add: 'index', 'extract-to': 'site' }, 'search, stamp'],
  [{ add: 'search, stamp', 'extract-to': 'site' }, 'one entry a line'],
  [{ add: 'stamp' }, 'add is read only together with extract-to or image'],
  [{ add: 'stamp', 'bundle-path': 'docs.tar.gz' }, 'the archive at bundle-path is never changed'],
])('The inputs %j are refused', (given: Record<string, string>, message) => {
  expect(() => readStep(given)).toThrow(message);
});
