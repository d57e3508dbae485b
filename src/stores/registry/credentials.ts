import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { findProgram, readTrustedFile } from '../../ground/confined-files.ts';
import { configError, isMissing } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { type Env, runProgram, variableOf, withoutOurSecrets } from '../../ground/programs.ts';
import { parseJson } from '../../ground/text/json.ts';
import type { ImageAddress } from './address.ts';

/** The credentials for a registry. */
export interface RegistryLogin {
  /** undefined: `password` is an identity token, which is exchanged for others. */
  readonly user: string | undefined;
  readonly password: string;
  /** Where the credentials were found, for messages: never the name of the user. */
  readonly source: string;
}

export interface LoginSearch {
  readonly address: ImageAddress;
  readonly env: Env;
  /**
   * Files and programs in this folder are not used: a pull request could have put them there.
   * undefined: on a person's machine, where no folder is excluded.
   */
  readonly workspace: string | undefined;
  /** Knows the secrets of the step: a variable that contains one is kept from helpers. */
  readonly log: Log;
  readonly helperTimeLimitMs?: number;
  /** Where podman keeps logins without XDG_RUNTIME_DIR; tests have another folder. */
  readonly podmanFolder?: string;
}

// https://github.com/docker/cli/blob/master/cli/config/configfile/file.go
const text = z.optional(z.string());
const entry = z.object({
  auth: text,
  username: text,
  password: text,
  identitytoken: text,
});
const configFile = z.object({
  auths: z.nullish(z.record(z.string(), entry)),
  credHelpers: z.nullish(z.record(z.string(), z.string())),
  credsStore: z.nullish(z.string()),
});
// https://github.com/docker/docker-credential-helpers
const helperReply = z.object({ Username: z.string(), Secret: z.string() });
/** What helpers give as the name of the user if the secret is an identity token. */
const IDENTITY_USER = '<token>';

const DOCKER_HUB = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];
/** The name under which docker keeps the login to Docker Hub. */
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';
const HELPER_MS = 30_000;

/**
 * The credentials of a registry as `docker login` and `podman login` leave them. Throws `config` if
 * a file that contains them is not one that can be trusted.
 */
export async function findLogin(search: LoginSearch): Promise<{
  /** undefined: there is none, and requests are anonymous. */
  readonly login: RegistryLogin | undefined;
  /** If there is no login: the files that were read, and why a helper gave none. */
  readonly looked: string;
}> {
  const looked: string[] = [];
  for (const { path, isNamed } of configPaths(search)) {
    const reason = await whyLeftOut(path, isNamed);
    if (reason !== undefined) {
      looked.push(`${path} (${reason})`);
      continue;
    }
    const config = await readDockerConfig(path, search.workspace);
    const helper = valueFor(config.credHelpers, search.address);
    const stored = valueFor(config.auths, search.address);
    const login = readEntry(stored, path);
    // As docker does: a helper for this registry comes first, one for all registries last.
    if (helper === undefined && login !== undefined) return { login, looked: '' };
    looked.push(path);
    // Written by hand.
    if (login === undefined && stored?.auth)
      looked.push('whose auth is not USER:PASSWORD in base64');
    const helperName = helper ?? config.credsStore ?? '';
    if (helperName === '') continue;
    const answer = await askHelper(helperName, path, search);
    if (typeof answer !== 'string') return { login: answer, looked: '' };
    looked.push(answer);
  }
  return { login: undefined, looked: looked.join(', ') };
}

interface ConfigPath {
  readonly path: string;
  /** True if a variable names the file; false: it is at a usual path. */
  readonly isNamed: boolean;
}

/**
 * The files that may contain a login, in the order of
 * https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md, but docker's file
 * comes before podman's usual one.
 */
function configPaths(search: LoginSearch): readonly ConfigPath[] {
  const { REGISTRY_AUTH_FILE, DOCKER_CONFIG, HOME, USERPROFILE } = search.env;
  const { XDG_RUNTIME_DIR, XDG_CONFIG_HOME } = search.env;
  const paths: ConfigPath[] = [];
  if (REGISTRY_AUTH_FILE) paths.push({ path: REGISTRY_AUTH_FILE, isNamed: true });
  const home = HOME || USERPROFILE;
  let dockerFolder = DOCKER_CONFIG;
  if (!dockerFolder && home) dockerFolder = join(home, '.docker');
  if (dockerFolder) {
    const isNamed = Boolean(DOCKER_CONFIG);
    paths.push({ path: join(dockerFolder, 'config.json'), isNamed });
  }
  // Podman's usual folder, which Windows does not have: it has no user ids.
  let podmanFolder = search.podmanFolder;
  if (process.getuid !== undefined) podmanFolder ??= `/run/containers/${process.getuid()}`;
  // Podman uses the folder in this variable instead, if it is set.
  if (XDG_RUNTIME_DIR) podmanFolder = join(XDG_RUNTIME_DIR, 'containers');
  // It reads this one too, and writes it where there is no folder for the session.
  let configFolder = XDG_CONFIG_HOME;
  if (!configFolder && home) configFolder = join(home, '.config');
  for (const folder of [podmanFolder, configFolder && join(configFolder, 'containers')])
    if (folder) paths.push({ path: join(folder, 'auth.json'), isNamed: false });
  return paths;
}

