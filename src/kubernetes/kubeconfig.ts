import { posix, win32 } from 'node:path';
import * as z from 'zod/mini';
import { type CourierError, configError, type Hint } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import { fieldOf } from '../ground/text/json.ts';
import { parseUrl } from '../ground/text/names.ts';

/**
 * How a kubeconfig identifies its user. `exec` runs a program that the kubeconfig names, and
 * `token-file` reads a file that it names.
 */
type KubeIdentity =
  | { readonly kind: 'token'; readonly token: string }
  /** PEM. */
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin }
  | { readonly kind: 'token-file'; readonly path: string };

export interface ExecPlugin {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One context of a kubeconfig: the API server, and how the user is identified. */
export interface KubeContext {
  /** Without a trailing slash. */
  readonly server: string;
  /**
   * PEM of the authority that signed the server's certificate; undefined: the system's authorities.
   */
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  readonly identity: KubeIdentity;
}

interface KubeconfigOptions {
  /** Name of the context; undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** The kubeconfig may name programs to run and files to read. */
  readonly allowExec: boolean;
  /** Reads a file that the kubeconfig names; called only with `allowExec`. */
  readonly readFile: (path: string) => Promise<string>;
}

// https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
const text = z.optional(z.nullish(z.string()));
const cluster = z.object({
  server: z.string(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.nullish(z.boolean()),
  'tls-server-name': text,
  'proxy-url': text,
});
const exec = z.object({
  apiVersion: z.enum(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
  command: z.string().check(z.minLength(1)),
  args: z.nullish(z.array(z.string())),
  env: z.nullish(z.array(z.object({ name: z.string(), value: z.string() }))),
});
const user = z.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  // `identityOf` checks it, if no other way to identify comes first.
  exec: z.nullish(z.unknown()),
});
const context = z.object({ cluster: z.string(), user: text });
const entries = z.nullish(z.array(z.unknown()));
/**
 * The entries of other contexts may have any form: tools leave entries there that this program does
 * not know.
 */
const kubeconfig = z.object({
  kind: z.optional(z.unknown()),
  'current-context': text,
  clusters: entries,
  users: entries,
  contexts: entries,
});
type User = z.infer<typeof user>;
type Entries = z.infer<typeof entries>;

/**
 * One context of a kubeconfig. Throws `config` for what this program cannot use or may not use,
 * before it sends or runs anything. No message contains a part of a credential.
 */
export async function readKubeconfig(
  source: string,
  options: KubeconfigOptions,
): Promise<KubeContext> {
  const config = await parse(source);
  if (config.kind !== undefined && config.kind !== 'Config') {
    throw invalid(
      'The kubeconfig is a manifest of another kind, such as the manifest of a Secret: a kubeconfig has kind: Config.',
      'The data of a Secret are in base64: decode them with base64 -d, and give that text.',
    );
  }
  const contextName = options.context ?? config['current-context'];
  if (contextName === undefined || contextName === null) {
    throw invalid('The kubeconfig names no current context.', adviceFor(config.contexts));
  }
  const chosen = entryOf(config.contexts, contextName, 'context', context);
  if (chosen === undefined) {
    const message = `The kubeconfig has no context ${shown(contextName)}.`;
    throw invalid(message, adviceFor(config.contexts));
  }
  const contextCluster = entryOf(config.clusters, chosen.cluster, 'cluster', cluster);
  if (contextCluster === undefined) {
    throw invalid(
      `The kubeconfig has no cluster ${shown(chosen.cluster)}, which context ${shown(contextName)} names.`,
    );
  }
  // A context may name no user. That is refused too: requests would be anonymous.
  const contextUser = entryOf(config.users, chosen.user ?? '', 'user', user);
  if (contextUser === undefined) {
    throw invalid(`The kubeconfig has no user for context ${shown(contextName)}.`);
  }
  return {
    server: clusterServer(contextCluster),
    ca: await pem(contextCluster, 'certificate-authority', options),
    serverName: contextCluster['tls-server-name'] ?? undefined,
    identity: await identityOf(contextUser, options),
  };
}

/** How to name a context: lists those that the kubeconfig has. */
function adviceFor(contexts: Entries): string {
  const names = (contexts ?? []).map((entry) => fieldOf(entry, 'name'));
  const texts = names.filter((name) => typeof name === 'string');
  const all = plainLine(texts.join(', '), 400) || '(it has none)';
  return `Name one of them as ?context=NAME in the k8s: address: ${all}`;
}

/** The kubeconfig, with its outer form checked. */
async function parse(source: string): Promise<z.infer<typeof kubeconfig>> {
  const { parse: parseYaml, LineCounter, YAMLParseError } = await import('yaml');
  const lines = new LineCounter();
  let value: unknown;
  try {
    // Aliases are not allowed: a few of them can stand for gigabytes.
    value = parseYaml(source, { maxAliasCount: 0, prettyErrors: false, lineCounter: lines });
  } catch (error) {
    // The parser's own message quotes the text, and the text is full of credentials.
    const at = error instanceof YAMLParseError ? ` (line ${lines.linePos(error.pos[0]).line})` : '';
    throw invalid(`The kubeconfig is not valid YAML${at}.`);
  }
  return checkForm(value, kubeconfig);
}

/**
 * What the entry of this name has in this field, with its form checked. undefined: there is no such
 * entry, or its field is empty.
 */
function entryOf<T>(
  all: Entries,
  name: string,
  field: 'cluster' | 'user' | 'context',
  schema: z.ZodMiniType<T>,
): T | undefined {
  const value = fieldOf(
    all?.find((entry) => fieldOf(entry, 'name') === name),
    field,
  );
  if (value === undefined || value === null) return undefined;
  return checkForm(value, schema, `${field} ${shown(name)}`);
}

/**
 * The value as the schema has it. Throws `config` with the fields that do not fit. `where`: the
 * part of the kubeconfig that the value is; undefined: all of it.
 */
function checkForm<T>(value: unknown, schema: z.ZodMiniType<T>, where?: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3);
  const fields = issues.map((issue) => issue.path.map(String).join('.') || 'all of it');
  const inPart = where === undefined ? '' : ` in ${where}`;
  throw invalid(
    `The kubeconfig does not have the documented form${inPart}: ${plainLine(fields.join(', '), 200)}.`,
  );
}

