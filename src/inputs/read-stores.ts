import { delimiter, isAbsolute, join } from 'node:path';
import type { KubernetesAddress, PlainAddress } from '../stores/address.ts';
import type { KubernetesInputs, StoreCredentials, VaultAuthInputs, VaultInputs } from '../stores/credentials.ts';
import type { InputName } from '../values/catalog.ts';
import type { InputReader, ReadDestination, Variable } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { attempt, type Parser, reject } from '../values/values.ts';

// What stores outside of a forge are given: inputs, and below them the variables that the tools of each field read. An input
// that no address of `to` needs is an error: nothing would read it.

interface Given {
  readonly reader: InputReader;
  readonly env: NonNullable<ReadDestination['run']>['env'];
  /** On a person's machine. */
  readonly isLaptop: boolean;
}

export function readStores(
  reader: InputReader,
  addresses: readonly PlainAddress[],
  { run }: ReadDestination,
): Pick<StoreCredentials, 'kubernetes' | 'vault' | 'aws'> {
  const given = { reader, env: run?.env ?? {}, isLaptop: run?.kind === 'local' };
  const has = (...schemes: readonly PlainAddress['scheme'][]) =>
    addresses.some(({ scheme }) => schemes.includes(scheme));
  const [isVault, isAws] = [has('vault'), has('aws-sm', 'aws-ssm')];
  if (!isVault) reader.forbid(VAULT, 'is read only together with a vault: address in to');
  if (!isAws) reader.forbid(['aws-role'], 'is read only together with an aws-sm: or aws-ssm: address in to');
  const method = isVault ? vaultMethod(given) : undefined;
  // Where the method is missing, only that is reported.
  const isJwt = isVault && (method === 'jwt' || method === undefined);
  const isRole = isAws && takesRole(given);
  const audiences = readAudiences(reader, [...(isJwt ? ['vault' as const] : []), ...(isRole ? ['aws' as const] : [])]);
  const arn = isRole ? readSetting(given, ['aws-role', 'AWS_ROLE_ARN'], awsRole) : undefined;
  return {
    kubernetes: readKubernetes(given, addresses),
    vault: isVault ? readVault(given, method, audiences.vault) : undefined,
    aws: isAws ? { role: arn === undefined ? undefined : { arn, audience: audiences.aws ?? AWS_AUDIENCE } } : undefined,
  };
}

/** The input, else the variable. */
function readSetting<T>(given: Given, names: readonly [InputName, Variable], parser: Parser<T>): T | undefined {
  const [input, variable] = names;
  return given.reader.isGiven(input) ? given.reader.optional(input, parser) : readVariable(given, variable, parser);
}

/** A wrong value is a problem, and is not shown: some of these variables hold a secret. */
function readVariable<T>({ reader, env }: Given, name: Variable, parser: Parser<T>): T | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const parsed = attempt(parser, text);
  if (parsed.ok) return parsed.value;
  reader.problem(name, `the variable ${name} is not allowed; it must be ${parsed.allowed}`);
  return undefined;
}

/** The text of a kubeconfig, or the absolute path of one. What it holds is checked where it is used. */
const kubeconfig: Parser<string> = (value) => {
  const isText = value.includes('\n') || value.startsWith('{');
  if (isText || (isAbsolute(value) && !value.includes('\0'))) return value;
  const isBase64 = /clusters|apiVersion/.test(Buffer.from(value, 'base64').toString('latin1'));
  const wanted = 'the text of a kubeconfig, or the absolute path of one';
  return reject(isBase64 ? `${wanted}; this is one in base64: decode it, as base64 -d does` : wanted);
};

const kubeconfigPath: Parser<string> = (value) =>
  isAbsolute(value) && value.split(delimiter).filter((path) => path !== '').length === 1
    ? value
    : reject('the absolute path of one file; kubectl config view --flatten --raw joins several');

