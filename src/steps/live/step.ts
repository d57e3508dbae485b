import { countOf, formatDuration } from '../../ground/text/amounts.ts';
import type { ExportInputs, LiveInputs } from '../../inputs/inputs.ts';
import { linkPolicy } from '../../platform/link.ts';
import type { Write } from '../../run/report.ts';
import type { Comparison } from '../../site/compare/comparison.ts';
import { findEntryPage, readSitePage } from '../../site/pages.ts';
import type { Inspected } from '../../site/receive.ts';
import { RULES_FILE } from '../../site/redirects/rules.ts';
import type { BundleNeeds, DeliveredExport, Found, Step, StepDeps } from '../step.ts';
import { isEmptyText } from './compare.ts';
import { AS_READERS, type Fetched, PAST_CACHES, PageCheck, PageFetcher } from './page-check.ts';
import { addressBelow, addressesOf, chooseSample } from './sample.ts';
import { addressesInSitemap, addressesOfRules } from './sitemap.ts';
import { describeStamp, fetchStamp, isReached, type SeenStamp, stampAddress } from './stamp.ts';
import {
  type LiveFacts,
  notJudgedText,
  notLiveError,
  SAME_BEFORE,
  SINCE,
  stampSentence,
} from './summary.ts';

const AT_ONCE = 4;
const SHORTEST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
const REPORT_EVERY_MS = 60_000;
/** For requests before the delivery, which must not wait for a site that is down. */
const BEFORE_DELIVERY_MS = 10_000;
/** For the only round of `live-timeout: 0s`. */
const ONLY_ROUND_MS = 10_000;
/** Left for the last round of a longer wait. */
const LAST_ROUND_MS = 10_000;

/**
 * How many pages are compared if the stamp of the site has the fingerprint of this export. Some are
 * compared even then: a person who can change the site can change its stamp.
 */
const STAMPED_PAGES = 3;

/** At most this many addresses of the sitemap, and of rules, are fetched. */
const TRIED_ADDRESSES = 5;

/**
 * The most characters of all pages together: their texts stay in memory during the wait. Twenty
 * usual pages have a twentieth of this.
 */
const MOST_CHARS = 8 * 1024 * 1024;

type SiteInputs = Pick<ExportInputs, 'baseUrl' | 'bundle' | 'add'> & {
  /** What links of the site begin with, such as `/docs`; a refresh or a rollback does not know it. */
  readonly basePath?: string | undefined;
  readonly mode?: string | undefined;
  readonly from?: string | undefined;
};

type Delivered = Pick<DeliveredExport, 'deliveredMs' | 'contentCommit'> &
  Partial<Pick<DeliveredExport, 'delivery' | 'image'>>;

/** What is read of the bundle. */
type ReadSite = Pick<Inspected, 'site' | 'comparison'>;

/** Waits until readers of the published site get what was exported. */
export class LiveCheck implements Step {
  /** The sample is chosen from its pages. */
  readonly needs: BundleNeeds = { pages: true };
  #isLive = false;
  readonly #live: LiveInputs;
  readonly #deps: StepDeps<{ live: LiveFacts }>;
  readonly #fetcher: PageFetcher;
  /** The sample: the pages that are compared. */
  #allPages: readonly PageCheck[] = [];
  /** How many pages of the sample have no text to compare. */
  #notJudged = 0;
  /** The addresses of compared pages in the sitemap of the export. */
  #sitemap: readonly URL[] = [];
  /** Addresses that a rule of `_redirects` answers. */
  #redirected: readonly URL[] = [];
  /** Those that are enough if the stamp of the site has the fingerprint of this export. */
  #fewPages: readonly PageCheck[] = [];
  /** The pages of the last round: all or few. */
  #roundPages: readonly PageCheck[] = [];
  /** The fingerprint of the export; undefined: the site is not asked for its stamp. */
  #fingerprint: string | undefined;
  #stampUrl: URL;
  /** The stamp that the site showed last. */
  #seenStamp: SeenStamp | undefined;
  readonly #basePath: string | undefined;
  readonly #inputs: SiteInputs;
  /** True if the site showed the export before the delivery. */
  #sameBefore = false;
  /** How often pages were fetched: one round may fetch them twice. */
  #rounds = 0;

  /** Sends nothing yet. */
  constructor(inputs: SiteInputs, live: LiveInputs, deps: StepDeps<{ live: LiveFacts }>) {
    this.#live = live;
    this.#deps = deps;
    // By the input, or because the platform itself is inside the network.
    const policy = linkPolicy(inputs.baseUrl, inputs.bundle.allowPrivateHosts);
    this.#fetcher = new PageFetcher({ ...deps, ...policy, headers: live.headers });
    this.#inputs = inputs;
    // Of a copy, the address decides.
    this.#basePath = inputs.bundle.servedAt?.path || inputs.basePath;
    this.#stampUrl = stampAddress(live.url);
  }

