import { randomUUID } from 'node:crypto';
import type { AgentJobEntity, AgentMessage } from './entities.ts';
import type { Behaviour, EmulatorClock } from './options.ts';

interface Work {
  readonly since: number;
  /** The job before its last message. */
  readonly before: AgentJobEntity;
  fetches: number;
}

/**
 * The agent's jobs: a prompt makes one active; time or fetches lead to the end that its script
 * specifies.
 */
export class AgentJobs {
  readonly jobs: AgentJobEntity[] = [];
  readonly messages: AgentMessage[] = [];
  readonly #works = new Map<string, Work>();
  readonly #behaviour: Behaviour;
  readonly #clock: EmulatorClock;

  constructor(behaviour: Behaviour, clock: EmulatorClock) {
    this.#behaviour = behaviour;
    this.#clock = clock;
  }

  add(partial: Partial<AgentJobEntity>): AgentJobEntity {
    const job = newJob(partial, this.#behaviour, new Date(this.#clock.now()));
    this.jobs.push(job);
    if (job.status === 'active') this.#begin(job);
    return job;
  }

  /** A new job that works on a prompt. */
  create(prompt: string): AgentJobEntity {
    const job = this.add({ status: 'active', script: this.#behaviour.agentScript });
    this.messages.push({ jobId: job.id, prompt, at: this.#clock.now() });
    return job;
  }

  find(id: string): AgentJobEntity | undefined {
    const job = this.jobs.find((known) => known.id === id);
    if (job) this.#settle(job);
    return job;
  }

  /** As a client that fetches it sees it now; counts as a fetch. */
  fetch(id: string): AgentJobEntity | undefined {
    const job = this.jobs.find((one) => one.id === id);
    const work = this.#works.get(id);
    if (!job || !work) return job;
    work.fetches += 1;
    this.#settle(job);
    // The first fetches after a message, if the script says so, do not see it yet.
    return work.fetches <= (job.script.staleFetches ?? 0) ? work.before : job;
  }

  send(job: AgentJobEntity, prompt: string): AgentJobEntity {
    this.messages.push({ jobId: job.id, prompt, at: this.#clock.now() });
    this.#begin(job);
    // The contract: an active job shows no pull request.
    Object.assign(job, { status: 'active', prLink: null });
    return job;
  }

  clear(): void {
    this.jobs.length = 0;
    this.messages.length = 0;
    this.#works.clear();
  }

  #begin(job: AgentJobEntity): void {
    this.#works.set(job.id, { since: this.#clock.now(), before: { ...job }, fetches: 0 });
  }

  #settle(job: AgentJobEntity): void {
    const work = this.#works.get(job.id);
    if (work && job.status === 'active' && this.#hasEnded(work)) this.#finish(job, work);
  }

  #hasEnded(work: Work): boolean {
    const rule = this.#behaviour.agentJobs;
    if (rule.advance === 'poll') return work.fetches >= rule.polls;
    return this.#clock.now() - work.since >= rule.durationMs;
  }

  #finish(job: AgentJobEntity, { before }: Work): void {
    const outcome = job.script.outcome ?? 'completed';
    job.status = outcome;
    job.archivedAt = outcome === 'archived' ? new Date(this.#clock.now()).toISOString() : null;
    const number = this.jobs.indexOf(job) + 1;
    // A job keeps the pull request of an earlier message.
    const pull = before.prLink ?? `${job.source.repository.replace(/\.git$/, '')}/pull/${number}`;
    const usual = outcome === 'completed' ? pull : before.prLink;
    // The script may also say that there is none: `null`.
    job.prLink = job.script.prLink === undefined ? usual : job.script.prLink;
  }
}

function newJob(partial: Partial<AgentJobEntity>, behaviour: Behaviour, at: Date): AgentJobEntity {
  const status = partial.status ?? 'completed';
  return {
    id: partial.id ?? randomUUID(),
    source: partial.source ?? { ...behaviour.agentSource },
    model: partial.model ?? 'docs-agent-1',
    status,
    prLink: partial.prLink ?? null,
    createdAt: partial.createdAt ?? at.toISOString(),
    archivedAt: partial.archivedAt ?? (status === 'archived' ? at.toISOString() : null),
    script: partial.script ?? behaviour.agentScript,
  };
}
