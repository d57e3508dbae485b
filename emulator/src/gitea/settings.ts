/** Who may do what with a token, as Gitea 1.26 decides it. */
export interface GiteaToken {
  readonly login: string;
  /** Such as `write:repository`; `all` has every scope. */
  readonly scopes: readonly string[];
}

interface GiteaSetting {
  readonly value: string;
  readonly description: string;
}

/**
 * A repository (`owner/name`) or an organization, with its secrets and variables. Names are kept in
 * upper case.
 */
export class GiteaPlace {
  readonly secrets = new Map<string, GiteaSetting>();
  readonly variables = new Map<string, GiteaSetting>();
  readonly id: number;
  /** Logins in lower case. */
  readonly owners: ReadonlySet<string>;

  constructor(id: number, owners: readonly string[]) {
    this.id = id;
    this.owners = new Set(owners.map((login) => login.toLowerCase()));
  }
}

const SECRET_BYTES = 65_536;

/** Why Gitea refuses a name and a value; undefined: it accepts them. */
export function refusalOf(
  name: string,
  value: string,
): { readonly status: number; readonly message: string } | undefined {
  if (value === '') return { status: 422, message: '[]: Required' };
  if (Buffer.byteLength(value) > SECRET_BYTES) return { status: 500, message: 'data too long' };
  const isAllowed =
    /^[A-Z_][A-Z0-9_]*$/i.test(name) && !/^GIT(EA|HUB)_/i.test(name) && name.toUpperCase() !== 'CI';
  return isAllowed ? undefined : { status: 400, message: 'invalid variable or secret name' };
}

/** As Gitea stores it: CRLF becomes LF. */
export function variableText(value: string): string {
  return value.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
