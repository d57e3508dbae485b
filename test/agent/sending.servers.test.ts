import { describe, expect } from 'vitest';
import { expectError } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { scenario } from './agent-site.ts';
import { AGAIN, expectMessages, FIRST } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 also document the page';
const MESSAGE = { method: 'POST', path: '/message' };

describe('the sending of a command', () => {
  scenario(
    'A comment that was edited or deleted before the run started is not sent',
    async (site) => {
      for (const [now, status, reason] of [
        [`${COMMAND} and more`, 'refused', 'was edited before'],
        [undefined, 'skipped', 'was deleted'],
      ] as const) {
        const event = site.say('writer', COMMAND);
        site.rewrite(event, now);
        const { facts, error } = await site.run(event);
        expect(error).toBeUndefined();
        expect(facts).toMatchObject({ status, triggered: false });
        expect(facts.reason).toContain(reason);
      }
      expectMessages(site, 0);
    },
  );

  scenario('A command is sent once if the reply to its reaction is lost', async (site) => {
    const event = site.say('writer', COMMAND);
    site.loseReaction(1);
    expect((await site.run(event, FIRST)).facts).toMatchObject({
      triggered: true,
    });
    const again = await site.run(event, AGAIN);
    expect(again.facts.status).toBe('skipped');
    expectMessages(site, 1);
  });

  scenario(
    'A command is sent by a later attempt if every reply to its reaction is lost',
    async (site) => {
      const event = site.say('writer', COMMAND);
      site.loseReaction(99);
      expect((await site.run(event, FIRST)).error).toMatchObject({
        code: 'network',
      });
      expectMessages(site, 0);
      site.allowUpdates();
      const again = await site.run(event, AGAIN);
      expect(again.facts).toMatchObject({ triggered: true });
      expectMessages(site, 1);
    },
  );

  scenario('A command is sent once if its event is delivered twice', async (site) => {
    const event = site.say('writer', COMMAND);
    await site.run(event);
    const { facts } = await site.run(event);
    expect(facts).toMatchObject({ status: 'skipped', triggered: false, agentJobId: 'job-1' });
    expect(facts.reason).toContain('was sent');
    expectMessages(site, 1);
    expect(site.statusComments()).toHaveLength(1);
  });

  scenario('A command is sent once if runs start at the same moment', async (site) => {
    const event = site.say('writer', COMMAND);
    const runs = await Promise.all([1, 2, 3].map(() => site.run(event)));
    expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(runs.filter(({ facts }) => facts.triggered)).toHaveLength(1);
    expectMessages(site, 1);
    expect(site.statusComments()).toHaveLength(1);
  });

  scenario('A command is sent once if the reply to the message is lost', async (site) => {
    site.platform.inject({ match: MESSAGE, reset: 'after' });
    const event = site.say('writer', COMMAND);
    const { error } = await site.run(event, FIRST);
    expectError(error, { hint: 'a prompt or a template needs a new run', mayHaveActed: true });
    const again = await site.run(event, AGAIN);
    expect(again.error).toMatchObject({ code: 'job-failed' });
    expectMessages(site, 1);
    expect(site.statusComments()[0]).toContain('may have been sent');
  });

  scenario(
    'A command is sent once if the run is cancelled, and its comment says so',
    async (site) => {
      site.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
      const control = new AbortController();
      const clock = fakeClock({ now: Date.now() });
      const event = site.say('writer', COMMAND);
      const cancelling = {
        ...clock,
        sleep(ms: number, signal?: AbortSignal) {
          if (site.platform.messages.length > 0) control.abort();
          return clock.sleep(ms, signal);
        },
      };
      const { error } = await site.run(event, { clock: cancelling, signal: control.signal });
      expect(error).toMatchObject({ code: 'cancelled' });
      expect(site.statusComments()[0]).toContain('cancelled after the instruction was sent');
    },
  );
});

describe('faults', () => {
  scenario(
    'A lost reply to the claim causes no second comment and no second message',
    async (site) => {
      site.loseClaim();
      const { facts } = await site.run(site.say('writer', COMMAND));
      expect(facts).toMatchObject({ status: 'completed', triggered: true });
      expect(site.statusComments()).toHaveLength(1);
      expectMessages(site, 1);
    },
  );

  scenario(
    'A run that is killed while it sends leaves a claim, which its next attempt ends',
    async (site) => {
      const event = site.say('writer', COMMAND);
      site.platform.inject({ match: MESSAGE, reset: 'after' });
      site.breakUpdates();
      await site.run(event, FIRST);
      expect(site.statusComments()[0]).toContain('Sending the instruction');
      site.allowUpdates();
      const again = await site.run(event, AGAIN);
      expect(again.error?.message).toContain('may have been sent');
      expect(site.statusComments()[0]).toContain('may have been sent');
      expectMessages(site, 1);
    },
  );
});
