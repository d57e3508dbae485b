import type { EarlierExport } from '../../bundle/receive.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import { CheckedLinks } from '../../platform/link.ts';
import type { Deps } from '../../run/context.ts';
import { apiOfJob } from '../job.ts';
import type { Delivery } from '../state/delivery.ts';
import { liveExport } from '../state/history.ts';
import type { ExportRecord } from '../state/state.ts';
import type { ChangesFacts } from './changes-summary.ts';

/** What is known of the export before this one, when this one starts. */
export interface Earlier {
  /** To compare with; undefined: nothing is compared. */
  readonly with: EarlierExport | undefined;
  /** The export that is live in the destination, as far as the state knows it. */
  readonly live: ExportRecord | undefined;
  /** One sentence: why there is nothing to compare with. */
  readonly none: string | undefined;
  /** There may be one, and the state does not say which: what depends on it cannot be checked. */
  readonly isUnknown: boolean;
}

/**
 * Finds what this export is compared with. Reads a manifest now, so that a wrong one fails before
 * anything starts.
 */
export async function findEarlier(
  inputs: ExportInputs,
  deps: Deps<ChangesFacts>,
  api: ExportApi,
  delivery: Delivery | undefined,
): Promise<Earlier> {
  const { compareWith } = inputs;
  const found = findLive(delivery);
  if (compareWith.kind === 'file') {
    const { loadManifest } = await import('./changes.ts');
    const site = await loadManifest(compareWith.path, inputs.domain, deps.run);
    return { with: { kind: 'files', site }, live: found.live, none: undefined, isUnknown: false };
  }
  if (compareWith.kind === 'none') return { ...found, with: undefined };
  if (found.live === undefined) {
    deps.log.notice(`There is no earlier export to compare with. ${found.none ?? ''}`);
    deps.record({ notCompared: found.none });
    return { ...found, with: undefined };
  }
  const jobId = found.live.job;
  const own = apiOfJob(api, jobId, delivery);
  const links = new CheckedLinks({ ...deps, api: own, jobId, baseUrl: inputs.baseUrl });
  return { ...found, with: { kind: 'job', jobId, links } };
}

function findLive(delivery: Delivery | undefined): Omit<Earlier, 'with'> {
  if (delivery?.ignored !== undefined) {
    const none = `The state is ignored because ${delivery.ignored}.`;
    return { live: undefined, none, isUnknown: true };
  }
  if (delivery?.changed !== undefined)
    return { live: undefined, none: delivery.changed, isUnknown: true };
  const live = delivery?.state && liveExport(delivery.state);
  if (live !== undefined) return { live, none: undefined, isUnknown: false };
  const none = `${delivery?.withoutExport ?? 'No state names an earlier export'}.`;
  return { live, none, isUnknown: false };
}