  plan(): Write[] {
    return [{ action: 'fetch pages, to compare them with the export', target: this.#live.url }];
  }

  /** Fetches the start page once. Throws `config` for an address of a private network. */
  tryStartPage(): Promise<Fetched> {
    const startPage = addressBelow(this.#live.url, '');
    return this.#fetcher.page(startPage, PAST_CACHES, this.#endBeforeDeliveryMs);
  }

  /**
   * Tries the site before anything starts. Without a page it only warns: after the delivery there
   * may be one.
   */
  async preflight(): Promise<void> {
    const fetched = await this.tryStartPage();
    if (fetched.kind === 'page') return;
    this.#deps.log.warning(`live-url: ${this.#live.url} shows no page yet: ${fetched.detail}.`);
  }

  /** Chooses the sample from the exported site, and checks whether the site shows all of it already. */
  async inspect({ bundle }: { readonly bundle: ReadSite | undefined }): Promise<Found> {
    const root = bundle?.site.root;
    // It needs the pages, so the bundle is unpacked.
    if (bundle === undefined || root === undefined) return {};
    const { site, comparison } = bundle;
    const entryPage = findEntryPage(site.paths, this.#basePath);
    const changed = comparison && reachableChanges(comparison);
    this.#choosePages(root, chooseSample(site.paths, entryPage, changed));
    if (this.#allPages.length === 0) return {};
    const exported = { root, files: site.paths, basePath: this.#basePath };
    const paths = this.#allPages.map((one) => one.facts.path);
    const listed = addressesInSitemap(exported, this.#live.url, paths);
    this.#sitemap = listed.slice(0, TRIED_ADDRESSES);
    this.#redirected = addressesOfRules(exported, this.#live.url).slice(0, TRIED_ADDRESSES);
    this.#stampUrl = stampAddress(this.#live.url, entryPage);
    const formerStamp = await fetchStamp(this.#fetcher, this.#stampUrl, this.#endBeforeDeliveryMs);
    // A site that has a stamp already will get one with this export, too, perhaps in another step
    // of the job.
    if (this.#inputs.add.includes('stamp') || formerStamp.kind === 'stamp') {
      const { fingerprintSite } = await import('../../site/compare/fingerprint.ts');
      this.#fingerprint = await fingerprintSite(site, this.#deps.signal);
    }
    // A site that does not answer is not asked for all its pages.
    this.#sameBefore = isReached(formerStamp) && (await this.#showsExportAlready());
    return {};
  }

  /** Sets the pages to compare, and the few that are enough with a stamp. */
  #choosePages(root: string, sample: ReturnType<typeof chooseSample>): void {
    const all: PageCheck[] = [];
    const changedPages: PageCheck[] = [];
    let leftChars = MOST_CHARS;
    for (const page of sample) {
      const exported = readSitePage(root, page.file);
      if (exported === undefined) continue;
      // A page without a text cannot be compared: an empty text is in every text.
      if (isEmptyText(exported)) {
        this.#notJudged += 1;
        continue;
      }
      const chars = exported.text.length + exported.title.length;
      // A shorter page after this one may still fit.
      if (chars > leftChars) continue;
      leftChars -= chars;
      const check = new PageCheck(page.path, addressesOf(page, this.#live.url), exported);
      all.push(check);
      if (page.isChanged) changedPages.push(check);
    }
    this.#allPages = all;
    // Changed pages show best whether the site has this export.
    this.#fewPages = [...new Set([...changedPages, ...all])].slice(0, STAMPED_PAGES);
    this.#roundPages = all;
  }

  /** When a request before the delivery that begins now gives up. */
  get #endBeforeDeliveryMs(): number {
    return this.#deps.clock.monotonicMs() + BEFORE_DELIVERY_MS;
  }

  /** Warns if the pages are live, but at none of the addresses by which search engines know them. */
  async #checkSitemap(): Promise<void> {
    const first = await this.#firstMissing(this.#sitemap);
    if (first === undefined) return;
    const count = countOf(this.#sitemap.length, 'address', 'addresses');
    this.#deps.log.warning(
      `The sitemap of the site names addresses that it does not serve: ${count} of compared pages answered 404, such as ${first.href}. The pages are at addresses with their ending, such as .html.`,
    );
  }

  /** Warns if the pages are live, but none of the rules of `_redirects` is followed. */
  async #checkRules(): Promise<void> {
    const first = await this.#firstMissing(this.#redirected);
    if (first === undefined) return;
    this.#deps.log.warning(
      `The site does not follow ${RULES_FILE}: addresses of its rules answered 404, such as ${first.href}. GitHub Pages, buckets and plain folders do not read this file.`,
    );
  }

  /** The first of these addresses if all of them answer 404. */
  async #firstMissing(addresses: readonly URL[]): Promise<URL | undefined> {
    const endMs = this.#deps.clock.monotonicMs() + ONLY_ROUND_MS;
    for (const address of addresses) {
      const { status } = await this.#fetcher.page(address, AS_READERS, endMs);
      // One that is found is enough; without a reply, nothing is known.
      if (status !== 404) return undefined;
    }
    return addresses[0];
  }

  /** True if the site shows every page of the sample before the delivery. */
  async #showsExportAlready(): Promise<boolean> {
    for (const batch of batches(this.#allPages)) {
      const served = batch.map((page) => page.isServed(this.#fetcher, this.#endBeforeDeliveryMs));
      // One page that differs is enough to know.
      if ((await Promise.all(served)).includes(false)) return false;
    }
    return true;
  }

  /**
   * Fetches until every page is live in one round, or the time is over: then it throws
   * `checks-failed` or warns, as `on-not-live` says.
   */
  async after(delivered: Delivered): Promise<Found> {
    const { url, timeoutMs, onNotLive } = this.#live;
    const { log } = this.#deps;
    // Without a page to compare, the site is never known to be live.
    if (this.#allPages.length > 0)
      this.#isLive = await log.group(`Waiting until ${url} shows the export`, () => this.#wait());
    const facts = this.#facts(delivered.deliveredMs, delivered.contentCommit);
    this.#deps.record({ live: facts });
    if (!this.#isLive) {
      const { mode, from } = this.#inputs;
      const isDelivered = (delivered.delivery ?? delivered.image) !== undefined;
      const handover = {
        isHandedOver: mode !== 'export' || isDelivered,
        isGiven: from !== undefined,
      };
      const error = notLiveError(facts, timeoutMs, this.#basePath, handover);
      if (onNotLive === 'fail') throw error;
      log.warning(error.message);
      return {};
    }
    // A site that is live always has this number.
    const after = formatDuration((facts.afterSeconds ?? 0) * 1000);
    log.info(`${url} shows the export, ${after} after ${SINCE[facts.since]}.`);
    if (facts.sameBefore) log.info(`It ${SAME_BEFORE}`);
    if (facts.stamp?.of === 'another export') log.warning(stampSentence(facts.stamp));
    if (this.#notJudged > 0) log.warning(notJudgedText(this.#notJudged));
    await this.#checkSitemap();
    await this.#checkRules();
    return { isLive: true };
  }

  /** Rounds with pauses. True as soon as one succeeds; false: the time is over. */
  async #wait(): Promise<boolean> {
    const { clock, log, signal } = this.#deps;
    const { timeoutMs } = this.#live;
    const startMs = clock.monotonicMs();
    const endMs = startMs + timeoutMs;
    // A round that begins after this time is the last. A short wait leaves a quarter for it.
    const lastRoundMs = endMs - Math.min(LAST_ROUND_MS, timeoutMs / 4);
    // `live-timeout: 0s` means one round, which needs time too.
    const fetchEndMs = timeoutMs === 0 ? startMs + ONLY_ROUND_MS : endMs;
    let reportedMs = Number.NEGATIVE_INFINITY;
    let reportedCount = 0;
    for (;;) {
      const isLast = clock.monotonicMs() >= lastRoundMs;
      if (await this.#isRoundLive(fetchEndMs)) return true;
      const nowMs = clock.monotonicMs();
      if (isLast || nowMs >= endMs) return false;
      // The pause ends at the latest when the last round should begin.
      const pauseMs = Math.max(0, Math.min(this.#pauseMs(nowMs - startMs), lastRoundMs - nowMs));
      const count = this.#roundPages.filter((one) => one.isLive).length;
      // The log gets a line if something changed, and now and then.
      if (count !== reportedCount || nowMs - reportedMs >= REPORT_EVERY_MS) {
        const show = count === 1 ? 'shows' : 'show';
        log.info(
          `${count} of ${countOf(this.#roundPages.length, 'page')} ${show} the export after ${formatDuration(nowMs - startMs)} of ${formatDuration(timeoutMs)}. Fetching again in ${formatDuration(pauseMs)}.`,
        );
        reportedCount = count;
        reportedMs = nowMs;
      }
      await clock.sleep(pauseMs, signal);
    }
  }

  /**
   * True if all pages are live in the same round: of several servers behind one address, some may
   * still have the export before.
   */
  async #isRoundLive(endMs: number): Promise<boolean> {
    this.#roundPages = (await this.#isStamped(endMs)) ? this.#fewPages : this.#allPages;
    // Until these are live too, the others need not be fetched.
    const pending = this.#roundPages.filter((one) => !one.isLive);
    if (!(await this.#look(pending, endMs))) return false;
    const areAllFetched = pending.length === this.#roundPages.length;
    // The others were live in an earlier round, so all are fetched once more together.
    return areAllFetched || this.#look(this.#roundPages, endMs);
  }

  /** True if the site says that its content is that of this export. */
  async #isStamped(endMs: number): Promise<boolean> {
    if (this.#fingerprint === undefined) return false;
    const seen = await fetchStamp(this.#fetcher, this.#stampUrl, endMs);
    // An earlier stamp says more than a request without a reply.
    if (isReached(seen) || this.#seenStamp === undefined) this.#seenStamp = seen;
    return this.#isOfExport(this.#seenStamp);
  }

  #isOfExport(seen: SeenStamp): boolean {
    return seen.kind === 'stamp' && seen.stamp.fingerprint === this.#fingerprint;
  }

  /** Fetches these pages. True if all are live; false also if the time is over or no reply came. */
  async #look(pages: readonly PageCheck[], endMs: number): Promise<boolean> {
    this.#rounds += 1;
    for (const batch of batches(pages)) {
      const looked = await Promise.all(batch.map((page) => page.look(this.#fetcher, endMs)));
      if (looked.includes(false)) return false;
      // If the site is down, the other pages are not tried.
      if (batch.every((page) => !page.isReached)) return false;
    }
    return pages.every((page) => page.isLive);
  }

  /** A quarter of the time that has passed, within limits, but at least what the site asks for. */
  #pauseMs(elapsedMs: number): number {
    const askedMs = Math.max(...this.#roundPages.map((one) => one.retryAfterMs));
    return Math.max(askedMs, Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, elapsedMs / 4)));
  }

  /** What report and summary say of the check. */
  #facts(deliveredMs: number, contentCommit: string | undefined): LiveFacts {
    const { clock, run } = this.#deps;
    const nowMs = clock.now();
    let since: LiveFacts['since'] = 'delivery';
    let elapsedMs = clock.monotonicMs() - deliveredMs;
    // The merge or push that the run is on.
    const { change } = run;
    const isChangePublished = contentCommit !== undefined && change !== undefined;
    // The time counts from there only if the export is known to contain a published commit, and the
    // clocks agree that the change was earlier.
    if (isChangePublished && change.time.getTime() <= nowMs) {
      since = change.kind;
      elapsedMs = nowMs - change.time.getTime();
    }
    return {
      url: this.#live.url,
      live: this.#isLive,
      // What is not the case is left out of the report.
      isWarning: (!this.#isLive && this.#live.onNotLive === 'warn') || undefined,
      afterSeconds: this.#isLive ? Math.round(elapsedMs / 1000) : undefined,
      since,
      sinceTime: new Date(nowMs - elapsedMs).toISOString(),
      rounds: this.#rounds,
      sameBefore: this.#sameBefore || undefined,
      notJudged: this.#notJudged || undefined,
      stamp: this.#stampFacts,
      pages: this.#roundPages.map((one) => one.facts),
    };
  }

  get #stampFacts(): LiveFacts['stamp'] {
    const seen = this.#seenStamp;
    if (seen === undefined) return undefined;
    if (seen.kind !== 'stamp') return { of: 'none', text: seen.why };
    const of = this.#isOfExport(seen) ? 'this export' : 'another export';
    return { of, jobId: seen.stamp.exportJobId, text: describeStamp(seen.stamp) };
  }
}

/** The addresses of pages that changed; a removed page is not in the site, so it cannot be fetched. */
function reachableChanges({ changed, added, moved }: Comparison): readonly string[] {
  const here = [...changed, ...added].map((page) => page.path);
  return [...here, ...moved.map((page) => page.to)];
}

/** The pages in groups that are fetched at the same time. */
function batches(pages: readonly PageCheck[]): PageCheck[][] {
  const found: PageCheck[][] = [];
  for (let at = 0; at < pages.length; at += AT_ONCE) found.push(pages.slice(at, at + AT_ONCE));
  return found;
}
