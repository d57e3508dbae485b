import { FaultScript } from '../faults.ts';
import { BranchFiles } from '../files.ts';
import { Commits } from './commits.ts';
import { Conversations } from './conversations.ts';
import { type DeploymentEntity, Deployments } from './deployments.ts';
import type {
  RepositoryEntity,
  RepositorySeed,
  RoleSeed,
  TokenSeed,
  UserEntity,
} from './entities.ts';
import type { Ground, Token } from './ground.ts';
import type { GitHubEmulatorOptions } from './options.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { DeploymentSeed } from './seeds.ts';
import { Settings } from './settings.ts';

// Account and app of the workflow token, with their ids on github.com.
const ACTIONS_BOT: UserEntity = { id: 41898282, login: 'github-actions[bot]', type: 'Bot' };

/** The emulator's state, and the ways in which it changes. */
export class Store implements Ground {
  readonly faults = new FaultScript();
  readonly requests: RecordedRequest[] = [];
  readonly repositories = new Map<string, RepositoryEntity>();
  readonly organizations = new Set<string>();
  readonly settings: Settings;
  readonly conversations: Conversations;
  readonly deployments: Deployments;
  readonly commits = new Commits();
  /** Of default branches. */
  readonly files = new BranchFiles();
  readonly #options: GitHubEmulatorOptions;
  readonly #tokens = new Map<string, Token>();
  readonly #users = new Map<string, UserEntity>();
  #lastId = 1000;

  constructor(options: GitHubEmulatorOptions) {
    this.#options = options;
    this.settings = new Settings(this);
    this.conversations = new Conversations(this);
    this.deployments = new Deployments(this);
    this.#fill();
  }

  now(): number {
    return this.#options.clock?.now() ?? Date.now();
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  token(value: string | undefined): Token | undefined {
    return value === undefined ? undefined : this.#tokens.get(value);
  }

  setToken(value: string, seed: TokenSeed): void {
    const kind = seed.kind ?? 'app';
    const login = seed.login ?? ACTIONS_BOT.login;
    this.#tokens.set(value, { ...seed, kind, name: seed.name ?? kind, login });
    this.user(login);
  }

  addRepository(seed: RepositorySeed): RepositoryEntity {
    const repository = createRepository(seed, this.nextId());
    this.user(repository.owner);
    for (const login of repository.collaborators.keys()) this.user(login);
    this.repositories.set(repository.fullName.toLowerCase(), repository);
    return repository;
  }

  /** Secrets and variables stay, as on GitHub. Pull requests and commits are not moved. */
  renameRepository(from: string, to: string): void {
    const repository = this.repository(from);
    if (!repository) throw new Error(`no repository ${from} in the emulator`);
    const [owner = '', name = ''] = to.split('/');
    this.user(owner);
    this.repositories.delete(from.toLowerCase());
    this.repositories.set(to.toLowerCase(), { ...repository, owner, name, fullName: to });
    this.settings.rename(from, to);
  }

  addDeployment(seed: DeploymentSeed): DeploymentEntity {
    const repository = this.repository(seed.repository);
    if (!repository) throw new Error(`no repository ${seed.repository} in the emulator`);
    return this.deployments.add(repository, {
      createdAt: this.now(),
      sha: seed.sha,
      ref: seed.ref ?? repository.defaultBranch,
      environment: seed.environment ?? 'production',
      creator: this.user(seed.creator),
      isTransient: seed.isTransient ?? false,
      state: seed.state ?? 'success',
    });
  }

  /** Logins and `owner/name` are compared case-insensitively, as on GitHub. */
  repository(fullName: string): RepositoryEntity | undefined {
    return this.repositories.get(fullName.toLowerCase());
  }

  /** undefined if the account does not exist. */
  findUser(login: string): UserEntity | undefined {
    return this.#users.get(login.toLowerCase());
  }

  /** The account with that login, created if it does not exist. */
  user(login: string): UserEntity {
    const key = login.toLowerCase();
    const known = this.#users.get(key);
    if (known) return known;
    const type = this.organizations.has(key)
      ? 'Organization'
      : login.endsWith('[bot]')
        ? 'Bot'
        : 'User';
    const user: UserEntity = { id: this.nextId(), login, type };
    this.#users.set(key, user);
    return user;
  }

  /** Restores the state from the options and removes recorded requests and faults. */
  reset(): void {
    const {
      faults,
      repositories,
      organizations,
      settings,
      conversations,
      deployments,
      commits,
      files,
    } = this;
    const kept = [settings, conversations, deployments, commits, files];
    for (const part of [this.#tokens, this.#users, repositories, organizations, faults, ...kept])
      part.clear();
    this.requests.length = 0;
    this.#fill();
  }

  #fill(): void {
    const { organizations = [], users = [], repositories = [], tokens = {} } = this.#options;
    this.#users.set(ACTIONS_BOT.login, ACTIONS_BOT);
    for (const login of organizations) this.organizations.add(login.toLowerCase());
    for (const user of users) {
      if (typeof user === 'string') this.user(user);
      else this.#users.set(user.login.toLowerCase(), user);
    }
    for (const seed of repositories) this.addRepository(seed);
    for (const [value, seed] of Object.entries(tokens)) this.setToken(value, seed);
  }
}

function createRepository(seed: RepositorySeed, freeId: number): RepositoryEntity {
  const [owner, name, ...rest] = seed.fullName.split('/');
  if (!owner || !name || rest.length > 0) throw new Error(`not owner/name: ${seed.fullName}`);
  const collaborators = Object.entries(seed.collaborators ?? {}).map(
    ([login, role]): [string, RoleSeed] => [
      login.toLowerCase(),
      typeof role === 'string' ? { permission: permissionOf(role), role_name: role } : role,
    ],
  );
  return {
    id: seed.id ?? freeId,
    owner,
    name,
    fullName: seed.fullName,
    private: seed.private ?? true,
    defaultBranch: seed.defaultBranch ?? 'main',
    hasIssues: seed.hasIssues ?? true,
    environments: new Set(seed.environments ?? []),
    collaborators: new Map(collaborators),
    secretLimit: seed.secretLimit ?? 100,
  };
}

/** The older scale: triage counts as read, maintain as write. */
function permissionOf(role: string): RoleSeed['permission'] {
  if (role === 'admin' || role === 'none') return role;
  return role === 'write' || role === 'maintain' ? 'write' : 'read';
}
