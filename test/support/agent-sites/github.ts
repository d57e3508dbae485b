import { REPOSITORY } from '../world/names.ts';
import { OPENED, startPullRequest } from '../world/pull-request.ts';
import type { AgentEvent, AgentSite, Who } from './site.ts';

const LOGINS = { owner: 'ada', writer: 'maya', reader: 'rita', stranger: 'stranger' } as const;
const UPDATE = { method: 'PATCH', path: '/issues/comments/' } as const;

const MERGE = 'd'.repeat(40);

function pullEvent(payload: object): AgentEvent {
  return { id: 0, eventName: 'pull_request_target', payload };
}

/** The pull request of `startPullRequest`, on GitHub's emulator. */
export async function startGitHubSite(): Promise<AgentSite> {
  const world = await startPullRequest();
  const { github } = world;
  let seed: Parameters<typeof github.addPullRequest>[0] = {
    repository: REPOSITORY,
    number: 7,
    title: 'Add --json',
    user: 'maya',
    files: [{ filename: 'src/cli.ts', patch: '@@ -1 +1 @@\n+x' }],
  };
  const say = (login: string, body: string) =>
    world.say(login, body, {
      authorAssociation: ['stranger', 'helper[bot]'].includes(login) ? 'NONE' : 'COLLABORATOR',
    });
  const accountOf = (who: Who) => world.account(LOGINS[who]);
  const pull = () => {
    const found = github.pullRequest(REPOSITORY, 7);
    if (found === undefined) throw new Error('there is no pull request');
    return found;
  };
  /** As an event shows the pull request. */
  const shown = () => {
    const { title, body, head, merged } = pull();
    const at = new Date(world.clock.now()).toISOString();
    return { number: 7, title, body, head: { sha: head.sha }, merged, merged_at: merged ? at : null, updated_at: at };
  };
  const isOurs = ({ body }: { readonly body: string }) => body.startsWith('<!-- docs-courier:');
  return {
    platform: world.platform,
    logins: LOGINS,
    repository: REPOSITORY,
    repositoryUrl: `https://github.com/${REPOSITORY}`,
    addedLine: '+if (options.json) print(JSON.stringify(rows));',
    pullNumber: 7,
    pullUrl: (number) => `https://github.com/${REPOSITORY}/pull/${number}`,
    say: async (who, body) => say(LOGINS[who], body),
    sayAsBot: async (body) => ({ ...say('helper[bot]', body), login: 'helper[bot]' }),
    edit: async (event) => ({ ...event, payload: { ...event.payload, action: 'edited' } }),
    sentBy: (event, who) => ({ ...event, payload: { ...event.payload, sender: accountOf(who) } }),
    async push() {
      github.push({ repository: REPOSITORY, number: 7, sha: 'e'.repeat(40) });
    },
    async label(who, name) {
      github.addLabel({ repository: REPOSITORY, number: 7, label: name, actor: LOGINS[who] });
    },
    async close() {
      github.addPullRequest({ repository: REPOSITORY, number: 7, user: 'maya', state: 'closed' });
    },
    async openFork() {
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
    run: (event: AgentEvent, { run, ...options } = {}) => world.agent({ ...event, ...options, ...(run && { run }) }),
    runPrompt: (eventName, who) =>
      world.agent({
        eventName,
        payload: who === undefined ? {} : { sender: accountOf(who), pull_request: { number: 7 } },
        inputs: { prompt: 'Document it.', agentJobId: 'job-1', pullRequest: 7 },
      }),
    statusComments: async () => world.statusComments(),
    async removeStatusComments() {
      for (let index = github.comments.length - 1; index >= 0; index -= 1) {
        const comment = github.comments[index];
        if (comment !== undefined && isOurs(comment)) github.comments.splice(index, 1);
      }
    },
    reactions: async ({ id }) =>
      github.reactions.filter(({ commentId }) => commentId === id).map(({ content }) => content),
    faults: {
      loseClaim: () => github.inject({ match: { method: 'POST', path: '/issues/7/comments' }, reset: 'after' }),
      failPermissions: () => github.inject({ match: { path: '/permission', times: 99 }, status: 500 }),
      breakUpdates: (nth = 1) => github.inject({ match: { ...UPDATE, nth, times: 50 }, status: 500 }),
      allowUpdates: () => github.clearFaults(),
      loseReaction: (times) => github.inject({ match: { method: 'POST', path: '/reactions', times }, reset: 'after' }),
      rewrite({ id }, body) {
        const index = github.comments.findIndex((one) => one.id === id);
        const [comment] = github.comments.splice(index, 1);
        if (comment !== undefined && body !== undefined) github.comments.splice(index, 0, { ...comment, body });
      },
      async writeAsUs(body) {
        world.say('github-actions[bot]', body);
      },
      endRun: (runId) =>
        github.addWorkflowJob({ repository: REPOSITORY, runId, attempt: 1, name: 'Instruct', conclusion: 'cancelled' }),
      runOnSchedule: () => world.agent({ eventName: 'schedule', payload: {}, ci: { cause: 'schedule' } }),
      countRequests: () => github.requests.length,
    },
    changes: {
      putFile: (path, text) => github.setFile(REPOSITORY, path, text),
      merge(who) {
        github.addPullRequest({ ...seed, state: 'closed', merged: true, mergeCommitSha: MERGE });
        return {
          closed: pullEvent({ action: 'closed', pull_request: shown(), sender: accountOf(who) }),
          push: {
            id: 0,
            eventName: 'push',
            payload: { ref: 'refs/heads/main', after: MERGE, commits: [{ id: MERGE }], sender: accountOf(who) },
          },
        };
      },
      abandon: (who) =>
        pullEvent({ action: 'closed', pull_request: { number: 7, merged: false }, sender: accountOf(who) }),
      labelled(who, name) {
        github.addLabel({ repository: REPOSITORY, number: 7, label: name, actor: LOGINS[who] });
        return pullEvent({ action: 'labeled', label: { name }, pull_request: shown(), sender: accountOf(who) });
      },
      unlabelled(who, name) {
        github.addLabel({ repository: REPOSITORY, number: 7, label: name, actor: LOGINS[who], event: 'unlabeled' });
        return pullEvent({ action: 'unlabeled', label: { name }, pull_request: shown(), sender: accountOf(who) });
      },
      edit(title) {
        pull().title = title;
      },
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
