import type { DestinationInputs, RollbackInputs } from './inputs.ts';
import { asksForDestinations } from './read-destinations.ts';
import type { InputReader } from './reader.ts';
import * as values from './values.ts';

// The state remembers 20 exports, the live one among them.
const MAX_STEPS = 19;

type Common = Pick<RollbackInputs, 'baseUrl' | 'dryRun'>;

/** What a rollback shares with the other modes that write a link. */
type Link = Omit<RollbackInputs, 'mode' | 'projectId' | 'steps' | 'to' | 'adminApiKey' | keyof Common> & {
  readonly to: DestinationInputs | undefined;
  readonly adminApiKey: string | undefined;
};

export function readRollback(
  reader: InputReader,
  common: Common,
  { to, adminApiKey, ...link }: Link,
): RollbackInputs | undefined {
  const projectId = reader.optional('project-id', values.pathId);
  const steps = reader.required('steps', values.integer({ min: 1, max: MAX_STEPS }));
  if (reader.isGiven('export-job-id')) {
    reader.forbid(['steps'], 'is read only without export-job-id, which names the export to go back to');
  }
  if (!asksForDestinations(reader)) {
    reader.problem('to is missing: it names the destination whose link is rolled back');
  }
  if (adminApiKey === undefined || to === undefined || steps === undefined) return undefined;
  return { mode: 'rollback', ...common, ...link, adminApiKey, to, projectId, steps };
}