const HINT =
  'Log in before this step, such as with docker login or docker/login-action. The file must not be in the workspace.';

/**
 * Why a file is left out; undefined: it is to be read. A file at a usual path may be unreadable,
 * such as in a folder that a login of root has left. A file that a variable names is read all the
 * same, so that the run fails.
 */
async function whyLeftOut(path: string, isNamed: boolean): Promise<string | undefined> {
  try {
    await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    if (isMissing(error)) return 'it does not exist';
    if (isNamed) return undefined;
    return 'it cannot be read';
  }
}

/** The logins in a file. Throws `config` if it is in the workspace, or is not such a file. */
async function readDockerConfig(
  path: string,
  workspace: string | undefined,
): Promise<z.infer<typeof configFile>> {
  const text = await readTrustedFile({
    path,
    workspace,
    use: 'for the login to the registry',
    hint: HINT,
  });
  const json = parseJson(text);
  const parsed = configFile.safeParse(json);
  if (parsed.success) return parsed.data;
  let why = 'auths, credHelpers or credsStore has another form';
  if (json === undefined) why = 'it is not JSON';
  throw configError(`${path} is not a configuration file of docker: ${why}.`, HINT);
}

/**
 * The value whose key names the repository or its registry; of several, the one with the longest
 * key, which is the most specific. undefined: no key does.
 */
function valueFor<T>(
  values: Readonly<Record<string, T>> | null | undefined,
  address: ImageAddress,
): T | undefined {
  const isHub = DOCKER_HUB.includes(address.registry);
  // A key is the beginning of one of these names, up to a slash: podman has logins for a registry,
  // and for a part of one.
  const imageNames = (isHub ? DOCKER_HUB : [address.registry]).map(
    (host) => `${host}/${address.repository}/`,
  );
  let longestLength = 0;
  let valueOfLongest: T | undefined;
  for (const [key, value] of Object.entries(values ?? {})) {
    // Tools write keys as addresses of the API too, such as `https://index.docker.io/v1/`. The
    // lookbehind keeps many slashes from taking long.
    const keyName = key
      .replace(/^https?:\/\//, '')
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\/v[12]$/, '');
    const isForImage = imageNames.some((name) => name.startsWith(`${keyName}/`));
    if (!isForImage || keyName.length <= longestLength) continue;
    longestLength = keyName.length;
    valueOfLongest = value;
  }
  return valueOfLongest;
}

/** The login in an entry of `auths`; undefined: the entry has none. */
function readEntry(
  stored: z.infer<typeof entry> | undefined,
  source: string,
): RegistryLogin | undefined {
  if (stored === undefined) return undefined;
  if (stored.identitytoken) return { user: undefined, password: stored.identitytoken, source };
  // Some tools end the text with zero bytes.
  const text = Buffer.from(stored.auth ?? '', 'base64')
    .toString('utf8')
    .replace(/(?<!\0)\0+$/, '');
  // `auth` is USER:PASSWORD in base64. The separate fields count if it is absent.
  const [, authUser, authPassword] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const password = authPassword || stored.password;
  // With a credential store, docker leaves an empty entry: the store has the password.
  if (!password) return undefined;
  // Some registries need no name: the password is a token.
  return { user: authUser || (stored.username ?? ''), password, source };
}

/**
 * Asks a credential helper for the login; gives a text, for a message, that says why it has none.
 */
async function askHelper(
  name: string,
  path: string,
  search: LoginSearch,
): Promise<RegistryLogin | string> {
  const program = `docker-credential-${name}`;
  // With a slash, it would be a path, which could lead into the workspace.
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw configError(
      `${path} names a credential helper whose name is not allowed; it has lower-case letters, digits and hyphens.`,
      HINT,
    );
  }
  const registry = search.address.registry;
  const folders = { PATH: variableOf(search.env, 'PATH'), workspace: search.workspace };
  const located = await findProgram(program, folders);
  if (located.program === undefined) {
    return `${program} (it is not in a folder of PATH outside the workspace)`;
  }
  // A helper is a program of others: it gets no variable that contains a secret of this step.
  const env: Record<string, string | undefined> = {};
  for (const [key, value = ''] of Object.entries(withoutOurSecrets(search.env))) {
    const hasSecret = search.log.redact(value) !== value;
    if (!hasSecret) env[key] = value;
  }
  const ended = await runProgram(located.program, {
    args: ['get'],
    // This PATH has no folders of the workspace, for programs that the helper starts.
    env: { ...env, PATH: located.PATH },
    input: DOCKER_HUB.includes(registry) ? DOCKER_HUB_KEY : registry,
    timeLimitMs: search.helperTimeLimitMs ?? HELPER_MS,
    wanted: 'answer',
  });
  if (ended.failure !== undefined) return `${program} (it ${ended.failure})`;
  const reply = helperReply.safeParse(parseJson(ended.output));
  if (!reply.success || reply.data.Secret === '') return `${program} (it gave no credentials)`;
  const user = reply.data.Username;
  return {
    user: user === IDENTITY_USER ? undefined : user,
    password: reply.data.Secret,
    source: program,
  };
}
