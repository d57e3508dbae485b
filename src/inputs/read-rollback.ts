import type { DestinationInputs, RollbackInputs } from './inputs.ts';
import { asksForDestinations } from './read-destinations.ts';
import type { InputReader } from './reader.ts';
import * as values from './values.ts';

type Common = Pick<RollbackInputs, 'baseUrl' | 'dryRun'>;

/** What a rollback shares with the other modes that write a link. */
type Link = Omit<RollbackInputs, 'mode' | 'projectId' | 'to' | 'adminApiKey' | keyof Common> & {
  readonly to: DestinationInputs | undefined;
  readonly adminApiKey: string | undefined;
};

export function readRollback(
  reader: InputReader,
  common: Common,
  { to, adminApiKey, ...link }: Link,
): RollbackInputs | undefined {
  const projectId = reader.optional('project-id', values.pathId);
  if (!asksForDestinations(reader)) {
    reader.problem('to is missing: it names the destination whose link is rolled back');
  }
  if (adminApiKey === undefined || to === undefined) return undefined;
  return { mode: 'rollback', ...common, ...link, adminApiKey, to, projectId };
}
