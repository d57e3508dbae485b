import { type CourierError, courierError } from '../../ground/errors.ts';
import { type WorkloadState, workloadName } from './cluster.ts';

/** What to do about another writer of a pod template. */
export const OTHER_WRITER =
  'It may be a run for a newer export: let only one run at a time write a destination, with a concurrency group. Or it may be a GitOps controller that owns the annotations of the pod template: let it ignore those that begin with docs-courier/.';

/** The error of a template that no longer names the export of this run. */
export function overwrittenError(state: WorkloadState): CourierError {
  return courierError(
    'conflict',
    `Another writer has changed the pod template of ${workloadName(state)}: it no longer names the export of this run.`,
    OTHER_WRITER,
  );
}
