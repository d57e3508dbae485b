import { describe, expect, it } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { readInputs } from '../../src/inputs/read.ts';

const GIVEN = {
  mode: 'publish',
  'base-url': 'https://api.docs.example.com',
  'admin-api-key': 'svc_adminKeyForTests0123456789',
  'project-id': 'project-1',
  'github-token': 'ghs_workflowTokenForTests0123456789abc',
};

function read(inputs: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { ...GIVEN, ...inputs };
  const source = { value: (name: string) => all[name] ?? '', unknownNames: () => [] };
  return readInputs(source, { repository: 'acme/docs', workspace: '/workspace' });
}

function refusal(inputs: Readonly<Record<string, string>>): string {
  try {
    read(inputs);
  } catch (error) {
    if (error instanceof CourierError) return error.message;
    throw error;
  }
  return '';
}

describe('the inputs of mode publish', () => {
  it('A project and a key are enough, and each other input has a default', () => {
    const defaults = {
      branch: undefined,
      comment: undefined,
      allowPrivateHosts: false,
      dryRun: false,
    };
    const follow = { timeoutMs: 1_800_000, onTimeout: 'fail' };
    expect(read({})).toMatchObject({
      mode: 'publish',
      projectId: 'project-1',
      ...defaults,
      ...follow,
    });
    const comment = { token: GIVEN['github-token'], titles: true };
    expect(read({ comment: 'titles', branch: 'docs/new' })).toMatchObject({
      comment,
      branch: 'docs/new',
    });
  });

  it.each(['docs/new-page', 'fix#12', 'søk/日本語', 'v1.2', 'a@b', 'x'.repeat(255)])(
    'The branch %j is taken as it is',
    (branch) => {
      expect(read({ branch })).toMatchObject({ branch });
    },
  );

  it.each([
    'a b',
    'refs/heads/main',
    'a..b',
    '-x',
    'a/',
    '/a',
    'a//b',
    'a/.b',
    'a~1',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{1}',
    'a\u0007b',
    'x'.repeat(300),
  ])('The branch %j is refused with the form that is allowed', (branch) => {
    expect(refusal({ branch })).toContain('it must be the name of a branch such as docs/new-page');
  });

  it.each([
    [{ 'project-id': '' }, 'project-id is missing: it names what is published'],
    [{ 'project-id': 'a/b' }, 'project-id: "a/b" is not allowed'],
    [{ 'admin-api-key': '' }, 'admin-api-key is missing'],
    [
      { comment: 'true', 'github-token': '' },
      'github-token is missing: comment is written with it',
    ],
    [{ publish: 'true' }, 'publish belongs to mode export, not to publish; remove it'],
    [
      { to: 'file:link.txt' },
      'to belongs to mode export, refresh, rollback, not to publish; remove it',
    ],
    [
      { mode: 'export', domain: 'docs.example.com', branch: 'x' },
      'branch belongs to mode publish, not to export',
    ],
  ])('%j is refused', (inputs, said) => {
    expect(refusal(inputs)).toContain(said);
  });
});
