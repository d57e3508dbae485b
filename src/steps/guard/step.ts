import type { CiRun } from '../../ci/port.ts';
import { readConfinedFile, userFolders } from '../../ground/confined-files.ts';
import { type CourierError, configError } from '../../ground/errors.ts';
import { shownName } from '../../ground/text/credentials.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { decodeLoosely } from '../../ground/text/names.ts';
import type { ExportInputs, GuardInputs } from '../../inputs/inputs.ts';
import type { Deps, Known } from '../../run/context.ts';
import type { Write } from '../../run/report.ts';
import type { ComparedSite } from '../../site/compare/compared-site.ts';
import type { Inspected } from '../../site/receive.ts';
import { bare } from '../../site/redirects/rules.ts';
import { fits, pageAddress } from '../../values/values.ts';
import type { Earlier } from '../changes/earlier.ts';
import type { BundleNeeds, Exported, Found, Opening, Step } from '../step.ts';
import {
  checkText,
  type GuardCheck,
  type GuardFacts,
  type GuardGround,
  heldBack,
  judge,
} from './guard.ts';

/** What the checks record. */
type GuardRecord = Known<{
  guard: GuardFacts;
  /** The link, which is not an output if the export is held back. */
  bundleUrl: string;
  expiresAt: string;
}>;

/** The checks that an export has to pass before it is published. */
export class Guard implements Step {
  readonly #inputs: ExportInputs;
  readonly #deps: Deps<GuardRecord>;
  /** The export before this one; undefined: no check needs it. */
  readonly #earlier: Earlier | undefined;
  /** Pages that it must have, if the inputs name any. */
  readonly #required: readonly string[] | undefined;

  /**
   * Reads the list of required pages now, so that a mistake in it fails before anything starts.
   * Throws `config`.
   */
  static async open(
    { inputs, deps }: Opening<GuardRecord, ExportInputs>,
    earlier: Earlier | undefined,
  ): Promise<Guard> {
    const required = inputs.requiredPages && (await readRequired(inputs.requiredPages, deps.run));
    return new Guard(inputs, deps, earlier, required);
  }

  private constructor(
    inputs: ExportInputs,
    deps: Deps<GuardRecord>,
    earlier: Earlier | undefined,
    required: readonly string[] | undefined,
  ) {
    this.#inputs = inputs;
    this.#deps = deps;
    this.#earlier = earlier;
    this.#required = required;
  }

  /** The bundle is downloaded for some checks even if it has no destination. */
  get needs(): BundleNeeds | undefined {
    const { requiredPages, maxSizeBytes } = this.#inputs;
    const isRead = requiredPages !== undefined || maxSizeBytes !== undefined;
    if (isRead) return { pages: false };
    return undefined;
  }

  /** Checks the export. Throws `checks-failed` if it must not be published. */
  async inspect({ pageCount, bundle }: Exported): Promise<Found> {
    const { log, record } = this.#deps;
    const ground = await this.#readGround(pageCount, bundle);
    const checks = judge(this.#inputs, ground);
    const error = this.#recordVerdict(checks, ground);
    for (const check of checks) {
      if (check.outcome !== 'warning') continue;
      log.warning(`${checkText(check)}.`, { title: `Docs Courier: ${check.name}` });
    }
    if (error === undefined) return {};
    if (!this.#inputs.force) {
      // A later step could otherwise publish the export by its link.
      record({ bundleUrl: undefined, expiresAt: undefined });
      throw error;
    }
    const failed = checks.filter((check) => check.outcome === 'failed');
    const texts = failed.map((check) => `${checkText(check)}.`);
    log.warning(`Published although checks failed, since force is true. ${texts.join(' ')}`);
    return { forced: true };
  }

  /** The verdict of a dry run, as far as it can be known without the bundle. */
  async plan(pageCount: number | undefined): Promise<readonly Write[]> {
    const ground = { ...(await this.#readGround(pageCount, undefined)), isPreview: true };
    this.#recordVerdict(judge(this.#inputs, ground), ground);
    return [];
  }

  /** Records how the checks ended. Gives the error of an export that is held back. */
  #recordVerdict(checks: readonly GuardCheck[], ground: GuardGround): CourierError | undefined {
    const error = heldBack(checks, ground.pages, this.#inputs.from !== undefined);
    const verdictOnError = this.#inputs.force ? 'forced' : 'failed';
    const verdict = error === undefined ? 'passed' : verdictOnError;
    this.#deps.record({ guard: { verdict, checks } });
    return error;
  }

  /** Reads what the checks decide on. Asks the platform only for what a check needs. */
  async #readGround(
    pageCount: number | undefined,
    bundle: Inspected | undefined,
  ): Promise<GuardGround> {
    // A comparison has the numbers of pages already.
    const needsPages = bundle?.comparison === undefined;
    const required = this.#required;
    return {
      pages: bundle?.facts.pages ?? pageCount,
      earlierPages: needsPages ? await this.#earlier?.pages() : undefined,
      unknownBecause: this.#earlier?.whyNoLive,
      bundle,
      missing: bundle && required && (await findMissing(required, bundle.site)),
    };
  }
}

const MAX_LIST_BYTES = 1024 * 1024;
/** What makes an address a pattern. */
const PATTERN_SIGNS = /[*?[{]/;

/**
 * The required addresses that the site lacks, and the patterns that fit nothing in it; `of`: how
 * many are required. Other files count as pages: a site may need its `/sitemap.xml`.
 */
async function findMissing(required: readonly string[], site: ComparedSite) {
  const all = [...site.pages.keys(), ...site.paths.map((path) => `/${path}`)].map(composed);
  const addresses = new Set(all);
  const { matcherOf } = await import('../../ground/text/patterns.ts');
  const isThere = (address: string) => {
    // Hosts decode an address, and take `/guide/` and `/guide.html` for `/guide`, which `bare`
    // makes of them. Tried even for a pattern: a name may contain these signs.
    if (addresses.has(composed(bare(decodeLoosely(address))))) return true;
    if (!PATTERN_SIGNS.test(address)) return false;
    return all.some(matcherOf([composed(address)]));
  };
  return { of: required.length, pages: required.filter((address) => !isThere(address)) };
}

/** The address in one encoding of its accents, so that equal addresses are equal texts. */
function composed(address: string): string {
  return address.normalize('NFC');
}

/**
 * The pages that an export must have: addresses, and patterns, each of which must match at least
 * one page. Throws `config`.
 */
async function readRequired(
  required: NonNullable<GuardInputs['requiredPages']>,
  run: CiRun,
): Promise<readonly string[]> {
  if ('pages' in required) return required.pages;
  const path = required.file;
  const folders = userFolders(path, run);
  const input = 'required-pages';
  const text = await readConfinedFile({ path, input, folders, maxBytes: MAX_LIST_BYTES });
  if (text === undefined) throw refusal(`there is no file ${plainLine(shownName(path), 300)}`);
  const pages: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const withoutComment = line.replace(/(^|\s)#.*/s, '');
    const page = withoutComment.trim();
    if (page === '') continue;
    if (!fits(pageAddress, page))
      throw refusal(`line ${index + 1} is not the address of a page: ${plainLine(page, 100)}`);
    pages.push(page);
  }
  if (pages.length === 0) throw refusal(`${plainLine(path, 300)} names no page`);
  return pages;
}

function refusal(problem: string): CourierError {
  return configError(
    `required-pages: ${problem}. Nothing was started.`,
    'Give addresses in the site, one a line, such as /guide/start or /api/**, or the path of a file of them.',
  );
}