function readKubernetes(given: Given, addresses: readonly PlainAddress[]): KubernetesInputs | undefined {
  const { reader, env, isLaptop } = given;
  const own = addresses.filter((address): address is KubernetesAddress => address.scheme === 'k8s');
  if (own.length === 0 && !/^k8s:/m.test(reader.text('rollout'))) {
    reader.forbid(['kubeconfig', 'allow-kube-exec'], 'is read only together with a k8s: address in to or rollout');
    return undefined;
  }
  const [context, ...others] = new Set(own.map((address) => address.context));
  if (others.length > 0) {
    reader.problem('to', 'to has k8s: addresses with different values of ?context=; one step writes to one cluster');
  }
  const isPod = !reader.isGiven('kubeconfig') && !env['KUBECONFIG'] && Boolean(env['KUBERNETES_SERVICE_HOST']);
  if (isPod) {
    reader.forbid(['allow-kube-exec'], 'is read only together with kubeconfig');
    if (context !== undefined) reader.problem('to', '?context= in to is read only together with kubeconfig');
  }
  const source = reader.isGiven('kubeconfig')
    ? reader.optional('kubeconfig', kubeconfig)
    : readVariable(given, 'KUBECONFIG', kubeconfigPath);
  const home = isLaptop && !isPod ? env['HOME'] || env['USERPROFILE'] : undefined;
  return {
    kubeconfig: source ?? (home && join(home, '.kube', 'config')),
    context,
    allowExec: reader.required('allow-kube-exec', values.boolean) ?? false,
  };
}

const AWS_AUDIENCE = 'sts.amazonaws.com';

const awsRole = values.matching(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/,
  'the ARN of a role, such as arn:aws:iam::123456789012:role/docs-courier',
);

/** Keys in the environment come before a role in it, as in AWS's SDKs, and a token file has its own role. */
function takesRole({ reader, env }: Given): boolean {
  const hasKeys = env['AWS_ACCESS_KEY_ID'] || env['AWS_WEB_IDENTITY_TOKEN_FILE'];
  return reader.isGiven('aws-role') || (Boolean(env['AWS_ROLE_ARN']) && !hasKeys);
}

const VAULT = ['vault-address', 'vault-role', 'vault-token'] as const satisfies readonly InputName[];

const vaultAddress = values.serverAddress('https://vault.example.com:8200', /\/(v1|ui)(\/.*)?$/s);

/** The path of a namespace of Vault, which goes into a header. */
const vaultNamespace = values.matching(/^[!-~]{1,255}$/, 'the path of a namespace, such as admin/docs');

/** Certificates as PEM, and nothing else. */
const certificates: Parser<string> = (value) => {
  const rest = value.replace(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g, '');
  return rest.trim() === '' && rest !== value
    ? value
    : reject('one or more certificates as PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----');
};

const path: Parser<string> = (value) => (isAbsolute(value) ? value : reject('the absolute path of a file'));

function readVault(given: Given, method: VaultMethod, audience: string | undefined): VaultInputs | undefined {
  const { reader, env } = given;
  const address =
    reader.isGiven('vault-address') || !env['VAULT_ADDR']
      ? reader.required('vault-address', vaultAddress, ': it names the server of the vault: addresses')
      : readVariable(given, 'VAULT_ADDR', vaultAddress);
  if (!/^(0|f|false)?$/i.test(env['VAULT_SKIP_VERIFY']?.trim() ?? '')) {
    reader.problem(
      'VAULT_SKIP_VERIFY',
      'the variable VAULT_SKIP_VERIFY is not allowed: the check of the certificate is never switched off; give the authority of Vault in VAULT_CACERT or VAULT_CACERT_BYTES',
    );
  }
  const auth = readVaultAuth(given, method, audience ?? address);
  const namespace = readVariable(given, 'VAULT_NAMESPACE', vaultNamespace);
  const file = readVariable(given, 'VAULT_CACERT', path);
  const pem = readVariable(given, 'VAULT_CACERT_BYTES', certificates);
  if (address === undefined || auth === undefined) return undefined;
  const givenPem = pem === undefined ? undefined : { pem };
  return { address, auth, namespace, ca: file === undefined ? givenPem : { path: file } };
}

type VaultMethod = VaultAuthInputs['kind'] | undefined;

/** Inputs come before variables. */
function vaultMethod({ reader, env }: Given): VaultMethod {
  if (reader.isGiven('vault-token')) return 'token';
  if (reader.isGiven('vault-role')) return APPROLE.test(reader.text('vault-role')) ? 'approle' : 'jwt';
  if (env['VAULT_TOKEN']) return 'token';
  return env['VAULT_ROLE_ID'] || env['VAULT_SECRET_ID'] ? 'approle' : undefined;
}

