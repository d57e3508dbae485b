import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeRecord } from '../../src/agent/record.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { checkFigures } from '../support/soak.ts';
import { TOKEN } from '../support/world/conversation.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { startPullRequest } from '../support/world/pull-request.ts';
import type { World } from '../support/world.ts';

const COMMAND = '/docs-agent --job job-1 also document the --json flag';
const MESSAGE = { method: 'POST', path: '/message' };

test.each([
  ['stranger', 'completed', 1],
  ['github-actions[bot]', 'skipped', 0],
])(
  'If a comment by %s contains a claim, the command ends as %s',
  async (author, status, messages) => {
    await using world = await startPullRequest();
    const comment = world.say('maya', COMMAND);
    const claim = {
      version: 2,
      run: '77',
      attempt: 1,
      nonce: 'n',
      state: 'sending',
      job: 'job-1',
    } as const;
    const place = { secret: ADMIN_KEY, repository: REPOSITORY, pullNumber: 7 };
    world.say(author, writeRecord(place, { ...claim, command: `conversation:${comment.id}` }));
    const { facts } = await world.agent(comment);
    expect(facts.status).toBe(status);
    expect(world.platform.messages).toHaveLength(messages);
  },
);

test('A prompt is sent once per run, whatever the attempt, and again by another run', async () => {
  await using world = await startPullRequest();
  const inputs = { prompt: 'Document the release.', agentJobId: 'job-1', pullRequest: 7 };
  const event = { eventName: 'workflow_dispatch', inputs };
  await world.agent({ ...event, run: { runId: '5' } });
  expect((await world.agent({ ...event, run: { runId: '5', runAttempt: 2 } })).facts.status).toBe(
    'skipped',
  );
  expect((await world.agent({ ...event, run: { runId: '6' } })).facts.status).toBe('completed');
  expect(world.platform.messages).toHaveLength(2);
});

test('A claim is found behind hundreds of other comments', async () => {
  await using world = await startPullRequest();
  const comment = world.say('maya', COMMAND);
  await world.agent(comment);
  for (let count = 0; count < 250; count += 1) world.say('rita', `comment ${count}`);
  expect((await world.agent(comment)).facts.status).toBe('skipped');
  expect(world.platform.messages).toHaveLength(1);
});

const COMMANDS = process.env['SOAK'] ? 50 : 20;

test(`${COMMANDS} commands of a writer in a minute are each answered once, with a retry time after the limit`, async () => {
  await using world = await startPullRequest();
  const limit = COMMANDS * 0.8;
  world.platform.behaviour.rateLimits = { ...world.platform.behaviour.rateLimits, messages: limit };
  const commands = Array.from({ length: COMMANDS }, (_, count) =>
    world.say('maya', `${COMMAND} number ${count}.`),
  );
  const errors: unknown[] = [];
  for (let from = 0; from < COMMANDS; from += 5) {
    const runs = await Promise.all(
      commands.slice(from, from + 5).map((comment) => world.agent(comment)),
    );
    errors.push(...runs.flatMap(({ error }) => (error === undefined ? [] : [error])));
  }
  const sent = world.platform.messages.map(({ prompt }) => prompt.split('\n')[0]);
  expect(sent).toHaveLength(limit);
  expect(new Set(sent).size).toBe(limit);
  expect(errors).toHaveLength(COMMANDS - limit);
  for (const error of errors) expect(error).toMatchObject({ code: 'rate-limited' });
  const comments = world.statusComments();
  expect(comments).toHaveLength(COMMANDS);
  expect(
    comments.filter((text) => /Write the command again in \d+ (min|h)/.test(text)),
  ).toHaveLength(COMMANDS - limit);
  expect(comments.filter((text) => text.includes('has finished'))).toHaveLength(limit);
}, 60_000);

/** The faults that one delivery can meet. */
interface Step {
  readonly command: number;
  readonly attempt: 1 | 2;
  readonly fault:
    | 'none'
    | 'message-lost'
    | 'message-502'
    | 'claim-lost'
    | 'list-500'
    | 'patch-500'
    | 'reset-before';
}

function injectFault({ github, platform }: World, fault: Step['fault']): void {
  if (fault === 'message-lost') platform.inject({ match: MESSAGE, reset: 'after' });
  if (fault === 'message-502') platform.inject({ match: MESSAGE, status: 502, applied: true });
  if (fault === 'reset-before') platform.inject({ match: MESSAGE, reset: 'before' });
  if (fault === 'claim-lost')
    github.inject({ match: { method: 'POST', path: '/issues/7/comments' }, reset: 'after' });
  if (fault === 'list-500')
    github.inject({ match: { method: 'GET', path: '/issues/7/comments', nth: 2 }, status: 500 });
  if (fault === 'patch-500') github.inject({ match: { method: 'PATCH', times: 9 }, status: 500 });
}

const step = fc.record<Step>({
  command: fc.integer({ min: 0, max: 1 }),
  attempt: fc.constantFrom(1, 2),
  fault: fc.constantFrom(
    'none',
    'message-lost',
    'message-502',
    'claim-lost',
    'list-500',
    'patch-500',
    'reset-before',
  ),
});

// Each seed is six deliveries of two commands, some of them at the same moment.
const SEEDS = Math.ceil((process.env['SOAK'] ? 1500 : 90) / 6);

test('No order of deliveries, attempts and faults sends a command twice', async () => {
  await using world = await startPullRequest();
  const permissions = { pull_requests: 'write', contents: 'read' } as const;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
      async (waves) => {
        world.github.reset();
        world.platform.reset();
        world.github.setToken(TOKEN, { kind: 'workflow', permissions });
        world.github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya' });
        world.platform.addAgentJob({
          id: 'job-1',
          source: { repository: `https://github.com/${REPOSITORY}`, ref: null },
          script: { prLink: null },
        });
        const commands = [0, 1].map((index) => world.say('maya', `${COMMAND} number ${index}`));
        for (const wave of waves) {
          for (const { fault } of wave) injectFault(world, fault);
          await Promise.all(
            wave.map(({ command, attempt }) =>
              world.agent({
                ...commands[command],
                run: { runId: `9${command}`, runAttempt: attempt },
              }),
            ),
          );
        }
        const sent = world.platform.messages.map(({ prompt }) => prompt.split('\n')[0]);
        expect(sent).toEqual([...new Set(sent)]);
        runs += waves.flat().length;
      },
    ),
    { numRuns: SEEDS },
  );
  checkFigures({ part: 'one process, agent', runs, recoverable: 0, failed: [], violations: [] });
}, 900_000);
