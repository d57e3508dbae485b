import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { StepOptions } from '../runner.ts';
import type { GiteaServer } from './gitea.ts';

const registered = z.object({ runner: z.object({ uuid: z.string(), token: z.string() }) });
const string = z.string();
const text = z._default(string, '');
const taskReply = z.object({
  task: z.optional(
    z.object({
      id: z.string(),
      context: z.object({
        actor: text,
        event: z.record(string, z.unknown()),
        event_name: string,
        job: string,
        ref: string,
        ref_name: string,
        ref_type: string,
        repository: string,
        run_attempt: string,
        run_id: string,
        run_number: string,
        server_url: string,
        api_url: string,
        sha: string,
        token: string,
        workflow: text,
      }),
      secrets: z._default(z.record(z.string(), z.string()), {}),
    }),
  ),
});

/**
 * A job as Gitea gives it to a runner: with its context, its payload, its token and the secrets
 * that it may use.
 */
export type GiteaTask = NonNullable<z.infer<typeof taskReply>['task']>;

/**
 * The requests of act_runner to Gitea, in JSON (act_runner uses Protobuf with the same protocol):
 * it registers, fetches jobs and reports their results. The test does the rest.
 */
export class GiteaRunner {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  /** A runner for one repository, with the label `ubuntu-latest`. */
  static async register(server: GiteaServer, repository: string): Promise<GiteaRunner> {
    const { body } = await server.expect(
      200,
      'POST',
      `/repos/${repository}/actions/runners/registration-token`,
    );
    const { token } = z.object({ token: z.string() }).parse(body);
    const labels = ['ubuntu-latest'];
    const reply = await call(server.url, 'Register', {
      name: 'tests',
      token,
      version: 'v0.3.0',
      labels,
    });
    const { runner } = registered.parse(reply);
    const headers = { 'x-runner-uuid': runner.uuid, 'x-runner-token': runner.token };
    await call(server.url, 'Declare', { version: 'v0.3.0', labels }, headers);
    return new GiteaRunner(server.url, headers);
  }

  /** The next job that waits for a runner; fails if there is none within the time. */
  async fetchTask(withinMs = 30_000): Promise<GiteaTask> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      const { task } = taskReply.parse(
        await call(this.#url, 'FetchTask', { tasksVersion: '0' }, this.#headers),
      );
      if (task !== undefined) return task;
      if (performance.now() > endMs)
        throw new Error(`Gitea had no job for the runner within ${withinMs} ms.`);
      await delay(200);
    }
  }

  async report(
    { id }: GiteaTask,
    result: 'RESULT_SUCCESS' | 'RESULT_FAILURE' | 'RESULT_CANCELLED',
  ): Promise<void> {
    const now = new Date().toISOString();
    const state = { id, result, startedAt: now, stoppedAt: now };
    await call(this.#url, 'UpdateTask', { state }, this.#headers);
  }
}

async function call(url: string, method: string, message: unknown, headers = {}): Promise<unknown> {
  const reply = await fetch(`${url}/api/actions/runner.v1.RunnerService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  if (!reply.ok) throw new Error(`${method} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

/** A step of that job, with the environment from act_runner. */
export function stepOfTask(
  { context }: GiteaTask,
  inputs: Readonly<Record<string, string>>,
): StepOptions {
  return {
    inputs,
    event: context.event,
    eventName: context.event_name,
    runId: context.run_id,
    runAttempt: Number(context.run_attempt) || 1,
    repository: context.repository,
    job: context.job,
    actor: context.actor,
    sha: context.sha,
    apiUrl: context.api_url,
    serverUrl: context.server_url,
    githubToken: context.token,
    env: {
      GITEA_ACTIONS: 'true',
      GITHUB_REF: context.ref,
      GITHUB_REF_NAME: context.ref_name,
      GITHUB_REF_TYPE: context.ref_type,
      GITHUB_REF_PROTECTED: 'false',
      GITHUB_RUN_NUMBER: context.run_number,
      GITHUB_WORKFLOW: '',
      RUNNER_NAME: 'tests',
    },
  };
}