const MOUNT = /(?!\.{1,2}(?:\/|$))[\w.~-]{1,128}(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,128}){0,5}/.source;
const APPROLE = new RegExp(`^auth/(${MOUNT})/login$`);
const JWT = new RegExp(`^(?:auth/(${MOUNT})/role/)?([^/\\s]{1,255})$`);

/** Without a name: an AppRole, whose id is in a variable. */
const vaultRole: Parser<{ readonly mount: string; readonly name?: string }> = (value) => {
  const [, approle] = APPROLE.exec(value) ?? [];
  if (approle !== undefined) return { mount: approle };
  const [, mount = 'jwt', name] = JWT.exec(value) ?? [];
  if (name !== undefined) return { mount, name };
  return reject('the name of a role, its path auth/MOUNT/role/NAME, or auth/MOUNT/login for an AppRole');
};

function readVaultAuth(given: Given, method: VaultMethod, audience: string | undefined): VaultAuthInputs | undefined {
  const { reader } = given;
  if (method === 'token') {
    const source = reader.isGiven('vault-token') ? 'vault-token' : 'VAULT_TOKEN';
    reader.forbid(['vault-role'], 'does not fit vault-token; give one of them');
    const token = readSetting(given, ['vault-token', 'VAULT_TOKEN'], values.vaultToken);
    return token === undefined ? undefined : { kind: 'token', token, source };
  }
  if (method === undefined) {
    const role = given.isLaptop
      ? ''
      : 'give vault-role, with which the run logs in by its id token, or vault-token; or ';
    reader.problem(
      'vault-token',
      `No Vault credentials: ${role}set VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID`,
      {
        text: 'Give one of them, such as:',
        inputs: { 'vault-token': '' },
      },
    );
    return undefined;
  }
  const role = reader.optional('vault-role', vaultRole);
  if (method === 'approle') return readAppRole(given, role?.mount ?? 'approle');
  if (role?.name === undefined || audience === undefined) return undefined;
  return { kind: 'jwt', path: role.mount, role: role.name, audience };
}

function readAppRole(given: Given, mount: string): VaultAuthInputs | undefined {
  for (const name of ['VAULT_ROLE_ID', 'VAULT_SECRET_ID'] as const) {
    if (given.env[name]) continue;
    given.reader.problem(name, `the variable ${name} is empty: an AppRole needs VAULT_ROLE_ID and VAULT_SECRET_ID`);
  }
  const roleId = readVariable(given, 'VAULT_ROLE_ID', values.line);
  const secretId = readVariable(given, 'VAULT_SECRET_ID', values.vaultToken);
  return roleId === undefined || secretId === undefined
    ? undefined
    : { kind: 'approle', path: mount, roleId, secretId };
}

type Audiences = Readonly<Partial<Record<'vault' | 'aws', string>>>;

/** The audience of the id token for each kind of login in `used`, which take one. */
function readAudiences(reader: InputReader, used: readonly ('vault' | 'aws')[]): Audiences {
  const given = reader.optional('id-token-audience', audienceLines);
  if (given === undefined) return {};
  if (typeof given === 'string') {
    if (used.length > 1) {
      reader.problem(
        'id-token-audience',
        'id-token-audience has one value, and the run logs in to vault and to aws; write "vault: …" and "aws: …", one a line',
      );
    }
    const unused = 'is read only where the run logs in with its id token: by vault-role or aws-role';
    if (used.length === 0) reader.forbid(['id-token-audience'], unused);
    return Object.fromEntries(used.map((kind) => [kind, given]));
  }
  const unread = Object.keys(given).find((kind) => !used.some((one) => one === kind));
  if (unread !== undefined) {
    reader.problem(
      'id-token-audience',
      `id-token-audience has a line for ${unread}, where this run does not log in with its id token`,
    );
  }
  return given;
}

const audienceLines: Parser<string | Audiences> = (value) => {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  const pairs = lines.filter((line) => line !== '').map((line) => /^(vault|aws):\s+?(\S.*)$/.exec(line) ?? [line]);
  const [[first = '', kind] = []] = pairs;
  if (pairs.length === 1 && kind === undefined) return values.line(first);
  const found = Object.fromEntries(pairs.map(([, name = '', audience = '']) => [name, audience]));
  const isWhole = pairs.every((pair) => pair.length > 1) && Object.keys(found).length === pairs.length;
  return isWhole ? found : reject('one audience, or the lines "vault: …" and "aws: …"');
};
