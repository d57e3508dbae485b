import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { GitLabEmulator } from '../../../emulator/src/gitlab/emulator.ts';
import { type Emulator, startEmulator } from '../../../emulator/src/platform/emulator.ts';
import { fieldOf } from '../../../src/ground/text/json.ts';
import { FaultFront } from '../fault-front.ts';
import { createSecret, grantSecret, kubeconfigOf } from '../kubernetes-scenarios.ts';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from '../make-inputs.ts';
import { TOKENS } from '../real-servers/kubernetes.ts';
import { type RunningStep, type StepOptions, type StepResult, startStep } from '../runner.ts';
import { SmallCluster } from '../small-servers/kubernetes.ts';
import { makeCertificate } from '../tls.ts';
import { ALL_RIGHTS, DOMAIN, NAME, REPOSITORY, TARGET } from './names.ts';

/** A destination of whole processes. */
interface Target {
  readonly step: Omit<Partial<StepOptions>, 'inputs'>;
  readonly inputs: Readonly<Record<string, string>>;
  /** All requests to the store go through it; undefined: there are none. */
  readonly front: FaultFront | undefined;
  readLink(): Promise<string | undefined>;
}

type Start = (parts: AsyncDisposableStack, workspace: string) => Promise<Target>;

const GITLAB_TOKEN = 'glpat-0123456789abcdefghij';

const STARTS = {
  async github(parts) {
    const github = await startGitHubEmulator({
      tokens: { [SECRET_TOKEN]: { permissions: ALL_RIGHTS } },
      repositories: [{ fullName: REPOSITORY }],
    });
    parts.defer(() => github.close());
    const front = parts.use(await FaultFront.start({ upstream: github.url }));
    return {
      front,
      step: { apiUrl: front.url },
      inputs: { to: `github:secret/${NAME}`, 'secret-token': SECRET_TOKEN },
      readLink: async () => github.secret(TARGET, NAME)?.value,
    };
  },
  async gitlab(parts) {
    const gitlab = parts.use(
      await GitLabEmulator.start({
        projects: [{ path: REPOSITORY, id: 7 }],
        tokens: { [GITLAB_TOKEN]: { roles: { acme: 'owner' } } },
      }),
    );
    const front = parts.use(await FaultFront.start({ upstream: gitlab.url }));
    return {
      front,
      step: {},
      inputs: {
        to: `gitlab:project/7/${NAME}?server=${front.url}`,
        'secret-token': GITLAB_TOKEN,
      },
      readLink: async () => gitlab.variable(REPOSITORY, NAME)?.value ?? undefined,
    };
  },
  async file(_parts, workspace) {
    const path = join(workspace, 'link.txt');
    return {
      front: undefined,
      step: {},
      inputs: { to: 'file:link.txt' },
      readLink: () => readFile(path, 'utf8').catch(() => undefined),
    };
  },
  async kubernetes(parts) {
    const certificate = await makeCertificate();
    const cluster = parts.use(await SmallCluster.start());
    await grantSecret(cluster, 'docs');
    await createSecret(cluster, 'docs', { url: '' });
    const front = parts.use(
      await FaultFront.start({
        upstream: cluster.url,
        ca: cluster.authority.cert,
        tls: certificate,
      }),
    );
    const server = { url: front.url, ca: certificate.cert };
    return {
      front,
      step: {},
      inputs: {
        to: 'k8s:default/docs#url',
        kubeconfig: kubeconfigOf(server, { token: TOKENS.courier }),
      },
      readLink: async () => {
        const { body } = await cluster.api('GET', '/api/v1/namespaces/default/secrets/docs');
        const text = fieldOf(body, 'data', 'url');
        return typeof text === 'string' ? Buffer.from(text, 'base64').toString() : undefined;
      },
    };
  },
} satisfies Record<string, Start>;

export type PlaceKind = keyof typeof STARTS;

/** A destination, a platform with two exports, and whole processes that write the link. */
export class ProcessPlace implements AsyncDisposable {
  readonly platform: Emulator;
  readonly target: Target;
  readonly #workspace: string;
  readonly #parts: AsyncDisposableStack;
  #runs = 100;

  /** `old` and then `live` were live; both are named by a person. */
  static async start(kind: PlaceKind): Promise<ProcessPlace> {
    await using parts = new AsyncDisposableStack();
    const platform = await startEmulator({
      sites: { acme: { 'index.md': '# Docs' } },
      keys: { admin: ADMIN_KEY, assistant: ASSISTANT_KEY },
      exportJobs: { advance: 'poll', polls: 1 },
    });
    parts.defer(() => platform.close());
    const workspace = await realpath(await mkdtemp(join(tmpdir(), 'place-')));
    parts.defer(() => rm(workspace, { recursive: true, force: true }));
    const target = await STARTS[kind](parts, workspace);
    const place = new ProcessPlace(platform, target, workspace, parts.move());
    for (const jobId of ['old', 'live']) {
      await platform.addExportJob({ jobId, domain: DOMAIN });
      const { exitCode, log } = await place.run({ 'export-job-id': jobId });
      if (exitCode !== 0) throw new Error(`${jobId} was not named: ${log}`);
    }
    return place;
  }

  private constructor(
    platform: Emulator,
    target: Target,
    workspace: string,
    parts: AsyncDisposableStack,
  ) {
    this.platform = platform;
    this.target = target;
    this.#workspace = workspace;
    this.#parts = parts;
  }

  /** Starts a process that writes the link, by default a refresh that is due. */
  begin(inputs: Readonly<Record<string, string>> = {}): Promise<RunningStep> {
    const { mode = 'refresh' } = inputs;
    this.#runs += 1;
    return startStep({
      // The release check runs these tests with another copy of the action.
      ...(process.env['ACTION_MAIN'] ? { main: process.env['ACTION_MAIN'] } : {}),
      ...this.target.step,
      workspace: this.#workspace,
      runId: String(this.#runs),
      inputs: {
        mode,
        'base-url': this.platform.url,
        'admin-api-key': ADMIN_KEY,
        ...this.target.inputs,
        ...(mode === 'export' && { domain: DOMAIN }),
        ...(mode === 'refresh' && { 'refresh-before': '9000h' }),
        ...inputs,
      },
    });
  }

  /** Runs a process to its end. */
  async run(inputs?: Readonly<Record<string, string>>): Promise<StepResult> {
    const step = await this.begin(inputs);
    return step.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}
