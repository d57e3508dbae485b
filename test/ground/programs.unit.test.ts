import { expect, test } from 'vitest';
import { variableOf } from '../../src/ground/programs.ts';

test.each([
  [{ PATH: '/bin' }, '/bin'],
  [{ Path: 'C:\\Windows' }, 'C:\\Windows'],
  [{ Path: 'C:\\other', PATH: '/bin' }, '/bin'],
  [{ MYPATH: '/bin' }, undefined],
  [{}, undefined],
])(
  'The folders of programs in the environment %j are %s, as Windows writes the name too',
  (env, expected) => {
    expect(variableOf(env, 'PATH')).toBe(expected);
  },
);

test('A variable of an environment from Windows is found whatever the case of its name', () => {
  expect(variableOf({ SystemRoot: 'C:\\Windows' }, 'SYSTEMROOT')).toBe('C:\\Windows');
});
