import { expect, test } from 'vitest';
import { readMarker, type StatusRecord, writeRecord } from '../../src/agent/record.ts';
import { isAllowedBot, isAtLeast } from '../../src/agent/trust.ts';
import { readPageAddress } from '../../src/github/page-address.ts';
import { rankOf } from '../../src/github/replies.ts';

test.each([
  ['write', 'maintain', 'maintain'],
  ['read', 'triage', 'triage'],
  ['write', 'release-manager', 'write'],
  ['read', 'write-docs', 'read'],
  ['none', 'none', 'none'],
  ['none', '', 'none'],
  ['owner', 'owner', 'none'],
  ['admin', undefined, 'admin'],
])('The permission %s with the role %s counts as %s', (permission, role, rank) => {
  expect(rankOf({ permission, role_name: role, user: null })).toBe(rank);
});

test.each([
  ['read', { triage: false }, 'read'],
  ['read', { triage: true }, 'triage'],
  ['write', { triage: true, maintain: false }, 'write'],
  ['write', { triage: true, maintain: true }, 'maintain'],
  ['none', { triage: true, maintain: true }, 'none'],
])('A custom role with %s and the flags %j counts as %s', (permission, permissions, rank) => {
  const user = { id: 1, permissions };
  expect(rankOf({ permission, role_name: 'of-our-own', user })).toBe(rank);
});

test('Permissions are ordered, and "none" is the lowest', () => {
  const scale = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
  for (const [low, a] of scale.entries()) {
    for (const [high, b] of scale.entries()) expect(isAtLeast(b, a)).toBe(high >= low);
    expect(isAtLeast('none', a)).toBe(false);
  }
});

const SERVER = 'https://github.com';

test.each([
  ['https://github.com/Acme/Docs', 'acme/docs'],
  ['https://github.com/acme/docs.git', 'acme/docs'],
  ['https://github.com/acme/docs/', 'acme/docs'],
  ['http://github.com/acme/docs', undefined],
  ['https://github.com/acme', undefined],
  ['https://github.com@evil.example/acme/docs', undefined],
  ['https://github.com/acme/docs?x', undefined],
  ['git@github.com:acme/docs.git', 'acme/docs'],
  ['git@GitHub.com:Acme/Docs', 'acme/docs'],
  ['ssh://git@github.com/acme/docs.git', 'acme/docs'],
  ['ssh://git@ssh.github.com:443/acme/docs.git', 'acme/docs'],
  ['git+ssh://git@github.com/acme/docs', 'acme/docs'],
  ['git://github.com/acme/docs.git', 'acme/docs'],
  ['https://github.com:443/acme/docs.git', 'acme/docs'],
  ['https://x-access-token@github.com/acme/docs', 'acme/docs'],
  ['git+https://github.com/acme/docs.git', 'acme/docs'],
  ['github.com:acme/docs.git', 'acme/docs'],
  ['https://github.com:8443/acme/docs', undefined],
  ['https://x:y@github.com/acme/docs', undefined],
  ['https:github.com/acme/docs', undefined],
  ['git@github.com.evil.example:acme/docs', undefined],
  ['ssh://git@evil.example/github.com/acme/docs', undefined],
  ['ssh://git@github.com@evil.example/acme/docs', undefined],
  ['git@github.com:acme/docs/../other', undefined],
  ['acme/docs', undefined],
])('The repository of %s is %s', (url, repository) => {
  expect(readPageAddress(url, SERVER)).toEqual(repository && { repository, number: undefined });
});

test.each([
  ['https://github.com/acme/docs/pull/12', 12],
  ['https://github.com/acme/docs/pull/012', undefined],
  ['https://github.com/acme/docs/pull/12/files', undefined],
  ['https://github.com/acme/docs/pull/12\n', undefined],
  ['https://github.com/acme/docs/pull/12)', undefined],
  ['https://evil.example/acme/docs/pull/12', undefined],
  ['https://token@github.com/acme/docs/pull/12', undefined],
])('The pull request of %j is %s', (url, number) => {
  expect(readPageAddress(url, SERVER)?.number).toBe(number);
});

const place = { secret: 'svc_0123456789abcdef', repository: 'acme/docs', pullNumber: 7 };
const record: StatusRecord = {
  version: 2,
  command: 'conversation:5',
  run: '1',
  attempt: 1,
  nonce: 'n',
  state: 'sent',
  job: 'job-1',
  comment: 9,
};
const comment = { id: 9, body: `${writeRecord(place, record)}\ntext` };

test('A record can be read where it was written', () => {
  expect(readMarker(place, comment)).toEqual({ kind: 'valid', record });
});

test.each([
  ['in another comment', place, { ...comment, id: 10 }],
  ['on another pull request', { ...place, pullNumber: 8 }, comment],
  ['in another repository', { ...place, repository: 'acme/app' }, comment],
  ['with another key', { ...place, secret: 'svc_0123456789abcdeX' }, comment],
  [
    'changed by a character',
    place,
    { ...comment, body: comment.body.replace(/courier:.{9}/, (text) => `${text.slice(0, -1)}A`) },
  ],
  ['without a signature', place, { ...comment, body: '<!-- docs-courier:e30 -->' }],
])('A record %s is not valid', (_name, where, what) => {
  expect(readMarker(where, what).kind).not.toBe('valid');
});

test('A record with an invalid signature still contains the id of its command', () => {
  const rotated = { ...place, secret: 'svc_another0123456789' };
  for (const read of [readMarker(rotated, comment), readMarker(place, { ...comment, id: 10 })])
    expect(read).toEqual({ kind: 'invalid', command: 'conversation:5' });
});

test('A field that the signature does not cover makes a record invalid', () => {
  const encoded = /courier:(\S+) /.exec(comment.body)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64url').toString().replace('"state"', '"extra":1,"state"');
  const body = `<!-- docs-courier:${Buffer.from(text).toString('base64url')} -->`;
  expect(readMarker(place, { id: 9, body })).toMatchObject({ kind: 'invalid' });
});

test('The record of a command that makes a job can be read', () => {
  const creation = { ...record, creates: true, job: undefined, comment: undefined } as const;
  expect(readMarker(place, { id: 9, body: writeRecord(place, creation) })).toEqual({
    kind: 'valid',
    record: creation,
  });
});

test('A bot is recognized by login and type', () => {
  const helper = { login: 'helper[bot]', id: 1, kind: 'bot' } as const;
  expect(isAllowedBot(helper, ['helper'])).toBe(true);
  expect(isAllowedBot({ ...helper, login: 'Helper[bot]' }, ['helper[bot]'])).toBe(true);
  expect(isAllowedBot({ ...helper, login: 'helper', kind: 'person' }, ['helper'])).toBe(false);
  expect(isAllowedBot({ ...helper, login: 'other[bot]' }, ['helper'])).toBe(false);
});
