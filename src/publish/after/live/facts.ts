/** What is known about the check of the published site. Everything in it may be printed; texts of pages are to be escaped. */
export interface LiveFacts {
  /** The address of its start page. */
  readonly url: string;
  /** Every page of the sample showed the export, all of them in one round. */
  readonly live: boolean;
  /** Not being live is a warning, and no failure: as `on-not-live` says. */
  readonly isWarning?: boolean | undefined;
  /** From `since` to the moment at which the site was live; undefined while it is not. */
  readonly afterSeconds?: number | undefined;
  /** What `afterSeconds` counts from: merge or push, where the event names its time, else the start of this run. */
  readonly since: 'merge' | 'push' | 'start';
  /** ISO 8601, UTC. */
  readonly sinceTime: string;
  /** How often pages were fetched, with waits between. */
  readonly rounds: number;
  /** Every page of the sample showed the export before its link was delivered: the check cannot distinguish it from the one before. */
  readonly sameBefore?: boolean | undefined;
  readonly pages: readonly LivePage[];
}

/**
 * `live`: readers get the export. `cached`: the site has it, and a cache on the way hands out something else. `differs`:
 * another text. `status`: an error. `redirect`: to another origin, or too many. `unreachable`: no reply.
 */
type PageOutcome = 'live' | 'cached' | 'differs' | 'status' | 'redirect' | 'unreachable';

/** One page of the sample, as it was when it was fetched last. */
export interface LivePage {
  /** Its address below the start page, such as `/guide/start`. */
  readonly path: string;
  readonly outcome: PageOutcome;
  readonly status?: number | undefined;
  /** One sentence without a full stop; undefined for a page that is live. */
  readonly detail?: string | undefined;
  /** Share of the exported words that the page has, 0 to 1. */
  readonly found?: number | undefined;
  /** Parts of the exported text that the page lacks. */
  readonly missing?: readonly string[] | undefined;
  /** Parts of its text that the export lacks. */
  readonly extra?: readonly string[] | undefined;
  /** What caches on the way said about themselves, by header. */
  readonly cache?: Readonly<Record<string, string>> | undefined;
}

/** What `since` says, in a sentence: `3 min after the merge`. */
export const SINCE: Readonly<Record<LiveFacts['since'], string>> = {
  merge: 'the merge',
  push: 'the push',
  start: 'the start of this run',
};
