import type { CiRun } from '../../ci/port.ts';
import { readConfinedFile, userFolders } from '../../ground/confined-files.ts';
import { type CourierError, configError } from '../../ground/errors.ts';
import { shownName } from '../../ground/text/credentials.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { decodeLoosely } from '../../ground/text/names.ts';
import type { ExportInputs, GuardInputs } from '../../inputs/inputs.ts';
import type { Known } from '../../run/context.ts';
import type { ComparedSite } from '../../site/compare/compared-site.ts';
import type { Inspected } from '../../site/receive.ts';
import { bare } from '../../site/redirects/rules.ts';
import { fits, pageAddress } from '../../values/values.ts';
import type { Earlier } from '../changes/earlier.ts';
import type { BundleNeeds, Opening, Step } from '../step.ts';
import { checkText, type GuardFacts, type GuardGround, heldBack, judge } from './guard.ts';

/** What the checks record. */
type GuardRecord = Known<{
  guard: GuardFacts;
  /** The link, which is not an output if the export is held back. */
  bundleUrl: string;
  expiresAt: string;
}>;

/**
 * The checks that an export has to pass before it is published. `earlier`: the export before this
 * one; undefined: no check needs it. The list of required pages is read now, so that a mistake in it
 * fails before anything starts. Throws `config`.
 */
export async function openGuard(
  { inputs, deps }: Opening<GuardRecord, ExportInputs>,
  earlier: Earlier | undefined,
): Promise<Step> {
  const { log, record } = deps;
  const required = inputs.requiredPages && (await readRequired(inputs.requiredPages, deps.run));
  /** What the checks decide on. Asks the platform only for what a check needs. */
  const readGround = async (pages: number | undefined, bundle: Inspected | undefined) => {
    // A comparison has the numbers of pages already.
    const needsPages = bundle?.comparison === undefined;
    return {
      pages: bundle?.facts.pages ?? pages,
      earlierPages: needsPages ? await earlier?.pages() : undefined,
      unknownBecause: earlier?.whyNoLive,
      bundle,
      missing: bundle && required && (await findMissing(required, bundle.site)),
    };
  };
  /** Makes the checks and records how they ended. `error`: that of an export that is held back. */
  const decide = (ground: GuardGround) => {
    const checks = judge(inputs, ground);
    const error = heldBack(checks, ground.pages, inputs.from !== undefined);
    const verdictOnError = inputs.force ? 'forced' : 'failed';
    record({ guard: { verdict: error === undefined ? 'passed' : verdictOnError, checks } });
    return { checks, error };
  };
  return {
    needs: needsOf(inputs),
    /** The verdict of a dry run, as far as it can be known without the bundle. */
    async plan(pageCount) {
      decide({ ...(await readGround(pageCount, undefined)), isPreview: true });
      return [];
    },
    /** Checks the export. Throws `checks-failed` if it must not be published. */
    async inspect({ pageCount, bundle }) {
      const { checks, error } = decide(await readGround(pageCount, bundle));
      for (const check of checks) {
        if (check.outcome !== 'warning') continue;
        log.warning(`${checkText(check)}.`, { title: `Docs Courier: ${check.name}` });
      }
      if (error === undefined) return {};
      if (!inputs.force) {
        // A later step could otherwise publish the export by its link.
        record({ bundleUrl: undefined, expiresAt: undefined });
        throw error;
      }
      const failed = checks.filter((check) => check.outcome === 'failed');
      const texts = failed.map((check) => `${checkText(check)}.`);
      log.warning(`Published although checks failed, since force is true. ${texts.join(' ')}`);
      return { forced: true };
    },
  };
}

/** The bundle is downloaded for some checks even if it has no destination. */
function needsOf({ requiredPages, maxSizeBytes }: GuardInputs): BundleNeeds | undefined {
  if (requiredPages === undefined && maxSizeBytes === undefined) return undefined;
  return { pages: false };
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
