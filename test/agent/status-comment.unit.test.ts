import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_COMMENT_CHARS,
  renderStatusComment,
  type StatusPhase,
  type StatusView,
} from '../../src/agent/status-view.ts';
import { agentPresentation } from '../../src/agent/summary.ts';
import { outputsOf } from '../../src/run/outputs.ts';
import { anyText } from '../support/any-text.ts';

const text = anyText({ maxLength: 3000 });
const hostile = fc.oneof(
  text,
  fc.constantFrom(
    '@acme/team',
    '![x](https://evil.example/b.png)',
    '<img src=x>',
    '</details>',
    '```\n/close\n```',
    '<!-- docs-courier:e30 -->',
    '#12',
    'a'.repeat(100_000),
  ),
);

const phase = fc.oneof(
  fc.constantFrom<StatusPhase>(
    { kind: 'sending' },
    { kind: 'sent' },
    { kind: 'working' },
    { kind: 'failed' },
    { kind: 'archived' },
    { kind: 'timed-out' },
    { kind: 'detached' },
    { kind: 'unclear' },
    { kind: 'cancelled', sent: true },
    { kind: 'completed', pullRequestUrl: undefined },
  ),
  hostile.map((reason): StatusPhase => ({ kind: 'refused', reason })),
  hostile.map((reason): StatusPhase => ({ kind: 'error', reason, hint: reason, sent: false })),
  hostile.map((pullRequestUrl): StatusPhase => ({ kind: 'completed', pullRequestUrl })),
);

test('Whatever people and the platform write, the comment is short and stays inert', () => {
  const view = fc.record({
    phase,
    asker: hostile,
    instruction: hostile,
    model: hostile,
    ref: hostile,
    status: hostile,
  });
  fc.assert(
    fc.property(view, ({ phase: now, asker, instruction, model, ref, status }) => {
      const job = { id: 'job-1', status, source: { repository: ref, ref }, model };
      const shown: StatusView = {
        phase: now,
        asker,
        instruction,
        commit: 'a'.repeat(40),
        job,
        elapsedMs: 5000,
        runUrl: 'https://github.com/acme/docs/actions/runs/1',
      };
      const comment = renderStatusComment(shown);
      expect(comment.length).toBeLessThanOrEqual(MAX_COMMENT_CHARS);
      // Code, inline and fenced, shows its content and does nothing.
      const acting = comment
        .replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '')
        .replace(/(`+)[^\n]*?[^`]\1(?!`)/g, '');
      expect(acting).not.toMatch(/@acme|!\[x\]\(|<img|<!--/);
      expect(acting.split('<details>').length).toBe(acting.split('</details>').length);
    }),
    { numRuns: process.env['SOAK'] ? 10_000 : 500 },
  );
});

test('Each phase has different words', () => {
  const kinds: StatusPhase[] = [
    { kind: 'sending' },
    { kind: 'sent' },
    { kind: 'working' },
    { kind: 'completed', pullRequestUrl: undefined },
    { kind: 'completed', pullRequestUrl: 'https://github.com/acme/docs/pull/9' },
    { kind: 'failed' },
    { kind: 'archived' },
    { kind: 'timed-out' },
    { kind: 'detached' },
    { kind: 'cancelled', sent: true },
    { kind: 'cancelled', sent: false },
    { kind: 'unclear' },
    { kind: 'help', command: '/docs-agent' },
  ];
  const base = { asker: 'maya', instruction: 'do it', runUrl: 'https://github.com/a' };
  const first = kinds.map((kind) => renderStatusComment({ ...base, phase: kind }).split('\n')[0]);
  expect(new Set(first).size).toBe(kinds.length);
});

test('The outputs say whether a message was sent, even if nothing is known', () => {
  expect(outputsOf('agent', {})).toMatchObject({ triggered: 'false' });
  expect(outputsOf('agent', { triggered: true, agentJobId: 'job-1' })).toMatchObject({
    triggered: 'true',
    'agent-job-id': 'job-1',
  });
});

test('The summary says why nothing was sent, as text', () => {
  const summary = agentPresentation.summary(
    {
      version: 1,
      mode: 'agent',
      status: 'refused',
      reason: '<b>@team</b> has read',
      startedAt: '',
      elapsedMs: 1,
    },
    0,
  );
  expect(summary).toContain('refused');
  expect(summary).not.toMatch(/<b>|@team/);
});
