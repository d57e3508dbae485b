import { describe, expect } from 'vitest';
import { type AgentSite, scenario } from './agent-site.ts';
import { expectMessages } from './messages.ts';

const COMMAND = '/docs-agent --job job-1 also document the page';
const ENDED = 'ended without a report';

function next(site: AgentSite) {
  return site.run(site.say('writer', '/docs-agent --job job-2 go on'));
}

describe('the comment of a killed run', () => {
  scenario(
    'The next command ends the comment of a killed run, with the result of the job',
    async (site) => {
      site.leave('70');
      site.endRun('70');
      expect((await next(site)).facts.status).toBe('completed');
      const [left] = site.statusComments();
      expect(left).toContain(ENDED);
      expect(left).toContain('`completed`');
      expectMessages(site, 1);
    },
  );

  scenario('A second delivery of the event ends the comment of a killed run', async (site) => {
    site.breakUpdates(2);
    const event = site.say('writer', COMMAND);
    await site.run(event, { run: { runId: '70' } });
    expect(site.statusComments()[0]).toContain('has received the instruction');
    site.allowUpdates();
    site.endRun('70');
    expect((await site.run(event)).facts.status).toBe('skipped');
    expect(site.statusComments()[0]).toContain(ENDED);
    expectMessages(site, 1);
  });

  scenario(
    'A scheduled run without an instruction ends the comment of a killed run',
    async (site) => {
      site.leave('70');
      site.leave('71', { state: 'sending' });
      for (const run of ['70', '71']) site.endRun(run);
      expect((await site.runOnSchedule()).facts.status).toBe('skipped');
      const [sent, sending] = site.statusComments();
      expect(sent).toContain(ENDED);
      expect(sending).toContain('may have been sent');
      const before = site.countRequests();
      await site.runOnSchedule();
      expect(site.countRequests() - before).toBeLessThanOrEqual(3);
    },
  );

  scenario(
    'The comment of a killed run stays while the run or the agent may be active',
    async (site) => {
      site.leave('70');
      site.platform.behaviour.agentJobs = { advance: 'poll', polls: 1000 };
      site.addJob('job-3', { status: 'active' });
      site.leave('71', { job: 'job-3' });
      site.endRun('71');
      await site.run(site.say('writer', '/docs-agent --job job-2 go on'), {
        inputs: { timeoutMs: 0, onTimeout: 'detach' },
      });
      await site.runOnSchedule();
      const [unknown, active] = site.statusComments();
      expect(unknown).toContain('is working');
      expect(active).toContain('is working');
    },
  );

  scenario('The comment of a killed run is ended only with a valid record', async (site) => {
    site.leave('70', { secret: 'svc_anotherKeyForTests0123456789' });
    site.endRun('70');
    await next(site);
    await site.runOnSchedule();
    expect(site.statusComments()[0]).toContain('is working');
  });

  scenario(
    'A scheduled run finds the comment of a killed run behind a hundred newer ones',
    async (site) => {
      site.leave('70');
      site.endRun('70');
      for (let count = 0; count < 100; count += 1) site.say('writer', 'Nice.');
      await site.runOnSchedule();
      expect(site.statusComments()[0]).toContain(ENDED);
    },
  );

  scenario('A job that the platform answers with 404 is not called deleted', async (site) => {
    site.leave('70', { job: 'job-9' });
    site.endRun('70');
    await site.runOnSchedule();
    expect(site.statusComments()[0]).toContain('The platform does not show the agent job.');
  });

  scenario('A run ends the comments of at most five killed runs', async (site) => {
    for (let run = 70; run < 77; run += 1) {
      site.leave(String(run));
      site.endRun(String(run));
    }
    const count = async () => site.statusComments().filter((text) => text.includes(ENDED)).length;
    await site.runOnSchedule();
    expect(await count()).toBe(5);
    await site.runOnSchedule();
    expect(await count()).toBe(7);
  });
});
