import type { DeploymentState, RepositoryEntity, UserEntity } from './entities.ts';
import type { Ground } from './ground.ts';

/** The filters of a list of deployments; undefined ones do not filter. */
interface DeploymentFilter {
  readonly sha: string | undefined;
  readonly ref: string | undefined;
  readonly environment: string | undefined;
}

export interface DeploymentEntity {
  readonly id: number;
  readonly repository: string;
  readonly sha: string;
  readonly ref: string;
  readonly environment: string;
  readonly creator: UserEntity;
  readonly isTransient: boolean;
  /** Of its last status. */
  readonly state: DeploymentState;
  readonly createdAt: number;
}

/** Deployments of all repositories, oldest first. */
export class Deployments {
  readonly #all: DeploymentEntity[] = [];
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Newest first, as GitHub lists them. */
  list({ fullName }: RepositoryEntity, wanted: DeploymentFilter): DeploymentEntity[] {
    const fits = (one: DeploymentEntity) =>
      one.repository === fullName &&
      one.sha === (wanted.sha ?? one.sha) &&
      one.ref === (wanted.ref ?? one.ref) &&
      one.environment === (wanted.environment ?? one.environment);
    return this.#all.filter(fits).reverse();
  }

  find({ fullName }: RepositoryEntity, id: number): DeploymentEntity | undefined {
    return this.#all.find((one) => one.repository === fullName && one.id === id);
  }

  add(
    repository: RepositoryEntity,
    init: Omit<DeploymentEntity, 'id' | 'repository'>,
  ): DeploymentEntity {
    const deployment = { ...init, id: this.#ground.nextId(), repository: repository.fullName };
    this.#all.push(deployment);
    if (findEnvironment(repository, init.environment) === undefined)
      repository.environments.add(init.environment);
    return deployment;
  }

  clear(): void {
    this.#all.length = 0;
  }
}

/** An environment as its repository calls it: names of environments are not case sensitive. */
export function findEnvironment(
  { environments }: RepositoryEntity,
  name: string,
): string | undefined {
  return [...environments].find((one) => one.toLowerCase() === name.toLowerCase());
}
