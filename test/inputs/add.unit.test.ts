import { expect, test } from 'vitest';
import { readActionInputs, variableOf } from '../../src/ci/github/runner.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { INPUTS } from '../../src/values/catalog.ts';

const COMMON = {
  mode: 'export',
  'base-url': 'https://api.docs.example.com',
  'admin-api-key': 'svc_canary-admin-key',
  domain: 'docs.example.com',
};

function read(given: Readonly<Record<string, string>>) {
  const defaults = Object.fromEntries(Object.entries(INPUTS).map(([name, { default: value }]) => [name, value]));
  const all = Object.entries<string>({ ...defaults, ...COMMON, ...given });
  const source = readActionInputs(Object.fromEntries(all.map(([name, value]) => [variableOf(name), value])));
  return readInputs(source, { repository: 'acme/app', workspace: '/workspace' });
}

test.each([
  ['', []],
  ['stamp', ['stamp']],
  [' search \n\nstamp\n', ['search', 'stamp']],
  ['stamp\nstamp', ['stamp']],
])('The text %j adds %j', (add, expected) => {
  expect(read({ add, 'extract-to': 'site' })).toMatchObject({ add: expected });
});

test('What can be added to a folder can be added to an image', () => {
  expect(read({ add: 'stamp', image: 'registry.example.com/acme/docs:latest' })).toMatchObject({ add: ['stamp'] });
});

test.each([
  [{ add: 'index', 'extract-to': 'site' }, 'search, stamp'],
  [{ add: 'search, stamp', 'extract-to': 'site' }, 'one entry a line'],
  [{ add: 'stamp' }, 'add is read only together with extract-to or image'],
  [{ add: 'stamp', 'bundle-path': 'docs.tar.gz' }, 'the archive at bundle-path is never changed'],
])('The inputs %j are refused', (given: Record<string, string>, message) => {
  expect(() => read(given)).toThrow(message);
});
