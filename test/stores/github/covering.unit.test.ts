import { expect, test } from 'vitest';
import { CourierError } from '../../../src/ground/errors.ts';
import { settingHint } from '../../../src/stores/github/target.ts';

const missing = new CourierError({ code: 'not-found', message: 'x' });
const WEBSITE = { scope: 'repository', repository: 'acme/website' } as const;

test('A secret that is not found shows its repository in the step that makes the token', () => {
  const hint = settingHint(missing, WEBSITE, 'secrets');
  expect(hint).toMatchObject({
    steps: { yaml: expect.stringContaining('    owner: acme\n    repositories: website\n') },
  });
});

test('A refusal that names another reason than a permission keeps that reason', () => {
  const error = new CourierError({
    code: 'forbidden',
    message: 'x',
    hint: { text: 'Single sign-on.' },
  });
  const hint = settingHint(error, WEBSITE, 'secrets');
  expect(hint).toEqual({ text: 'Single sign-on.' });
});
