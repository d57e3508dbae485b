import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import { findProgram, readTrustedFile } from '../ground/confined-files.ts';
import { type CourierError, configError, courierError } from '../ground/errors.ts';
import { type Env, runProgram, variableOf, withoutOurSecrets } from '../ground/programs.ts';
import { hideSecrets } from '../ground/text/credentials.ts';
import { readTime } from '../ground/text/instants.ts';
import { parseJson } from '../ground/text/json.ts';
import { createRedact, excerpt } from '../ground/text/redact.ts';
import { type ExecPlugin, type KubeContext, readKubeconfig } from './kubeconfig.ts';

/** What the inputs say about a cluster. */
export interface KubernetesInputs {
  /**
   * The text of a kubeconfig, or the absolute path of one; undefined: the service account of the
   * pod that this runs in.
   */
  readonly kubeconfig: string | undefined;
  /** The name of a context; undefined: the kubeconfig's current context. */
  readonly context: string | undefined;
  /** The kubeconfig may name programs to run and files to read. */
  readonly allowExec: boolean;
}

/** What a run was given to reach a cluster. */
export interface KubernetesCredentials extends KubernetesInputs {
  /**
   * A kubeconfig, or a file that it names, is refused if it is in this folder: a pull request could
   * have put it there.
   */
  readonly workspace: string | undefined;
  /** Environment for exec plugins, and KUBERNETES_SERVICE_HOST and _PORT. */
  readonly env: Env;
  /**
   * Where a pod has the token and the authority of its service account; tests have another folder.
   */
  readonly serviceAccount?: string;
  readonly execTimeLimitMs?: number;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const EXEC_MS = 60_000;
// How long the credentials of a plugin are used before it is run again: a rollout is polled for
// minutes, and the plugin should not run for each poll. Most tokens are valid for longer than this.
const EXEC_USE_MS = 60_000;
// How long before they expire the credentials are no longer used.
const EXEC_SPARE_MS = 30_000;

/**
 * Makes logins for one cluster. The kubeconfig is read once. Its token files are read again for
 * each login, and its plugin is run again once a minute.
 */
export class ClusterLogin {
  readonly #credentials: KubernetesCredentials;
  readonly #mask: (secret: string) => void;
  #context: Promise<KubeContext> | undefined;
  #executed: { readonly status: ExecStatus; readonly untilMs: number } | undefined;

  constructor(credentials: KubernetesCredentials, mask: (secret: string) => void) {
    this.#credentials = credentials;
    this.#mask = mask;
  }

  /**
   * How to reach the API server: its address, TLS options and token. Ask again for each request,
   * since the tokens of service accounts and plugins change. Without a token, the client
   * certificate identifies the user.
   */
  async login() {
    const kubeconfig = this.#credentials.kubeconfig;
    if (kubeconfig === undefined) return this.#serviceAccountLogin();
    this.#context ??= this.#readContext(kubeconfig);
    const { server, ca, serverName, identity } = await this.#context;
    const tls = { ca, servername: serverName };
    switch (identity.kind) {
      case 'token':
        return { server, tls, token: identity.token.trim() };
      case 'token-file':
        return { server, tls, token: this.#maskAndTrim(await this.#readFile(identity.path)) };
      case 'certificate':
        return {
          server,
          tls: { ...tls, cert: identity.cert, key: identity.key },
          token: undefined,
        };
      case 'exec': {
        // A plugin gives a token, a certificate, or both.
        const credentials = await this.#pluginCredentials(identity.plugin, server);
        const { clientCertificateData: cert, clientKeyData: key, token } = credentials;
        return { server, tls: { ...tls, cert, key }, token: token?.trim() };
      }
    }
  }

  /** The context of the kubeconfig, which is given as its text or as its path. */
  async #readContext(kubeconfig: string): Promise<KubeContext> {
    const { context, allowExec } = this.#credentials;
    const path = kubeconfig.trim();
    const isPath = isAbsolute(path) && !path.includes('\n');
    const source = isPath ? await this.#readFile(path) : kubeconfig;
    const readFile = (named: string) => this.#readFile(named);
    const chosen = await readKubeconfig(source, { context, allowExec, readFile });
    // Those of a token file and of a plugin are masked at each login, which reads them.
    if (chosen.identity.kind === 'token') this.#maskAndTrim(chosen.identity.token);
    if (chosen.identity.kind === 'certificate') this.#maskAndTrim(chosen.identity.key);
    return chosen;
  }

  /** The login of a pod: by the files that Kubernetes mounts into it. */
  async #serviceAccountLogin() {
    const { env, serviceAccount = SERVICE_ACCOUNT } = this.#credentials;
    const host = env['KUBERNETES_SERVICE_HOST'];
    const port = env['KUBERNETES_SERVICE_PORT'] ?? '443';
    if (!host) {
      throw configError(
        'No cluster credentials: `kubeconfig` is empty and this process is not running in a pod.',
        {
          text: 'Give a kubeconfig, or its path in KUBECONFIG=/path/to/kubeconfig:',
          inputs: { kubeconfig: '' },
        },
      );
    }
    let hostInUrl = host;
    // An IPv6 address.
    if (host.includes(':')) hostInUrl = `[${host}]`;
    const server = `https://${hostInUrl}:${port}`;
    const ca = await this.#readFile(join(serviceAccount, 'ca.crt'));
    const token = this.#maskAndTrim(await this.#readFile(join(serviceAccount, 'token')));
    return { server, tls: { ca }, token };
  }

