import type { SecureContextOptions } from 'node:tls';
import type { RepositorySeed, TokenSeed, UserEntity } from './entities.ts';

export interface GitHubEmulatorOptions {
  /** Token -> what it may do. Any other token gets 401. */
  readonly tokens?: Readonly<Record<string, TokenSeed>> | undefined;
  readonly repositories?: readonly RepositorySeed[] | undefined;
  /** Logins of organizations: owners of repositories that use organization secrets. */
  readonly organizations?: readonly string[] | undefined;
  /** More accounts besides collaborators and authors; a login that ends in `[bot]` is a bot. */
  readonly users?: readonly (string | UserEntity)[] | undefined;
  readonly clock?: { now(): number } | undefined;
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  /** Receives one line per request. */
  readonly log?: ((line: string) => void) | undefined;
  /** Serves https with this certificate. */
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert'> | undefined;
}
