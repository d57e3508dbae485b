import type { PageText } from '../../../bundle/pages.ts';
import { formatDuration } from '../../../text/markdown.ts';
import { comparePage, type Difference } from './compare.ts';
import type { LivePage } from './facts.ts';
import { type CacheHeaders, type Fetched, freshForSeconds, type PageFetcher } from './fetch.ts';

interface PageCheckInit {
  /** Below the start page, such as `/guide/start`. */
  readonly path: string;
  /** Under which a host may serve it, the likeliest first. */
  readonly addresses: readonly URL[];
  readonly exported: PageText;
}

type Judged = LivePage & { readonly retryAfterMs?: number | undefined };

/** One page of the sample: what was exported, and how the site shows it. */
export class PageCheck {
  readonly #init: PageCheckInit;
  #last: Judged;

  constructor(init: PageCheckInit) {
    this.#init = init;
    this.#last = { path: init.path, outcome: 'unreachable', detail: 'it was not fetched' };
  }

  /** As it was when it was fetched last. */
  get facts(): LivePage {
    const { retryAfterMs: _, ...facts } = this.#last;
    return facts;
  }

  get isLive(): boolean {
    return this.#last.outcome === 'live';
  }

  /** False where no reply came. */
  get isReached(): boolean {
    return this.#last.outcome !== 'unreachable';
  }

  /** How long the site asked to be left alone. */
  get retryAfterMs(): number {
    return this.#last.retryAfterMs ?? 0;
  }

  /** True where the site shows the export, whatever caches hand out. Fills no cache with what is shown before the delivery. */
  async isServed(fetcher: PageFetcher, timeLimitMs: number): Promise<boolean> {
    return (await this.#fetchFresh(fetcher, timeLimitMs)).served !== undefined;
  }

  /**
   * Fetches the page as the site has it now, past the caches, and once that is the export, as readers get it. In this order,
   * since the other one could fill a cache with the page of before, for as long as it may be kept.
   */
  async look(fetcher: PageFetcher, timeLimitMs: number): Promise<void> {
    const { served, last } = await this.#fetchFresh(fetcher, timeLimitMs);
    const address = served ?? (mayRefuseFresh(last) ? this.#init.addresses[0] : undefined);
    if (address === undefined) this.#last = this.#judge(last, false);
    else this.#last = this.#judge(await fetcher.fetch(address, { fresh: false, timeLimitMs }), served !== undefined);
  }

  async #fetchFresh(fetcher: PageFetcher, timeLimitMs: number): Promise<{ served: URL | undefined; last: Fetched }> {
    let first: Fetched | undefined;
    for (const address of this.#init.addresses) {
      const fetched = await fetcher.fetch(address, { fresh: true, timeLimitMs });
      if (fetched.kind === 'page' && this.#differenceTo(fetched.page) === undefined) {
        return { served: address, last: fetched };
      }
      // Its other addresses are on the same server.
      if (fetched.kind === 'unreachable') return { served: undefined, last: first ?? fetched };
      // A page says more about what is wrong than the error under another of its addresses.
      if (first === undefined || (first.kind !== 'page' && fetched.kind === 'page')) first = fetched;
    }
    return { served: undefined, last: first ?? { kind: 'unreachable', detail: 'it has no address' } };
  }

  #differenceTo(page: PageText): Difference | undefined {
    return comparePage(this.#init.exported, page);
  }

  #judge(fetched: Fetched, isServed: boolean): Judged {
    const { path } = this.#init;
    const { cache } = fetched;
    if (fetched.kind !== 'page') {
      const { kind: outcome, status, detail, retryAfterMs } = fetched;
      return { path, outcome, status, detail, cache, retryAfterMs };
    }
    const { status } = fetched;
    const difference = this.#differenceTo(fetched.page);
    if (difference === undefined) return { path, outcome: 'live', status, cache };
    const detail = isServed ? cachedText(fetched.cache) : differenceText(difference);
    return { path, outcome: isServed ? 'cached' : 'differs', status, detail, ...difference, cache };
  }
}

/** True for an answer that may be about what is added to get past the caches: a firewall refuses it, or a host takes it away. */
function mayRefuseFresh({ kind, status = 0 }: Fetched): boolean {
  return kind === 'redirect' || (status >= 400 && status <= 499 && ![404, 410, 429].includes(status));
}

function differenceText({ found, missing, extra }: Difference): string {
  if (missing.length > 0) {
    // Rounded down: all words are there only where none is missing.
    return `it has ${Math.floor(found * 100)} % of the exported words`;
  }
  return extra.length > 0
    ? 'it has all exported words, and others between them'
    : 'it has the exported words in another order';
}

function cachedText(cache: CacheHeaders | undefined): string {
  const seconds = cache && freshForSeconds(cache);
  const until = seconds === undefined ? '' : `, for another ${formatDuration(seconds * 1000)}`;
  return `the site has the export, and a cache hands out something else${until}`;
}