  /** Masks the secret, and gives it without white space around it. */
  #maskAndTrim(secret: string): string {
    const value = secret.trim();
    this.#mask(value);
    return value;
  }

  /** The text of a file outside the workspace. */
  #readFile(path: string): Promise<string> {
    return readTrustedFile({
      path,
      workspace: this.#credentials.workspace,
      use: 'to reach the cluster',
      hint: {
        text: 'Give the kubeconfig as text, or the path of a file outside the workspace in KUBECONFIG=/path/to/kubeconfig:',
        inputs: { kubeconfig: '' },
      },
    });
  }

  /** The credentials that the plugin gave at its last run, or runs it if that is too long ago. */
  async #pluginCredentials(plugin: ExecPlugin, server: string): Promise<ExecStatus> {
    const nowMs = Date.now();
    if (this.#executed !== undefined && nowMs < this.#executed.untilMs) {
      return this.#executed.status;
    }
    const output = await runPlugin(plugin, server, this.#credentials);
    const parsed = execCredential.safeParse(parseJson(output));
    if (!parsed.success) throw pluginFailed(plugin, 'printed no ExecCredential with a status');
    const status = parsed.data.status;
    if (status.clientKeyData !== undefined) this.#maskAndTrim(status.clientKeyData);
    if (status.token !== undefined) this.#maskAndTrim(status.token);
    // Without a time, the credentials do not expire.
    const expiryMs = readTime(status.expirationTimestamp) ?? Number.POSITIVE_INFINITY;
    const useMs = Math.min(EXEC_USE_MS, expiryMs - EXEC_SPARE_MS - nowMs);
    this.#executed = { status, untilMs: nowMs + useMs };
    return status;
  }
}

const text = z.optional(z.string());
const execStatus = z.object({
  token: text,
  clientCertificateData: text,
  clientKeyData: text,
  expirationTimestamp: text,
});
type ExecStatus = z.infer<typeof execStatus>;
const execCredential = z.object({ kind: z.literal('ExecCredential'), status: execStatus });

/** Runs the plugin and gives its output. Throws `unauthorized` with why it gave none. */
async function runPlugin(
  plugin: ExecPlugin,
  server: string,
  credentials: KubernetesCredentials,
): Promise<string> {
  const { env, workspace, execTimeLimitMs = EXEC_MS } = credentials;
  // The plugin reads this variable: which form its answer must have, and for which cluster it is.
  // `interactive: false`: there is no person to answer a question.
  const spec = { interactive: false, cluster: { server } };
  const info = JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec });
  const pluginEnv: Env = { ...withoutOurSecrets(env), ...plugin.env, KUBERNETES_EXEC_INFO: info };
  const search = { PATH: variableOf(pluginEnv, 'PATH'), workspace };
  // `PATH`: without the folders of the workspace, for programs that the plugin starts.
  const { program, PATH } = await findProgram(plugin.command, search);
  if (program === undefined) {
    const requirement = isAbsolute(plugin.command)
      ? 'a program that this process may execute'
      : 'in a folder of PATH outside the workspace';
    throw pluginFailed(plugin, `is not ${requirement}`);
  }
  const ended = await runProgram(program, {
    args: plugin.args,
    env: { ...pluginEnv, PATH },
    timeLimitMs: execTimeLimitMs,
    // All of its output is kept, not only the beginning.
    wanted: 'answer',
  });
  if (ended.failure === undefined) return ended.output;
  const printed = quotedProblem(ended.problem, pluginEnv);
  throw pluginFailed(plugin, `${ended.failure}${printed}`);
}

/** What the plugin printed on its standard error, as the end of a message; empty: nothing. */
function quotedProblem(problem: string, pluginEnv: Env): string {
  // It may contain secrets of the environment of the plugin.
  const secrets: string[] = [];
  for (const [name, value = ''] of Object.entries(pluginEnv)) {
    if (/SECRET|TOKEN|PASS|KEY|CREDENTIAL/i.test(name)) secrets.push(value);
  }
  const redactEnv = createRedact(secrets);
  const printed = excerpt(problem.trim(), {
    redact: (text) => hideSecrets(redactEnv(text)),
    max: 300,
  });
  return printed === '' ? '' : `. It printed: ${printed}`;
}

/** `why` completes "it …". */
function pluginFailed(plugin: ExecPlugin, why: string): CourierError {
  return courierError(
    'unauthorized',
    `The exec plugin ${plugin.command} of the kubeconfig gave no credential: it ${why}.`,
    'Run the command manually where this step runs.',
  );
}
