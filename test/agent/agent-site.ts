import { test } from 'vitest';
import { writeRecord } from '../../src/agent/record.ts';
import type { AgentInputs } from '../../src/inputs/inputs.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import type { CommentEvent } from '../support/world/conversation.ts';
import { REPOSITORY } from '../support/world/names.ts';
import { OPENED, startPullRequest } from '../support/world/pull-request.ts';
import type { RunOptions } from '../support/world/run.ts';

/** `reader` is a collaborator with read permission, `stranger` has no access. */
const LOGINS = { owner: 'ada', writer: 'maya', reader: 'rita', stranger: 'stranger' } as const;
type Who = keyof typeof LOGINS;

export interface AgentRunOptions extends Pick<RunOptions, 'signal' | 'clock'> {
  readonly inputs?: Partial<AgentInputs>;
  readonly run?: { readonly runId?: string; readonly runAttempt?: number };
}

export type AgentSite = Awaited<ReturnType<typeof startAgentSite>>;

const UPDATE = { method: 'PATCH', path: '/issues/comments/' } as const;
const MERGE = 'd'.repeat(40);
const REPOSITORY_URL = `https://github.com/${REPOSITORY}`;

/**
 * The pull request of `startPullRequest`, with jobs `job-1` and `job-2`, and what people and
 * servers can do about it.
 */
