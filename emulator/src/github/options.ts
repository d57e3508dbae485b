import type { SecureContextOptions } from 'node:tls';
import type { RepositorySeed, TokenSeed, UserEntity } from './entities.ts';

export interface GitHubEmulatorOptions {
  /** Token -> what it may do. A token that is not in here gets 401. */
  readonly tokens?: Readonly<Record<string, TokenSeed>> | undefined;
  readonly repositories?: readonly RepositorySeed[] | undefined;
  /** Logins of organizations: owners of repositories that take organization secrets. */
  readonly organizations?: readonly string[] | undefined;
  /** Accounts beyond those named as collaborators or authors; a login that ends in `[bot]` is a Bot. */
  readonly users?: readonly (string | UserEntity)[] | undefined;
  readonly clock?: { now(): number } | undefined;
  /** 0 or nothing: any free port. */
  readonly port?: number | undefined;
  /** One line a request. */
  readonly log?: ((line: string) => void) | undefined;
  /** Serves https with this certificate. */
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert'> | undefined;
}
