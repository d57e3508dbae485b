import type { DeploymentState, RepositoryEntity, UserEntity } from './entities.ts';
import type { Ground } from './ground.ts';

export interface DeploymentEntity {
  readonly id: number;
  readonly repository: string;
  readonly sha: string;
  readonly ref: string;
  readonly task: string;
  readonly payload: string | Readonly<Record<string, unknown>>;
  readonly environment: string;
  readonly description: string | undefined;
  readonly creator: UserEntity;
  readonly isTransient: boolean;
  readonly isProduction: boolean;
  readonly createdAt: number;
  /** Oldest first. */
  readonly statuses: DeploymentStatusEntity[];
}

export interface DeploymentStatusEntity {
  readonly id: number;
  readonly state: DeploymentState;
  readonly creator: UserEntity;
  readonly description?: string | undefined;
  readonly logUrl?: string | undefined;
  readonly environmentUrl?: string | undefined;
  readonly createdAt: number;
}

type DeploymentInit = Omit<DeploymentEntity, 'id' | 'repository' | 'statuses'>;
type StatusInit = Omit<DeploymentStatusEntity, 'id'>;

interface Filter {
  readonly sha?: string | undefined;
  readonly ref?: string | undefined;
  readonly task?: string | undefined;
  readonly environment?: string | undefined;
}

/** Deployments of all repositories with their statuses, both oldest first. */
export class Deployments {
  readonly all: DeploymentEntity[] = [];
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  find(repository: RepositoryEntity, id: number): DeploymentEntity | undefined {
    return this.#of(repository).find((deployment) => deployment.id === id);
  }

  /** Newest first, as GitHub lists them. */
  list(repository: RepositoryEntity, { sha, ref, task, environment }: Filter): DeploymentEntity[] {
    return this.#of(repository)
      .filter((one) => (sha ?? one.sha) === one.sha && (ref ?? one.ref) === one.ref)
      .filter((one) => (task ?? one.task) === one.task && (environment ?? one.environment) === one.environment)
      .reverse();
  }

  add(repository: RepositoryEntity, init: DeploymentInit): DeploymentEntity {
    const deployment = { ...init, id: this.#ground.nextId(), repository: repository.fullName, statuses: [] };
    this.all.push(deployment);
    if (findEnvironment(repository, init.environment) === undefined) repository.environments.add(init.environment);
    return deployment;
  }

  /** `autoInactive`: a success makes earlier deployments of the environment inactive, unless transient or production, as GitHub documents. */
  addStatus(deployment: DeploymentEntity, init: StatusInit, autoInactive: boolean): DeploymentStatusEntity {
    const status = this.#append(deployment, init);
    if (init.state !== 'success' || !autoInactive) return status;
    for (const one of this.all) {
      const isSame = one.repository === deployment.repository && one.environment === deployment.environment;
      if (!isSame || one.id >= deployment.id || one.isTransient || one.isProduction) continue;
      const { creator, createdAt } = init;
      if (stateOf(one) === 'success') this.#append(one, { state: 'inactive', creator, createdAt });
    }
    return status;
  }

  clear(): void {
    this.all.length = 0;
  }

  #append(deployment: DeploymentEntity, init: StatusInit): DeploymentStatusEntity {
    const status = { ...init, id: this.#ground.nextId() };
    deployment.statuses.push(status);
    return status;
  }

  #of({ fullName }: RepositoryEntity): DeploymentEntity[] {
    return this.all.filter(({ repository }) => repository === fullName);
  }
}

/** Of its last status. */
function stateOf({ statuses }: DeploymentEntity): DeploymentState | undefined {
  return statuses.at(-1)?.state;
}

/** An environment as its repository calls it: names of environments are not case sensitive. */
export function findEnvironment({ environments }: RepositoryEntity, name: string): string | undefined {
  return [...environments].find((one) => one.toLowerCase() === name.toLowerCase());
}
