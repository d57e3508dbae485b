import { createDecipheriv, createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { startGiteaEmulator } from '../../emulator/src/gitea/emulator.ts';
import type { GiteaAddress } from '../../src/stores/gitea/address.ts';
import { type Disturbance, disturbing } from './fault-front.ts';
import { GITEA_SECRET_KEY, GiteaServer } from './real-servers/gitea.ts';

/**
 * A repository and an organization of a Gitea, real or emulated, and tokens of people around them.
 */
export interface GiteaSite extends AsyncDisposable {
  readonly url: string;
  readonly repository: string;
  readonly organization: string;
  /**
   * `owner` has what the documentation requires: write:repository and write:organization, and is
   * the owner of both.
   */
  readonly tokens: Readonly<Record<'owner' | 'reader' | 'collaborator' | 'stranger', string>>;
  /** The stored secret: no request shows it. */
  secret(address: GiteaAddress): Promise<string | undefined>;
  /** The next PUT takes effect, and its reply is lost; undefined: tests cannot cause that. */
  readonly loseReply?: (() => void) | undefined;
  readonly disturb?: ((fault: Disturbance) => void) | undefined;
  /**
   * The requests so far, below the repository or the organization; undefined: the server does not
   * record them.
   */
  readonly requests?: (() => readonly string[]) | undefined;
  readonly refuse?: (() => void) | undefined;
}

export async function startEmulatedSite(): Promise<GiteaSite> {
  const tokens = {
    owner: 'token-of-ada',
    reader: 'reader-of-ada',
    collaborator: 'token-of-bob',
    stranger: 'token-of-eve',
  };
  const scopes = ['write:repository', 'write:organization'];
  const gitea = await startGiteaEmulator({
    tokens: {
      [tokens.owner]: { login: 'ada', scopes },
      [tokens.reader]: { login: 'ada', scopes: ['read:repository', 'read:organization'] },
      [tokens.collaborator]: { login: 'bob', scopes },
      [tokens.stranger]: { login: 'eve', scopes },
    },
    repositories: { 'ada/app': ['ada'] },
    organizations: { acme: ['ada'] },
  });
  return {
    url: gitea.url,
    repository: 'ada/app',
    organization: 'acme',
    tokens,
    async secret(address) {
      const destination = gitea.place(
        address.scope === 'organization' ? address.organization : address.repository,
      );
      return destination.secrets.get(address.name)?.value;
    },
    requests: () =>
      gitea.requests.map(
        ({ method, path }) =>
          `${method} ${path.replace(/^\/api\/v1\/(?:repos|orgs)\/.*?(?:\/actions\/|$)/, '').replace('DOCS_BUNDLE_URL', 'X')}`,
      ),
    loseReply: () =>
      gitea.inject({
        match: { method: 'PUT', path: /secrets\/(?!GITHUB_)/, times: 5 },
        reset: 'after',
      }),
    disturb: disturbing(gitea),
    refuse: () =>
      gitea.inject({
        match: { method: 'PUT', path: /secrets\/(?!GITHUB_)/ },
        status: 403,
        body: { message: 'no' },
      }),
    [Symbol.asyncDispose]: gitea.close,
  };
}

/** Sites on one real server; each has its own repository and organization. */
export class RealGitea implements AsyncDisposable {
  readonly server: GiteaServer;
  readonly #tokens: GiteaSite['tokens'];
  #count = 0;

  private constructor(server: GiteaServer, tokens: GiteaSite['tokens']) {
    this.server = server;
    this.#tokens = tokens;
  }

  static async start(): Promise<RealGitea> {
    await using parts = new AsyncDisposableStack();
    const server = parts.use(await GiteaServer.start());
    const scopes = 'write:repository,write:organization';
    const tokens = {
      owner: await server.addUser('ada', scopes),
      reader: await server.addToken('ada', 'read:repository,read:organization'),
      collaborator: await server.addUser('bob', scopes),
      stranger: await server.addUser('eve', scopes),
    };
    parts.move();
    return new RealGitea(server, tokens);
  }

  async addSite(): Promise<GiteaSite> {
    this.#count += 1;
    const [name, organization] = [`app-${this.#count}`, `acme-${this.#count}`];
    const { server } = this;
    await server.expect(201, 'POST', '/admin/users/ada/repos', { name, auto_init: true });
    await server.expect(204, 'PUT', `/repos/ada/${name}/collaborators/bob`, {
      permission: 'admin',
    });
    await server.expect(201, 'POST', '/admin/users/ada/orgs', { username: organization });
    return {
      url: server.url,
      repository: `ada/${name}`,
      organization,
      tokens: this.#tokens,
      secret: (address) => this.#secret(address),
      async [Symbol.asyncDispose]() {},
    };
  }

  async #secret(address: GiteaAddress): Promise<string | undefined> {
    using database = new DatabaseSync(this.server.database, { readOnly: true });
    const isOrganization = address.scope === 'organization';
    const table = isOrganization
      ? '(select id from user where lower_name = ?)'
      : "(select id from repository where owner_name || '/' || name = ?)";
    const row = database
      .prepare(
        `select data from secret where ${isOrganization ? 'owner_id' : 'repo_id'} = ${table} and name = ?`,
      )
      .get(isOrganization ? address.organization.toLowerCase() : address.repository, address.name);
    return typeof row?.['data'] === 'string' ? decrypt(row['data']) : undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

// modules/secret/secret.go of Gitea: AES-256 in CFB mode, over base64.
function decrypt(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const key = createHash('sha256').update(GITEA_SECRET_KEY).digest();
  const decipher = createDecipheriv('aes-256-cfb', key, bytes.subarray(0, 16));
  const text = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  return Buffer.from(text.toString(), 'base64').toString();
}
