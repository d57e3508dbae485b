import type { ComparedSite } from '../../bundle/compare/compared-site.ts';
import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { Inspected } from '../../bundle/receive.ts';
import { bare } from '../../bundle/redirects/rules.ts';
import type { CiRun } from '../../ci/port.ts';
import { readConfinedFile, userFolders } from '../../confined-files.ts';
import { CourierError, hasCode } from '../../errors.ts';
import type { ExportInputs, GuardInputs } from '../../inputs/inputs.ts';
import { shownName } from '../../text/credentials.ts';
import { plainLine } from '../../text/escape.ts';
import { decodeLoosely } from '../../text/names.ts';
import { fits, pageAddress } from '../../values/values.ts';
import type { ChangesFacts } from '../changes/changes-summary.ts';
import { type Earlier, findEarlier } from '../changes/earlier.ts';
import { apiOfJob } from '../job.ts';
import { readPageCount } from '../progress.ts';
import type { Publication } from '../publication.ts';
import { checkText, type GuardFacts, type GuardGround, heldBack, judge } from './guard.ts';

/** What the checks find out. */
interface GateFacts extends ChangesFacts {
  readonly guard?: GuardFacts | undefined;
  /** The link, which is taken back if an export is held back. */
  readonly bundleUrl?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** What an export has to pass before it is published. */
export class Gate {
  /** A check failed, and the export passed anyway. */
  wasForced = false;
  readonly earlier: Earlier;
  readonly #publication: Publication<GateFacts, ExportInputs>;
  readonly #required: readonly string[] | undefined;

  /**
   * Reads the manifest and the list of pages now, so that a wrong one fails before anything starts.
   * Throws `config`.
   */
  static async open(publication: Publication<GateFacts, ExportInputs>): Promise<Gate> {
    const { inputs, deps } = publication;
    const { requiredPages } = inputs;
    const earlier = await findEarlier(publication);
    return new Gate(
      publication,
      earlier,
      requiredPages && (await readRequired(requiredPages, deps.run)),
    );
  }

  private constructor(
    publication: Publication<GateFacts, ExportInputs>,
    earlier: Earlier,
    required: readonly string[] | undefined,
  ) {
    this.#publication = publication;
    this.earlier = earlier;
    this.#required = required;
  }

  /**
   * Some checks look into the bundle: it is then downloaded even if it has no destination to go to.
   */
  get needsBundle(): boolean {
    const { requiredPages, maxSizeBytes } = this.#publication.inputs;
    return (
      this.earlier.with !== undefined || requiredPages !== undefined || maxSizeBytes !== undefined
    );
  }

  /** What the bundle is compared with, and what becomes of the comparison. */
  get comparing() {
    const { inputs, deps } = this.#publication;
    const onComparison = async (comparison: Comparison) => {
      const { recordChanges } = await import('../changes/changes.ts');
      await recordChanges(comparison, { inputs, deps, live: this.earlier.live });
    };
    return { earlier: this.earlier.with, onComparison };
  }

