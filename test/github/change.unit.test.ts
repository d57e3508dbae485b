import { expect, test } from 'vitest';
import { readChange } from '../../src/github/change.ts';

const commit = (digit: string) => digit.repeat(40);

test('A push lists its commits newest first', () => {
  const [first, second] = [commit('1'), commit('2')];
  const commits = [first, second].map((id) => ({ id }));
  expect(readChange('push', { ref: 'refs/heads/release/1.0', after: second, commits })).toEqual({
    kind: 'pushed',
    branch: 'release/1.0',
    commits: [second, first],
    isCut: false,
  });
});

test('A long push is cut to its newest 20 commits', () => {
  const commits = Array.from({ length: 30 }, (_, index) => ({ id: String(index + 10).repeat(20) }));
  const change = readChange('push', { ref: 'refs/heads/main', after: '39'.repeat(20), commits });
  expect(change).toMatchObject({
    commits: expect.arrayContaining(['39'.repeat(20), '20'.repeat(20)]),
    isCut: true,
  });
  expect(change).not.toMatchObject({ commits: expect.arrayContaining(['19'.repeat(20)]) });
});

test.each([
  ['a tag', 'push', { ref: 'refs/tags/v1', after: commit('1'), commits: [] }],
  ['a payload of another shape', 'push', { ref: 7 }],
  ['an event about something else', 'issues', { action: 'closed' }],
  [
    'an action that says nothing of merges and labels',
    'pull_request',
    { action: 'opened', pull_request: {} },
  ],
])('An event with %s is not a change of a pull request', (_name, eventName, payload) => {
  expect(readChange(eventName, payload)).toBeUndefined();
});

test('A deleted branch has no commits', () => {
  expect(
    readChange('push', { ref: 'refs/heads/main', after: commit('0'), commits: [] }),
  ).toMatchObject({
    commits: [],
  });
});

test('An event of a label names the label that was added', () => {
  const pull = { labels: [{ name: 'bug' }, { name: 'docs' }] };
  expect(
    readChange('pull_request', { action: 'labeled', label: { name: 'docs' }, pull_request: pull }),
  ).toEqual({
    kind: 'labelled',
    label: 'docs',
  });
  const removed = { action: 'unlabeled', label: { name: 'docs' }, pull_request: pull };
  expect(readChange('pull_request', removed)).toEqual({ kind: 'unlabelled' });
});
