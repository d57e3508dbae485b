import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { permissionAdvice } from '../../../src/github/permission-advice.ts';

test.each([
  ['repository', { with: { 'permission-secrets': 'write' }, env: { 'INPUT_PERMISSION-ACTIONS-VARIABLES': 'write' } }],
  ['environment', { with: { 'permission-environments': 'write' } }],
  [
    'organization',
    {
      with: { 'permission-organization-secrets': 'write' },
      env: { 'INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES': 'write' },
    },
  ],
] as const)('the advice for scope %s is a step that can be pasted', (scope, step) => {
  expect(parse(permissionAdvice(scope).yaml)).toMatchObject([
    { id: 'app-token', uses: expect.stringMatching(/^actions\/create-github-app-token@/), ...step },
  ]);
});
