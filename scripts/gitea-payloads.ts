/**
 * Records what a real Gitea gives to the runner for each event, into test/fixtures/gitea: context
 * and payload, without tokens and with a server address of the documentation. Needs the server that
 * `scripts/real-servers.sh gitea` builds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealGitea } from '../test/support/gitea-site.ts';
import { GiteaRunner, type GiteaTask } from '../test/support/real-servers/gitea-runner.ts';

const FOLDER = join(import.meta.dirname, '../test/fixtures/gitea');
const PUBLIC_URL = 'https://gitea.example.com';
const EVENTS = `
  push:
    branches: [main]
  workflow_dispatch:
  schedule:
    - cron: '* * * * *'
  pull_request:
    types: [opened, closed]
  issue_comment:
    types: [created]
`;
const WORKFLOW = `name: Docs\non:${EVENTS}jobs:\n  publish:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n`;

await using gitea = await RealGitea.start();
const { server } = gitea;
const site = await gitea.addSite();
const folder = `/repos/${site.repository}`;
const runner = await GiteaRunner.register(server, site.repository);
mkdirSync(FOLDER, { recursive: true });

let isRecorded = false;

function clean(text: string): string {
  return text.replaceAll(server.url, PUBLIC_URL);
}

function save(name: string, { context: { token: _, ...context } }: GiteaTask): void {
  writeFileSync(join(FOLDER, `${name}.json`), clean(`${JSON.stringify(context, undefined, 2)}\n`));
  console.log(name);
}

/** The next job that is not of the schedule, which can start at any time. */
async function nextTask(eventName: string): Promise<GiteaTask> {
  for (;;) {
    const task = await runner.fetchTask(150_000);
    await runner.report(task, 'RESULT_SUCCESS');
    if (task.context.event_name === eventName) return task;
    if (task.context.event_name !== 'schedule')
      throw new Error(`Gitea sent ${task.context.event_name}.`);
    save('schedule', task);
    isRecorded = true;
  }
}

async function as(
  token: string,
  status: number,
  method: string,
  path: string,
  body: unknown,
): Promise<void> {
  const reply = await server.api(method, path, body, token);
  if (reply.status !== status)
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
await server.expect(201, 'POST', `${folder}/contents/.gitea/workflows/docs.yml`, {
  content: base64(WORKFLOW),
  message: 'Add the workflow',
  branch: 'main',
});
save('push', await nextTask('push'));
await server.expect(204, 'POST', `${folder}/actions/workflows/docs.yml/dispatches`, {
  ref: 'main',
});
save('workflow_dispatch', await nextTask('workflow_dispatch'));

// A branch of the repository, and a pull request from it.
await server.expect(201, 'POST', `${folder}/contents/docs/page.md`, {
  content: base64('# A page\n'),
  message: 'Add a page',
  branch: 'main',
  new_branch: 'change',
});
await server.expect(201, 'POST', `${folder}/pulls`, {
  title: 'Add a page',
  body: 'It was missing.',
  head: 'change',
  base: 'main',
});
save('pull_request-opened', await nextTask('pull_request'));
const writer = await server.addToken('bob', 'all');
await as(writer, 201, 'POST', `${folder}/issues/1/comments`, { body: '/docs describe the page' });
save('issue_comment', await nextTask('issue_comment'));

// A pull request from a writer's own fork, whose runs need no approval.
await as(writer, 202, 'POST', `${folder}/forks`, { name: 'fork' });
await as(writer, 201, 'POST', '/repos/bob/fork/contents/docs/fork.md', {
  content: base64('# From a fork\n'),
  message: 'Add a page',
  branch: 'main',
  new_branch: 'topic',
});
await as(writer, 201, 'POST', `${folder}/pulls`, {
  title: 'From a fork',
  head: 'bob:topic',
  base: 'main',
});
save('pull_request-fork', await nextTask('pull_request'));

await server.expect(200, 'POST', `${folder}/pulls/1/merge`, { Do: 'merge' });
save('pull_request-closed', await nextTask('pull_request'));

save('push-merge', await nextTask('push'));
// It starts within two minutes, if it has not started yet.
if (!isRecorded) save('schedule', await nextTask('schedule'));