export async function startAgentSite() {
  const world = await startPullRequest();
  const { github, platform } = world;
  let seed: Parameters<typeof github.addPullRequest>[0] = {
    repository: REPOSITORY,
    number: 7,
    title: 'Add --json',
    user: 'maya',
    files: [{ filename: 'src/cli.ts', patch: '@@ -1 +1 @@\n+x' }],
  };
  const addJob = (id: string, more: object = {}) =>
    platform.addAgentJob({
      id,
      source: { repository: REPOSITORY_URL, ref: null },
      script: { prLink: null },
      ...more,
    });
  addJob('job-1');
  addJob('job-2');
  const say = (login: string, body: string) =>
    world.say(login, body, {
      authorAssociation: ['stranger', 'helper[bot]'].includes(login) ? 'NONE' : 'COLLABORATOR',
    });
  const accountOf = (who: Who) => world.account(LOGINS[who]);
  const pullEvent = (who: Who, payload: object): CommentEvent => ({
    id: 0,
    eventName: 'pull_request_target',
    payload: { ...payload, sender: accountOf(who) },
  });
  const pull = () => {
    const found = github.pullRequest(REPOSITORY, 7);
    if (found === undefined) throw new Error('there is no pull request');
    return found;
  };
  /** As an event shows the pull request. */
  const shown = () => {
    const { title, body, head, merged } = pull();
    const at = new Date(world.clock.now()).toISOString();
    return {
      number: 7,
      title,
      body,
      head: { sha: head.sha },
      merged,
      merged_at: merged ? at : null,
      updated_at: at,
    };
  };
  const changeLabel = (who: Who, label: string, event: 'labeled' | 'unlabeled') => {
    github.addLabel({ repository: REPOSITORY, number: 7, label, actor: LOGINS[who], event });
    return pullEvent(who, { action: event, label: { name: label }, pull_request: shown() });
  };
  const isOurs = ({ body }: { readonly body: string }) => body.startsWith('<!-- docs-courier:');
  const writeAsUs = (body: string) => world.say('github-actions[bot]', body);
  return {
    platform,
    repositoryUrl: REPOSITORY_URL,
    pullUrl: (number: number) => `${REPOSITORY_URL}/pull/${number}`,
    addJob,
    say: (who: Who, body: string) => say(LOGINS[who], body),
    sayAsBot: (body: string) => say('helper[bot]', body),
    /** The same event, as if another person had caused it. */
    sentBy: (event: CommentEvent, who: Who): CommentEvent => ({
      ...event,
      payload: { ...event.payload, sender: accountOf(who) },
    }),
    push: () => github.push({ repository: REPOSITORY, number: 7, sha: 'e'.repeat(40) }),
    label: (who: Who, name: string) => void changeLabel(who, name, 'labeled'),
    /**
     * From now on, the pull request is one from the stranger's fork. Its diff contains
     * `EVIL-PATCH`.
     */
    openFork() {
      github.addRepository({ fullName: 'stranger/docs', private: false });
      seed = {
        repository: REPOSITORY,
        number: 7,
        title: 'EVIL-TITLE',
        user: 'stranger',
        head: { ref: 'topic', sha: 'f'.repeat(40), repository: 'stranger/docs' },
        files: [{ filename: 'evil.md', patch: '@@ -1 +1 @@\n+EVIL-PATCH' }],
        createdAt: OPENED - 7_200_000,
      };
      github.addPullRequest(seed);
    },
    run: (event: CommentEvent, { run, ...options }: AgentRunOptions = {}) =>
      world.agent({ ...event, ...options, ...(run && { run }) }),
    /** A run without a comment, with the input `prompt`. */
    runPrompt: (eventName: string, who: Who | undefined) =>
      world.agent({
        eventName,
        payload: who === undefined ? {} : { sender: accountOf(who), pull_request: { number: 7 } },
        inputs: { prompt: 'Document it.', agentJobId: 'job-1', pullRequest: 7 },
      }),
    /** A scheduled run of agent mode without an instruction. */
    runOnSchedule: () =>
      world.agent({ eventName: 'schedule', payload: {}, ci: { cause: 'schedule' } }),
    /** The visible texts of our status comments, without the record in them. */
    statusComments: () => world.statusComments(),
    removeStatusComments() {
      for (let index = github.comments.length - 1; index >= 0; index -= 1) {
        const comment = github.comments[index];
        if (comment !== undefined && isOurs(comment)) github.comments.splice(index, 1);
      }
    },
    /** How our account has reacted to the comment of an event. */
    reactions: ({ id }: CommentEvent) =>
      github.reactions.filter(({ commentId }) => commentId === id).map(({ content }) => content),
    /** The next comment is created, and the reply is lost. */
    loseClaim: () =>
      github.inject({ match: { method: 'POST', path: '/issues/7/comments' }, reset: 'after' }),
    /** From the nth change on, comments are not changed any more, as after a kill of the run. */
    breakUpdates: (nth = 1) => github.inject({ match: { ...UPDATE, nth, times: 50 }, status: 500 }),
    allowUpdates: () => github.clearFaults(),
    /** The next reactions are set, and the replies are lost. */
    loseReaction: (times: number) =>
      github.inject({ match: { method: 'POST', path: '/reactions', times }, reset: 'after' }),
    /** The comment of an event has another text, or is deleted. */
    rewrite({ id }: CommentEvent, body: string | undefined) {
      const index = github.comments.findIndex((one) => one.id === id);
      const [comment] = github.comments.splice(index, 1);
      if (comment !== undefined && body !== undefined)
        github.comments.splice(index, 0, { ...comment, body });
    },
    /** A comment of ours as a killed run left it: it says forever that the run continues. */
    leave(runId: string, more: { state?: 'sending' | 'sent'; job?: string; secret?: string } = {}) {
      const { state = 'sent', job = 'job-1', secret = ADMIN_KEY } = more;
      const command = `conversation:${Number(runId) + 100_000}`;
      const record = {
        version: 2,
        command,
        run: runId,
        attempt: 1,
        nonce: `n-${runId}`,
        state,
        job,
      } as const;
      const line = writeRecord({ secret, repository: REPOSITORY, pullNumber: 7 }, record);
      writeAsUs(`${line}\n✍️ **The docs agent is working.**`);
    },
    /** The run is over, however it ended; of other runs GitHub does not say. */
    endRun: (runId: string) =>
      github.addWorkflowJob({
        repository: REPOSITORY,
        runId,
        attempt: 1,
        name: 'Instruct',
        conclusion: 'cancelled',
      }),
    countRequests: () => github.requests.length,
    /** Adds a file to the default branch. */
    putFile: (path: string, text: string) => github.setFile(REPOSITORY, path, text),
    /** The pull request is merged; returns the events of the merge. */
    merge(who: Who) {
      github.addPullRequest({ ...seed, state: 'closed', merged: true, mergeCommitSha: MERGE });
      const payload = {
        ref: 'refs/heads/main',
        after: MERGE,
        commits: [{ id: MERGE }],
        sender: accountOf(who),
      };
      return {
        closed: pullEvent(who, { action: 'closed', pull_request: shown() }),
        push: { id: 0, eventName: 'push', payload },
      };
    },
    /** It is closed without being merged. */
    abandon: (who: Who) =>
      pullEvent(who, { action: 'closed', pull_request: { number: 7, merged: false } }),
    labelled: (who: Who, name: string) => changeLabel(who, name, 'labeled'),
    unlabelled: (who: Who, name: string) => changeLabel(who, name, 'unlabeled'),
    retitle(title: string) {
      pull().title = title;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** A test on a pull request with agent jobs. */
export function scenario(what: string, body: (site: AgentSite) => Promise<void>): void {
  test(what, async () => {
    await using site = await startAgentSite();
    await body(site);
  });
}
