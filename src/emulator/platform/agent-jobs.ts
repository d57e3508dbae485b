import { randomUUID } from 'node:crypto';
import type { AgentJobEntity, AgentMessage } from './entities.ts';
import type { Behaviour, EmulatorClock } from './options.ts';

/** The agent's jobs: a message makes one active; time or fetches bring it to the end that its script names. */
export interface AgentDesk {
  readonly jobs: AgentJobEntity[];
  readonly messages: AgentMessage[];
  add(job: Partial<AgentJobEntity>): AgentJobEntity;
  /** As someone fetching it sees it now; counts as a fetch. */
  fetch(id: string): AgentJobEntity | undefined;
  find(id: string): AgentJobEntity | undefined;
  send(job: AgentJobEntity, prompt: string): AgentJobEntity;
  clear(): void;
}

interface Work {
  readonly since: number;
  readonly before: AgentJobEntity;
  fetches: number;
}

export function createAgentDesk(behaviour: Behaviour, clock: EmulatorClock): AgentDesk {
  const jobs: AgentJobEntity[] = [];
  const messages: AgentMessage[] = [];
  const works = new Map<string, Work>();

  function isOver(work: Work): boolean {
    const rule = behaviour.agentJobs;
    if (rule.advance === 'poll') return work.fetches >= rule.polls;
    return clock.now() - work.since >= rule.durationMs;
  }

  function settle(job: AgentJobEntity): void {
    const work = works.get(job.id);
    if (work && job.status === 'active' && isOver(work)) finish(job, new Date(clock.now()));
  }

  const find = (id: string) => jobs.find((job) => job.id === id);

  return {
    jobs,
    messages,
    add(partial) {
      const job = newJob(partial, new Date(clock.now()));
      jobs.push(job);
      if (job.status === 'active') works.set(job.id, { since: clock.now(), before: { ...job }, fetches: 0 });
      return job;
    },
    find(id) {
      const job = find(id);
      if (job) settle(job);
      return job;
    },
    fetch(id) {
      const job = find(id);
      const work = works.get(id);
      if (!job || !work) return job;
      work.fetches += 1;
      settle(job);
      return work.fetches <= (job.script.staleFetches ?? 0) ? work.before : job;
    },
    send(job, prompt) {
      messages.push({ jobId: job.id, prompt, at: clock.now() });
      works.set(job.id, { since: clock.now(), before: { ...job }, fetches: 0 });
      // The contract: no pull request is told while the job is active.
      Object.assign(job, { status: 'active', prLink: null });
      return job;
    },
    clear() {
      jobs.length = 0;
      messages.length = 0;
      works.clear();
    },
  };

  function finish(job: AgentJobEntity, at: Date): void {
    const outcome = job.script.outcome ?? 'completed';
    job.status = outcome;
    job.archivedAt = outcome === 'archived' ? at.toISOString() : null;
    const earlier = works.get(job.id)?.before.prLink ?? null;
    const made =
      outcome === 'completed' ? (earlier ?? `${job.source.repository}/pull/${jobs.indexOf(job) + 1}`) : earlier;
    job.prLink = job.script.prLink === undefined ? made : job.script.prLink;
  }
}

function newJob(partial: Partial<AgentJobEntity>, at: Date): AgentJobEntity {
  const status = partial.status ?? 'completed';
  return {
    id: partial.id ?? randomUUID(),
    source: partial.source ?? { repository: 'https://github.com/acme/docs', ref: 'main' },
    model: partial.model ?? 'docs-agent-1',
    status,
    prLink: partial.prLink ?? null,
    createdAt: partial.createdAt ?? at.toISOString(),
    archivedAt: partial.archivedAt ?? (status === 'archived' ? at.toISOString() : null),
    script: partial.script ?? {},
  };
}
