import type { ExportRecord } from '../../delivery/state.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { EarlierExport } from '../../site/receive.ts';
import { type Opening, plannedRequest, type Step } from '../step.ts';
import { recordChanges } from './changes.ts';
import type { ChangesFacts } from './changes-summary.ts';

/**
 * The step that compares the export with an earlier one. `live`: the record of the live export, if
 * the state has one.
 */
export function openChanges(
  { inputs, deps, job }: Opening<ChangesFacts, ExportInputs>,
  earlier: EarlierExport,
  live: ExportRecord | undefined,
): Step {
  return {
    needs: { pages: true, earlier },
    plan() {
      // A manifest is a file: it needs no link.
      if (earlier.kind !== 'job') return [];
      const request = job.api.requests.link(earlier.jobId);
      return [plannedRequest('make a bundle link, to compare with', request, inputs.baseUrl)];
    },
    compared(comparison) {
      const site = { name: inputs.domain ?? inputs.projectId, url: inputs.live?.url };
      return recordChanges(comparison, site, live, deps);
    },
  };
}
