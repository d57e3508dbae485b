import type { ExportInputs } from '../../inputs/inputs.ts';
import { linkPolicy } from '../../platform/link.ts';
import type { Deps } from '../../run/context.ts';
import { MAX_MANIFEST_BYTES } from '../../site/compare/compared-site.ts';
import { PAGE_MANIFEST, readPageManifest } from '../../site/compare/page-manifest.ts';
import type { PageList } from '../../site/compare/site-pages.ts';
import { type Fetched, PAST_CACHES, PageFetcher } from '../live/page-check.ts';
import { addressBelow } from '../live/sample.ts';
import type { ChangesFacts } from './changes-summary.ts';

const LONGEST_MS = 30_000;

type Listing = ReturnType<typeof readPageManifest>;

const LISTING = {
  read: readPageManifest,
  accept: 'application/json',
  maxBytes: MAX_MANIFEST_BYTES,
};

/**
 * The pages that the published site lists. undefined, with one line in the log and in the summary:
 * it lists none, or cannot be read; the export is then not compared. Throws `cancelled`, and
 * `config` for an address of a private network.
 */
export async function fetchPageList(
  { bundle, live, baseUrl }: Pick<ExportInputs, 'bundle' | 'live' | 'baseUrl'>,
  deps: Deps<ChangesFacts>,
): Promise<PageList | undefined> {
  const { clock, log } = deps;
  // One of the two is given.
  const siteUrl = bundle.servedAt?.url ?? live?.url ?? '';
  const fetcher = new PageFetcher({
    ...deps,
    ...linkPolicy(baseUrl, bundle.allowPrivateHosts),
    headers: live?.headers ?? {},
    addressSetting: bundle.servedAt && 'served-at',
  });
  const address = addressBelow(siteUrl, PAGE_MANIFEST);
  const endMs = clock.monotonicMs() + LONGEST_MS;
  const fetched = await fetcher.fetch(address, PAST_CACHES, endMs, LISTING);
  if (fetched.kind === 'page' && fetched.page.ok) return fetched.page.list;
  let why = 'No manifest seen: a first deployment, or not readable without a login.';
  if (fetched.status === 404) log.notice(`Not compared. ${why}`);
  else {
    why = `The published site lists no pages: ${problemOf(fetched)}.`;
    log.warning(`Not compared. ${why}`);
  }
  deps.record({ notCompared: why });
  return undefined;
}

/** The end of a sentence. */
function problemOf(fetched: Fetched<Listing>): string {
  if (fetched.kind !== 'page') return fetched.detail;
  if (fetched.isLogin || fetched.page.ok) return 'it answers with a login page';
  return `${PAGE_MANIFEST} ${fetched.page.problem}`;
}
