import { expect, test } from 'vitest';
import { guess } from '../../../src/text/names.ts';

const NAMES = ['export', 'refresh', 'agent', 'search', 'secret-name', 'expect', 'report', 'paths', 'query'];

test.each([
  ['exprot', 'export'],
  ['Export', 'export'],
  ['secretname', 'secret-name'],
  ['SECRET_NAME', 'secret-name'],
  ['expects', 'expect'],
  ['path', 'paths'],
  ['serach', 'search'],
  ['quer', 'query'],
])('The name %s means %s', (name, meant) => {
  expect(guess(name, NAMES)).toBe(meant);
});

test.each(['', 'xyz', 'q', 'deployment', `export${'t'.repeat(100)}`])(
  'The name %j means none of the known names',
  (name) => {
    expect(guess(name, NAMES)).toBeUndefined();
  },
);
