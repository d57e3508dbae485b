import { expect, test } from 'vitest';
import { guess } from '../../../src/ground/text/names.ts';

const NAMES = [
  'export',
  'refresh',
  'agent',
  'search',
  'secret-token',
  'expect',
  'report',
  'paths',
  'query',
];

test.each([
  ['exprot', 'export'],
  ['Export', 'export'],
  ['secrettoken', 'secret-token'],
  ['SECRET_TOKEN', 'secret-token'],
  ['expects', 'expect'],
  ['path', 'paths'],
  ['serach', 'search'],
  ['quer', 'query'],
])('The name %s means %s', (name, meant) => {
  expect(guess(name, NAMES)).toBe(meant);
});

test.each(['', 'xyz', 'q', 'deployment', `export${'t'.repeat(100)}`])(
  'The name %j is not close to any known name',
  (name) => {
    expect(guess(name, NAMES)).toBeUndefined();
  },
);
