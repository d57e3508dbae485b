import { FaultScript } from '../faults.ts';
import { type Conversations, createConversations } from './conversations.ts';
import type { GitHubEmulatorOptions } from './emulator.ts';
import type { RecordedRequest, RepositoryEntity, RepositorySeed, RoleSeed, TokenSeed, UserEntity } from './entities.ts';
import type { Instant } from './seeds.ts';
import { createSettings, type Settings } from './settings.ts';

export interface Token extends TokenSeed {
  readonly name: string;
  readonly kind: 'workflow' | 'app' | 'pat';
  readonly login: string;
}

/** Everything the emulator remembers, and the ways in which it changes. */
export interface Store extends Settings, Conversations {
  readonly faults: FaultScript;
  readonly requests: RecordedRequest[];
  readonly repositories: Map<string, RepositoryEntity>;
  readonly organizations: Set<string>;
  now(): number;
  token(value: string | undefined): Token | undefined;
  setToken(value: string, seed: TokenSeed): void;
  addRepository(seed: RepositorySeed): RepositoryEntity;
  /** Logins and `owner/name` are compared without regard to case, as GitHub does. */
  repository(fullName: string): RepositoryEntity | undefined;
  /** undefined when there is no such account. */
  findUser(login: string): UserEntity | undefined;
  user(login: string): UserEntity;
  reset(): void;
}

/** What the parts of the store share. */
export interface Ground {
  now(): number;
  nextId(): number;
  user(login: string): UserEntity;
  repository(fullName: string): RepositoryEntity | undefined;
}

// Account and app of the workflow token, with the id they have on github.com.
const ACTIONS_BOT: UserEntity = { id: 41898282, login: 'github-actions[bot]', type: 'Bot' };

export async function createStore(options: GitHubEmulatorOptions): Promise<Store> {
  const tokens = new Map<string, Token>();
  const users = new Map<string, UserEntity>();
  const repositories = new Map<string, RepositoryEntity>();
  const organizations = new Set<string>();
  const requests: RecordedRequest[] = [];
  const faults = new FaultScript();
  let lastId = 1000;

  const ground: Ground = {
    now: () => options.clock?.now() ?? Date.now(),
    nextId: () => ++lastId,
    user(login) {
      const key = login.toLowerCase();
      const known = users.get(key);
      if (known) return known;
      const type = organizations.has(key) ? 'Organization' : login.endsWith('[bot]') ? 'Bot' : 'User';
      const user: UserEntity = { id: ++lastId, login, type };
      users.set(key, user);
      return user;
    },
    repository: (fullName) => repositories.get(fullName.toLowerCase()),
  };
  const settings = await createSettings(ground);
  const conversations = createConversations(ground);

  const store: Store = {
    ...ground,
    ...settings,
    ...conversations,
    faults,
    requests,
    repositories,
    organizations,
    token: (value) => (value === undefined ? undefined : tokens.get(value)),
    setToken(value, seed) {
      const kind = seed.kind ?? 'app';
      tokens.set(value, { ...seed, kind, name: seed.name ?? kind, login: seed.login ?? ACTIONS_BOT.login });
      ground.user(seed.login ?? ACTIONS_BOT.login);
    },
    addRepository(seed) {
      const repository = createRepository(seed, ground.nextId());
      ground.user(repository.owner);
      for (const login of repository.collaborators.keys()) ground.user(login);
      repositories.set(repository.fullName.toLowerCase(), repository);
      return repository;
    },
    findUser: (login) => users.get(login.toLowerCase()),
    reset() {
      for (const part of [tokens, users, repositories, organizations]) part.clear();
      requests.length = 0;
      faults.clear();
      settings.clearSettings();
      conversations.clearConversations();
      fill();
    },
  };

  function fill(): void {
    users.set(ACTIONS_BOT.login, ACTIONS_BOT);
    for (const login of options.organizations ?? []) organizations.add(login.toLowerCase());
    for (const user of options.users ?? []) {
      if (typeof user === 'string') ground.user(user);
      else users.set(user.login.toLowerCase(), user);
    }
    for (const seed of options.repositories ?? []) store.addRepository(seed);
    for (const [value, seed] of Object.entries(options.tokens ?? {})) store.setToken(value, seed);
  }
  fill();
  return store;
}

function createRepository(seed: RepositorySeed, freeId: number): RepositoryEntity {
  const [owner, name, ...rest] = seed.fullName.split('/');
  if (!owner || !name || rest.length > 0) throw new Error(`not owner/name: ${seed.fullName}`);
  const collaborators = Object.entries(seed.collaborators ?? {}).map(([login, role]): [string, RoleSeed] => [
    login.toLowerCase(),
    typeof role === 'string' ? { permission: permissionOf(role), role_name: role } : role,
  ]);
  return {
    id: seed.id ?? freeId,
    owner,
    name,
    fullName: seed.fullName,
    private: seed.private ?? true,
    defaultBranch: seed.defaultBranch ?? 'main',
    environments: new Set(seed.environments ?? []),
    collaborators: new Map(collaborators),
    secretLimit: seed.secretLimit ?? 100,
  };
}

/** The older scale, in which triage counts as read and maintain as write. */
function permissionOf(role: string): RoleSeed['permission'] {
  if (role === 'admin' || role === 'none') return role;
  return role === 'write' || role === 'maintain' ? 'write' : 'read';
}

export function toEpochMs(instant: Instant | undefined, otherwise: number): number {
  if (instant === undefined) return otherwise;
  const time = typeof instant === 'number' ? instant : Date.parse(instant);
  if (Number.isNaN(time)) throw new Error(`not a time: ${instant}`);
  return time;
}
