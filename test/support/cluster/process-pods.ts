import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { serveSite } from '../../../src/cli/serve.ts';
import { fieldOf } from '../../../src/ground/text/json.ts';
import { listen, stopServer } from '../listening.ts';
import type { ApiReply } from '../real-servers/kubernetes.ts';
import { serverProgram } from '../real-servers/program.ts';
import type { PodObject, PodRuntime } from './pod-fate.ts';

const container = z.looseObject({
  command: z.optional(z.array(z.string())),
  args: z.optional(z.array(z.string())),
  env: z.optional(
    z.array(
      z.looseObject({
        name: z.string(),
        value: z.optional(z.string()),
        valueFrom: z.optional(
          z.looseObject({ secretKeyRef: z.looseObject({ name: z.string(), key: z.string() }) }),
        ),
      }),
    ),
  ),
  volumeMounts: z.optional(z.array(z.looseObject({ mountPath: z.string() }))),
});
const podSpec = z.looseObject({
  spec: z.looseObject({
    initContainers: z.optional(z.array(container)),
    volumes: z.optional(
      z.array(z.looseObject({ image: z.optional(z.looseObject({ reference: z.string() })) })),
    ),
  }),
});

interface Running {
  readonly folder: string;
  isReady: boolean;
  /** When the init container is started again after a failure. */
  retryAtMs: number;
  init: ChildProcess | undefined;
  server: Awaited<ReturnType<typeof serveSite>> | undefined;
}

type Api = (method: string, path: string) => Promise<ApiReply>;

// Like the backoff of a kubelet, but in seconds.
const RETRY_MS = 2000;

/**
 * A kubelet without containers: it pulls the image of a volume with crane, or runs the command of
 * the pod's init container, with the environment from the Secrets and a folder for the volume, as a
 * real process; then a web server for that folder instead of the container.
 */
export class ProcessPods implements PodRuntime, AsyncDisposable {
  /** The address of the site for readers. */
  url = '';
  readonly #api: Api;
  readonly #pods = new Map<string, Running>();
  readonly #service: http.Server;

  private constructor(api: Api) {
    this.#api = api;
    // Like a Service: each request goes to one of the ready pods.
    this.#service = http.createServer((request, reply) => {
      const ready = [...this.#pods.values()]
        .filter(({ isReady }) => isReady)
        .flatMap(({ server }) => server ?? []);
      const pod = ready[Math.floor(Math.random() * ready.length)];
      if (pod === undefined) return void reply.writeHead(503).end('no pod is ready');
      const { url: path = '/', method, headers } = request;
      const onward = http.request(pod.url, { path, method, headers });
      onward.on('error', () => reply.destroy());
      onward.on('response', (from) => {
        reply.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(reply);
      });
      onward.end();
    });
  }

  static async start(api: Api): Promise<ProcessPods> {
    const pods = new ProcessPods(api);
    pods.url = `http://127.0.0.1:${await listen(pods.#service)}`;
    return pods;
  }

  async isReady(pod: PodObject): Promise<boolean> {
    const running = this.#pods.get(pod.uid) ?? (await this.#create(pod));
    if (
      running.init === undefined &&
      running.server === undefined &&
      Date.now() >= running.retryAtMs
    ) {
      await this.#startInit(pod, running);
    }
    // The readiness probe.
    if (running.server !== undefined && !running.isReady)
      running.isReady = await answers(running.server.url);
    return running.isReady;
  }

  async end({ uid }: PodObject): Promise<void> {
    const running = this.#pods.get(uid);
    if (running === undefined) return;
    this.#pods.delete(uid);
    await stop(running.init);
    await running.server?.[Symbol.asyncDispose]();
    await rm(running.folder, { recursive: true, force: true });
  }

  async #create({ uid }: PodObject): Promise<Running> {
    const folder = await mkdtemp(join(tmpdir(), 'pod-'));
    const running: Running = {
      folder,
      isReady: false,
      retryAtMs: 0,
      init: undefined,
      server: undefined,
    };
    this.#pods.set(uid, running);
    return running;
  }

  async #startInit(pod: PodObject, running: Running): Promise<void> {
    const { namespace, name } = pod;
    const { body } = await this.#api('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
    const { initContainers: [init] = [], volumes = [] } = podSpec.parse(body).spec;
    const reference = volumes.find(({ image }) => image !== undefined)?.image?.reference;
    const pull = ['bash', '-c', 'set -o pipefail; "$0" export --insecure "$1" - | tar -x -C /site'];
    const [program = '', ...args] =
      reference === undefined
        ? [...(init?.command ?? []), ...(init?.args ?? [])]
        : [...pull, serverProgram('crane'), reference];
    const mount =
      reference === undefined ? (init?.volumeMounts?.[0]?.mountPath ?? '/nowhere') : '/site';
    const env: Record<string, string> = { PATH: process.env['PATH'] ?? '' };
    for (const { name: variable, value, valueFrom } of init?.env ?? []) {
      env[variable] =
        valueFrom === undefined
          ? (value ?? '')
          : await this.#secret(namespace, valueFrom.secretKeyRef);
    }
    const local = args.map((arg) => arg.replaceAll(mount, running.folder));
    const child = spawn(program, local, { env, stdio: 'ignore', detached: true });
    running.init = child;
    child.on('close', (code) => {
      running.init = undefined;
      if (!this.#pods.has(pod.uid)) return;
      if (code === 0) return void this.#serve(pod, running);
      running.retryAtMs = Date.now() + RETRY_MS;
    });
  }

  async #serve({ uid }: PodObject, running: Running): Promise<void> {
    const server = await serveSite({ folder: () => running.folder, rules: [], port: 0 });
    // It may have ended in the meantime.
    if (this.#pods.has(uid)) running.server = server;
    else await server[Symbol.asyncDispose]();
  }

  /** The current value: the environment of a container is read when it starts. */
  async #secret(namespace: string, { name, key }: { name: string; key: string }): Promise<string> {
    const { body } = await this.#api('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`);
    return Buffer.from(String(fieldOf(body, 'data', key) ?? ''), 'base64').toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopServer(this.#service);
    for (const uid of [...this.#pods.keys()])
      await this.end({ uid, namespace: '', name: '', annotations: {} });
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // The shell of an init container has child processes.
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