/** The https address of the API server, without a trailing slash. */
function clusterServer(entry: z.infer<typeof cluster>): string {
  if (entry['insecure-skip-tls-verify']) {
    throw invalid(
      'The kubeconfig switches the check of the server certificate off (insecure-skip-tls-verify).',
      "Set certificate-authority-data to the cluster's authority instead; the check is never switched off.",
    );
  }
  if (entry['proxy-url']) {
    throw invalid(
      'The kubeconfig names a proxy (proxy-url), which is not supported.',
      'Set HTTPS_PROXY in the environment of the step instead.',
    );
  }
  const url = parseUrl(entry.server);
  // Without credentials, and without a query or fragment, since the paths of requests follow. For a
  // text that is not an address, `url` is undefined, and this is false.
  const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(entry.server);
  // The lookbehind keeps many slashes from taking long.
  if (isPlain && url.protocol === 'https:') return url.href.replace(/(?<!\/)\/+$/, '');
  let address = '';
  // Another text is not shown: it may be a credential in the wrong field.
  if (url !== undefined && /^https?:$/.test(url.protocol)) {
    address = ` is ${plainLine(`${url.protocol}//${url.host}`, 200)}, and`;
  }
  throw invalid(
    `The server of the kubeconfig${address} is not an https address without a user name, query and fragment.`,
    'The API server has an https address too: kubectl config set-cluster NAME --server=https://HOST:PORT',
  );
}

/** How the user is identified: the first way that the kubeconfig has. */
async function identityOf(user: User, options: KubeconfigOptions): Promise<KubeIdentity> {
  // The token first, since it needs no file or program of this machine; a program last:
  // https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/#AuthInfo
  if (user.token) return { kind: 'token', token: user.token };
  if (user.tokenFile) {
    requirePermission('tokenFile', options);
    return { kind: 'token-file', path: user.tokenFile };
  }
  const cert = await pem(user, 'client-certificate', options);
  const key = await pem(user, 'client-key', options);
  // One of them without the other identifies no user.
  if (cert !== undefined && key !== undefined) return { kind: 'certificate', cert, key };
  if (user.exec) {
    const plugin = checkForm(user.exec, exec, 'exec of the user');
    const command = plugin.command;
    requirePermission('exec', options);
    // kubectl looks for a relative path in the folder of the kubeconfig. A kubeconfig that is given
    // as text has none, and a step runs in the checkout, where a pull request may put programs.
    const isPath = /[/\\]/.test(command);
    if (isPath && !posix.isAbsolute(command) && !win32.isAbsolute(command)) {
      throw invalid(
        `The kubeconfig names its exec plugin by a relative path (${shown(command)}).`,
        'Give the absolute path of the program, or only its name if it is on the PATH.',
      );
    }
    const env: Record<string, string> = {};
    for (const variable of plugin.env ?? []) env[variable.name] = variable.value;
    return { kind: 'exec', plugin: { ...plugin, args: plugin.args ?? [], env } };
  }
  throw invalid(
    'The user of the kubeconfig has no token, no client certificate and no exec plugin.',
    'Use one of these: a user name and password, and auth-provider, are not supported.',
  );
}

/**
 * The PEM of a certificate or key: from the field `FIELD-data`, else from the file that the field
 * names; undefined: the kubeconfig has neither.
 */
async function pem(
  entry: Readonly<Record<string, unknown>>,
  field: 'certificate-authority' | 'client-certificate' | 'client-key',
  options: KubeconfigOptions,
): Promise<string | undefined> {
  const data = entry[`${field}-data`];
  if (typeof data === 'string' && data !== '') {
    const decoded = Buffer.from(data, 'base64').toString();
    if (decoded.includes('-----BEGIN ')) return decoded;
    throw invalid(`${field}-data of the kubeconfig is not PEM in base64.`);
  }
  const path = entry[field];
  if (typeof path !== 'string' || path === '') return undefined;
  requirePermission(field, options);
  return options.readFile(path);
}

/** Throws `config` unless the kubeconfig may name programs and files. `field` names one. */
function requirePermission(field: string, options: KubeconfigOptions): void {
  if (options.allowExec) return;
  throw invalid(
    `The kubeconfig names a program or a file of this machine (${field}), which is not used without permission.`,
    {
      text: 'A person who can change the kubeconfig could run a program with it. Put tokens and certificates into the kubeconfig itself (kubectl config view --flatten --minify --raw), or, if you trust it:',
      inputs: { 'allow-kube-exec': 'true' },
    },
  );
}

/** A name as messages show it. */
function shown(name: string): string {
  return plainLine(name, 100);
}

const CHECK =
  'Check the kubeconfig: kubectl config view shows what it contains, without secrets, and kubectl config view --flatten --minify --raw prints one to give here.';

function invalid(message: string, hint: string | Hint = CHECK): CourierError {
  return configError(message, hint);
}
