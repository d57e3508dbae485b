import { isAbsolute } from 'node:path';
import { type Given, readSetting, readVariable } from '../../values/settings.ts';
import * as values from '../../values/values.ts';
import { type Parser, reject } from '../../values/values.ts';

export interface VaultInputs {
  /** `https://vault.example.com:8200`, without a trailing slash. */
  readonly address: string;
  readonly auth: VaultAuthInputs;
  readonly namespace: string | undefined;
  /**
   * The certificate of the authority that signed the server's certificate: as PEM, or the path of a
   * file outside the workspace.
   */
  readonly ca: { readonly pem: string } | { readonly path: string } | undefined;
}

export type VaultAuthInputs =
  /** `path`: where the auth method is mounted, below `auth/`. */
  | {
      readonly kind: 'jwt';
      readonly path: string;
      readonly role: string;
      readonly audience: string;
    }
  | {
      readonly kind: 'approle';
      readonly path: string;
      readonly roleId: string;
      readonly secretId: string;
    }
  /** `source`: the input or the variable that has it. */
  | { readonly kind: 'token'; readonly token: string; readonly source: string };

const vaultAddress = values.serverAddress('https://vault.example.com:8200', /\/(v1|ui)(\/.*)?$/s);

/** At least four characters: a Vault for development has the token `root`. */
const vaultToken = values.token(4);

/** The path of a namespace of Vault, which goes into a header. */
const vaultNamespace = values.matching(
  /^[!-~]{1,255}$/,
  'the path of a namespace, such as admin/docs',
);

/** Certificates as PEM, and nothing else. */
const certificates = values.textThat((value) => {
  const rest = value.replace(
    /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g,
    '',
  );
  const hasCertificate = rest !== value;
  return hasCertificate && rest.trim() === '';
}, 'one or more certificates as PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----');

const path = values.textThat(isAbsolute, 'the absolute path of a file');

/**
 * True if the run logs in with its id token. Also if no login is given: then only that is reported,
 * and not that `id-token-audience` is unused.
 */
export function takesIdToken(given: Given): boolean {
  const method = vaultMethod(given);
  return method === 'jwt' || method === undefined;
}

/**
 * What the inputs and variables say about Vault; undefined: something is missing or wrong, which
 * the reader reports. `audience` is that of the id token, if an input names it.
 */
export function readVault(given: Given, audience: string | undefined): VaultInputs | undefined {
  const { reader, env } = given;
  const address = readAddress(given);
  // The texts that Vault's own client reads as false.
  const keepsCheck = /^(0|f|false)?$/i.test(env['VAULT_SKIP_VERIFY']?.trim() ?? '');
  if (!keepsCheck) {
    reader.problem(
      'VAULT_SKIP_VERIFY',
      'the variable VAULT_SKIP_VERIFY is not allowed: the check of the certificate is never switched off; give the authority of Vault in VAULT_CACERT or VAULT_CACERT_BYTES',
    );
  }
  // An id token is for the address of the server, unless an input names another audience.
  const auth = readVaultAuth(given, audience ?? address);
  const namespace = readVariable(given, 'VAULT_NAMESPACE', vaultNamespace);
  const file = readVariable(given, 'VAULT_CACERT', path);
  const pem = readVariable(given, 'VAULT_CACERT_BYTES', certificates);
  if (address === undefined || auth === undefined) return undefined;
  // As in Vault's own client, the file counts if both are given.
  let ca: VaultInputs['ca'];
  if (pem !== undefined) ca = { pem };
  if (file !== undefined) ca = { path: file };
  return { address, auth, namespace, ca };
}

/** The address of the server: the input comes before the variable. */
function readAddress(given: Given): string | undefined {
  if (given.env['VAULT_ADDR'] && !given.reader.isGiven('vault-address')) {
    return readVariable(given, 'VAULT_ADDR', vaultAddress);
  }
  const why = ': it names the server of the vault: addresses';
  return given.reader.required('vault-address', vaultAddress, why);
}

