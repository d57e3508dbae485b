import type { RepositoryEntity, TokenSeed, UserEntity } from './entities.ts';
import type { Instant } from './seeds.ts';

/** What the parts of the store share. */
export interface Ground {
  now(): number;
  nextId(): number;
  user(login: string): UserEntity;
  repository(fullName: string): RepositoryEntity | undefined;
}

export interface Token extends TokenSeed {
  readonly name: string;
  readonly kind: 'workflow' | 'app' | 'pat';
  readonly login: string;
}

export function toEpochMs(instant: Instant | undefined, otherwise: number): number {
  if (instant === undefined) return otherwise;
  const time = typeof instant === 'number' ? instant : Date.parse(instant);
  if (Number.isNaN(time)) throw new Error(`not a time: ${instant}`);
  return time;
}
