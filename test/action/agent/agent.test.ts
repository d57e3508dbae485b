import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { type CommandComment, openScene, type Scene, statusComments, TOKEN } from '../../integration/agent/scene.ts';
import { ADMIN_KEY } from '../../support/make-inputs.ts';
import { runStep, type StepOptions } from '../../support/runner.ts';

const COMMAND = '/docs-agent --job job-1 also document the --json flag';

function stepFor({ github, platform }: Scene, comment: CommandComment, more: Partial<StepOptions> = {}): StepOptions {
  return {
    inputs: {
      mode: 'agent',
      'base-url': platform.url,
      'admin-api-key': ADMIN_KEY,
      'project-id': 'project-1',
      ...more.inputs,
    },
    event: comment.payload,
    eventName: comment.eventName,
    apiUrl: github.url,
    githubToken: TOKEN,
    secrets: [ADMIN_KEY],
    repository: 'acme/docs',
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'inputs')),
  };
}

test('a comment instructs the agent, and the step tells what came of it', async () => {
  await using scene = await openScene();
  const step = await runStep(stepFor(scene, scene.say('maya', COMMAND)));
  expect(step.exitCode).toBe(0);
  expect(step.outputs).toMatchObject({
    status: 'completed',
    triggered: 'true',
    'agent-job-id': 'job-1',
    'agent-status': 'completed',
  });
  expect(step.outputs['pull-request-url']).toMatch(/^https:\/\/github\.com\/acme\/docs\/pull\//);
  expect(step.outputs['comment-url']).toContain('#issuecomment-');
  expect(step.summary).toContain('Docs agent');
  expect(step.stdout + step.stderr + step.rawSummary).not.toContain('BEGIN DATA');
  expect(scene.platform.messages).toHaveLength(1);
  expect(statusComments(scene.github)[0]).toContain('The docs agent is done');
  expect(step.peakRssBytes ?? 0).toBeLessThan(128 * 1024 * 1024);
});

test('a comment on the diff does the same', async () => {
  await using scene = await openScene();
  const step = await runStep(
    stepFor(scene, scene.say('maya', COMMAND, { kind: 'review', path: 'src/list.ts', line: 11 })),
  );
  expect(step.outputs).toMatchObject({ status: 'completed', triggered: 'true' });
});

test('a stranger turns no run red and reaches nobody', async () => {
  await using scene = await openScene();
  const step = await runStep(stepFor(scene, scene.say('stranger', COMMAND)));
  expect(step.exitCode).toBe(0);
  expect(step.outputs).toMatchObject({ status: 'refused', triggered: 'false' });
  expect(scene.platform.requests).toEqual([]);
  expect(scene.github.requests.every(({ method }) => method === 'GET')).toBe(true);
});

test('an outage of the permission lookup is red and sends nothing', async () => {
  await using scene = await openScene();
  scene.github.inject({
    match: { path: '/permission', times: Number.POSITIVE_INFINITY },
    status: 403,
    body: { message: 'Forbidden' },
  });
  const step = await runStep(stepFor(scene, scene.say('maya', COMMAND)));
  expect(step.exitCode).toBe(1);
  expect(step.outputs['status']).toBe('failed');
  expect(scene.platform.requests).toEqual([]);
});

test('twenty deliveries of one command by as many processes send one message and leave one comment', async () => {
  await using scene = await openScene();
  const comment = scene.say('maya', COMMAND);
  const exits: (number | null)[] = [];
  for (let batch = 0; batch < 5; batch += 1) {
    const runs = [0, 1, 2, 3].map((index) =>
      runStep(stepFor(scene, comment, { runId: String(100 + batch * 4 + index), runAttempt: 1 + (index % 2) })),
    );
    exits.push(...(await Promise.all(runs)).map(({ exitCode }) => exitCode));
  }
  expect(exits).toEqual(Array.from({ length: 20 }, () => 0));
  expect(scene.platform.messages).toHaveLength(1);
  expect(statusComments(scene.github)).toHaveLength(1);
}, 120_000);

test('a cancelled step ends within five seconds, and its comment says so', async () => {
  await using scene = await openScene();
  scene.platform.behaviour.agentJobs = { advance: 'poll', polls: 100_000 };
  const started = systemClock.monotonicMs();
  const step = await runStep(
    stepFor(scene, scene.say('maya', COMMAND), {
      signalAfter: () => scene.platform.messages.length > 0 && systemClock.monotonicMs() - started > 500,
    }),
  );
  expect(step.cancelledAfterMs).toBeLessThan(5000);
  expect(step.exitCode).toBe(1);
  expect(step.outputs).toMatchObject({ status: 'cancelled', 'agent-job-id': 'job-1', triggered: 'true' });
  expect(statusComments(scene.github)[0]).toContain('cancelled after the instruction was sent');
});