/** How the run logs in: inputs come before variables. undefined: none of them is given. */
function vaultMethod(given: Given): VaultAuthInputs['kind'] | undefined {
  const { reader, env } = given;
  if (reader.isGiven('vault-token')) return 'token';
  // auth/MOUNT/login: the path where Vault takes the two ids of an AppRole.
  if (APPROLE.test(reader.text('vault-role'))) return 'approle';
  if (reader.isGiven('vault-role')) return 'jwt';
  if (env['VAULT_TOKEN']) return 'token';
  if (env['VAULT_ROLE_ID'] || env['VAULT_SECRET_ID']) return 'approle';
  return undefined;
}

// One to six names with slashes between them, none of which is `.` or `..`.
const MOUNT = /(?!\.{1,2}(?:\/|$))[\w.~-]{1,128}(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,128}){0,5}/
  .source;
const APPROLE = new RegExp(`^auth/(${MOUNT})/login$`);
const JWT = new RegExp(`^(?:auth/(${MOUNT})/role/)?([^/\\s]{1,255})$`);

/** Where the role is mounted, and its name. An AppRole has no name: a variable has its id. */
const vaultRole: Parser<{ readonly mount: string; readonly name?: string }> = (value) => {
  const approle = APPROLE.exec(value)?.[1];
  if (approle !== undefined) return { mount: approle };
  // Where Vault mounts the method if nothing else is said.
  const [, mount = 'jwt', name] = JWT.exec(value) ?? [];
  if (name !== undefined) return { mount, name };
  return reject(
    'the name of a role, its path auth/MOUNT/role/NAME, or auth/MOUNT/login for an AppRole',
  );
};

/**
 * How the run identifies itself to Vault, with what that needs; undefined: something is missing or
 * wrong, which the reader reports. `audience`: that of an id token.
 */
function readVaultAuth(given: Given, audience: string | undefined): VaultAuthInputs | undefined {
  const { reader } = given;
  const method = vaultMethod(given);
  if (method === 'token') {
    const source = reader.isGiven('vault-token') ? 'vault-token' : 'VAULT_TOKEN';
    reader.forbid(['vault-role'], 'does not fit vault-token; give one of them');
    const token = readSetting(given, ['vault-token', 'VAULT_TOKEN'], vaultToken);
    if (token === undefined) return undefined;
    return { kind: 'token', token, source };
  }
  if (method === undefined) {
    // A person's machine has no id token.
    const roleAdvice = given.isLaptop
      ? ''
      : 'give vault-role, with which the run logs in by its id token, or vault-token; or ';
    const message = `No Vault credentials: ${roleAdvice}set VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID`;
    const hint = { text: 'Give one of them, such as:', inputs: { 'vault-token': '' } };
    reader.problem('vault-token', message, hint);
    return undefined;
  }
  const role = reader.optional('vault-role', vaultRole);
  // Without the input, only the two variables show that it is an AppRole: it is then at Vault's
  // default mount.
  if (method === 'approle') return readAppRole(given, role?.mount ?? 'approle');
  // The reader has reported a wrong role, or a wrong address of the server, which is the audience.
  if (role?.name === undefined || audience === undefined) return undefined;
  return { kind: 'jwt', path: role.mount, role: role.name, audience };
}

/** The ids of an AppRole, which are in variables only; undefined: one is missing or wrong. */
function readAppRole(given: Given, mount: string): VaultAuthInputs | undefined {
  for (const name of ['VAULT_ROLE_ID', 'VAULT_SECRET_ID'] as const) {
    if (given.env[name]) continue;
    given.reader.problem(
      name,
      `the variable ${name} is empty: an AppRole needs VAULT_ROLE_ID and VAULT_SECRET_ID`,
    );
  }
  const roleId = readVariable(given, 'VAULT_ROLE_ID', values.line);
  const secretId = readVariable(given, 'VAULT_SECRET_ID', vaultToken);
  if (roleId === undefined || secretId === undefined) return undefined;
  return { kind: 'approle', path: mount, roleId, secretId };
}