  /** Call it with what came of the comparison. */
  noteUncompared(comparison: Comparison | undefined): void {
    if (this.earlier.with === undefined || comparison !== undefined) return;
    this.#publication.deps.record({
      notCompared: "The live export's bundle could not be downloaded again; see the log.",
    });
  }

  /**
   * `pageCount`: as the platform reported it. Throws `checks-failed` if the export must not be
   * published.
   */
  async pass(pageCount: number | undefined, bundle: Inspected | undefined): Promise<void> {
    const { inputs, deps } = this.#publication;
    const { checks, error } = this.#judge(await this.#ground(pageCount, bundle));
    for (const check of checks.filter(({ outcome }) => outcome === 'warning')) {
      deps.log.warning(`${checkText(check)}.`, { title: `Docs Courier: ${check.name}` });
    }
    if (error === undefined) return;
    if (!inputs.force) {
      // A link that a later step passes on would publish what is held back.
      deps.record({ bundleUrl: undefined, expiresAt: undefined });
      throw error;
    }
    this.wasForced = true;
    const failed = checks
      .filter(({ outcome }) => outcome === 'failed')
      .map((check) => `${checkText(check)}.`);
    deps.log.warning(`Published although checks failed, since force is true. ${failed.join(' ')}`);
  }

  /** The verdict of a dry run, as far as it can be known without the bundle. */
  async preview(pageCount: number | undefined): Promise<void> {
    this.#judge({ ...(await this.#ground(pageCount, undefined)), isPreview: true });
  }

  #judge(ground: GuardGround) {
    const { inputs, deps } = this.#publication;
    const checks = judge(inputs, ground);
    const error = heldBack(checks, ground.pages);
    const verdictOnError = inputs.force ? 'forced' : 'failed';
    deps.record({ guard: { verdict: error === undefined ? 'passed' : verdictOnError, checks } });
    return { checks, error };
  }

  async #ground(
    pageCount: number | undefined,
    bundle: Inspected | undefined,
  ): Promise<GuardGround> {
    const { earlier } = this;
    const { inputs } = this.#publication;
    const asks = inputs.maxPageDrop !== undefined || inputs.forbidLostAddresses !== 'off';
    const needsCount = asks && bundle?.comparison === undefined;
    return {
      pages: bundle?.facts.pages ?? pageCount,
      earlierPages: needsCount ? await this.#earlierPages() : undefined,
      unknownBecause: earlier.none,
      bundle,
      missing: bundle && this.#required && (await findMissing(this.#required, bundle.site)),
    };
  }

  /** As the state says, else as the platform counted that job. */
  async #earlierPages(): Promise<number | 'none' | undefined> {
    const { earlier } = this;
    const { job, delivery } = this.#publication;
    if (earlier.with?.kind === 'files') return earlier.with.site.pages.size;
    if (earlier.isUnknown) return undefined;
    if (earlier.live === undefined) return 'none';
    if (earlier.live.pages !== undefined) return earlier.live.pages;
    try {
      const { value } = await apiOfJob(job.api, earlier.live.job, delivery).poll(earlier.live.job);
      return readPageCount(value.pageCount);
    } catch (error) {
      if (hasCode(error, 'cancelled') || !(error instanceof CourierError)) throw error;
      return undefined;
    }
  }
}

const MAX_LIST_BYTES = 1024 * 1024;

/**
 * Which of the addresses are not there, and which patterns fit no page. Other files count too: a
 * site may need its `/sitemap.xml`.
 */
async function findMissing(required: readonly string[], { pages, paths }: ComparedSite) {
  const all = [...pages.keys(), ...paths.map((path) => `/${path}`)].map(composed);
  const there = new Set(all);
  const { matcherOf } = await import('../../text/patterns.ts');
  const missing = required.filter((address) => {
    if (there.has(composed(bare(decodeLoosely(address))))) return false;
    if (!/[*?[{]/.test(address)) return true;
    const fits = matcherOf([composed(address)]);
    return !all.some((one) => fits(one));
  });
  return { of: required.length, pages: missing };
}

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
  const text = await readConfinedFile({
    path,
    input: 'required-pages',
    folders,
    maxBytes: MAX_LIST_BYTES,
  });
  if (text === undefined) throw refusal(`there is no file ${plainLine(shownName(path), 300)}`);
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*/s, '').trim());
  const wrong = lines.findIndex((line) => line !== '' && !fits(pageAddress, line));
  if (wrong >= 0)
    throw refusal(
      `line ${wrong + 1} is not the address of a page: ${plainLine(lines[wrong] ?? '', 100)}`,
    );
  const pages = lines.filter((line) => line !== '');
  if (pages.length === 0) throw refusal(`${plainLine(path, 300)} names no page`);
  return pages;
}

function refusal(problem: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `required-pages: ${problem}. Nothing was started.`,
    hint: 'Give addresses in the site, one a line, such as /guide/start or /api/**, or the path of a file of them.',
  });
}
