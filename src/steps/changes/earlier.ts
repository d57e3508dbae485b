import type { Delivery } from '../../delivery/delivery.ts';
import type { ExportRecord } from '../../delivery/state.ts';
import { assertFailure } from '../../ground/errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import { readPageCount } from '../../job/progress.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import { CheckedLinks } from '../../platform/link.ts';
import type { Deps } from '../../run/context.ts';
import type { EarlierExport } from '../../site/receive.ts';
import type { ChangesFacts } from './changes-summary.ts';

/** What is known of the earlier export when this one starts. */
export interface Earlier {
  /** What this export is compared with; undefined: nothing is compared. */
  readonly with?: EarlierExport | undefined;
  /** The export that is live in the destination; undefined: the state does not say. */
  readonly live?: ExportRecord | undefined;
  /** One sentence: why no live export is known; undefined: `live` is known. */
  readonly whyNoLive?: string | undefined;
  /**
   * The number of pages of the earlier export. `none`: there is no earlier export; undefined: not
   * known.
   */
  readonly pages: () => Promise<number | 'none' | undefined>;
}

/**
 * Finds what this export is compared with. Reads a manifest now, so that a mistake in it fails
 * before anything starts.
 */
export async function findEarlier(
  inputs: ExportInputs,
  deps: Deps<ChangesFacts>,
  api: ExportApi,
  delivery: Delivery | undefined,
): Promise<Earlier> {
  const { compareWith } = inputs;
  const earlier = readLive(api, delivery);
  if (compareWith.kind === 'file') {
    const { assertKnowsBroken, loadManifest } = await import('./changes.ts');
    const manifest = await loadManifest(compareWith.path, inputs.domain, deps.run);
    if (inputs.bundle.verify === 'new') assertKnowsBroken(manifest);
    const found = { with: manifest, live: earlier.live };
    if (manifest.kind === 'pages') return { ...found, pages: async () => manifest.list.pages.size };
    return { ...found, pages: async () => manifest.site.pages.size };
  }
  // Without a comparison of the content, `max-page-drop` still reads the number of pages.
  if (compareWith.kind === 'none') return earlier;
  if (compareWith.kind === 'live') {
    const { fetchPageList } = await import('./live-pages.ts');
    const list = await fetchPageList(inputs, deps);
    if (list === undefined) return earlier;
    return { ...earlier, with: { kind: 'pages', list, decides: false } };
  }
  if (earlier.live === undefined) {
    deps.log.notice(`There is no earlier export to compare with. ${earlier.whyNoLive}`);
    deps.record({ notCompared: earlier.whyNoLive });
    return earlier;
  }
  const jobId = earlier.live.job;
  // The earlier job may have been started for another project, or for the domain.
  const apiOfEarlier = api.ofJob(delivery?.formOf(jobId));
  const links = new CheckedLinks({ ...deps, api: apiOfEarlier, jobId, baseUrl: inputs.baseUrl });
  return { ...earlier, with: { kind: 'job', jobId, links } };
}

/** The export that is live, as far as the state, which is next to the link, can be relied on. */
function readLive(api: ExportApi, delivery: Delivery | undefined): Earlier {
  const unknownPages = async () => undefined;
  if (delivery?.ignored !== undefined)
    return { whyNoLive: `The state is ignored because ${delivery.ignored}.`, pages: unknownPages };
  // Something else has written the link since, so the state no longer says what is live.
  if (delivery?.changed !== undefined) return { whyNoLive: delivery.changed, pages: unknownPages };
  // A destination without an export, such as one that was just added, does not hide those of others.
  const live = delivery?.exports?.find((one) => one.live);
  if (live !== undefined)
    return { live, pages: () => pagesOf(live, api.ofJob(delivery?.formOf(live.job))) };
  // Nothing was exported yet, so checks against an earlier export pass. The words are those of the
  // destination; without one, there is no state.
  const whyNoLive = `${delivery?.withoutExport ?? 'No state names an earlier export'}.`;
  // A destination without a state may still have an export. Whether it keeps a state is certain once
  // the run has tried to write it.
  return { whyNoLive, pages: async () => (delivery?.keepsState === false ? undefined : 'none') };
}

/**
 * The number of pages of the live export: from the state, else as the platform counted them.
 * undefined: neither says it, such as for a job that the platform has forgotten.
 */
async function pagesOf(live: ExportRecord, api: ExportApi): Promise<number | undefined> {
  if (live.pages !== undefined) return live.pages;
  try {
    return readPageCount((await api.poll(live.job)).value.pageCount);
  } catch (error) {
    assertFailure(error);
    return undefined;
  }
}
