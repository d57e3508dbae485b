import type { Inspected } from '../../bundle/receive.ts';
import { CourierError, hasCode } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import type { Earlier } from '../changes/earlier.ts';
import type { ExportDeps } from '../export-deps.ts';
import { readPages } from '../progress.ts';
import { checkText, type GuardGround, heldBack, judge } from './guard.ts';
import type { RequiredPages } from './required-pages.ts';

interface GateInit {
  readonly inputs: ExportInputs;
  readonly deps: ExportDeps;
  readonly api: ExportApi;
  readonly earlier: Earlier;
}

/** What an export has to pass before it is published. */
export class Gate {
  /** A check failed, and the export passed all the same. */
  wasForced = false;
  readonly #init: GateInit;
  readonly #required: RequiredPages | undefined;

  /** Reads the list of pages now, so that a wrong one fails before anything starts. Throws `config`. */
  static async open(init: GateInit): Promise<Gate> {
    const { requiredPages } = init.inputs;
    if (requiredPages === undefined) return new Gate(init, undefined);
    const { RequiredPages: Required } = await import('./required-pages.ts');
    return new Gate(init, await Required.read(requiredPages, init.deps.run));
  }

  private constructor(init: GateInit, required: RequiredPages | undefined) {
    this.#init = init;
    this.#required = required;
  }

  /** `pageCount`: as the platform reported it. Throws `checks-failed` where the export is not to be published. */
  async pass(pageCount: number | undefined, bundle: Inspected | undefined): Promise<void> {
    const { inputs, deps } = this.#init;
    const checks = judge(inputs, await this.#ground(pageCount, bundle));
    const error = heldBack(checks);
    for (const check of checks.filter(({ outcome }) => outcome === 'warning')) {
      deps.log.warning(`${checkText(check)}.`, { title: `Docs Courier: ${check.name}` });
    }
    deps.record({ guard: { verdict: error === undefined ? 'passed' : inputs.force ? 'forced' : 'failed', checks } });
    if (error === undefined) return;
    // A link that is handed on by a later step would publish what is held back.
    if (!inputs.force) deps.record({ bundleUrl: undefined, expiresAt: undefined });
    if (!inputs.force) throw error;
    this.wasForced = true;
    deps.log.warning(
      `Published although checks failed, since force is true. ${checks
        .filter(({ outcome }) => outcome === 'failed')
        .map((check) => `${checkText(check)}.`)
        .join(' ')}`,
    );
  }

  /** The verdict of a dry run, as far as it can be known without the bundle. */
  async preview(pageCount: number | undefined): Promise<void> {
    const { inputs, deps } = this.#init;
    const checks = judge(inputs, { ...(await this.#ground(pageCount, undefined)), isPreview: true });
    const verdict = heldBack(checks) === undefined ? 'passed' : inputs.force ? 'forced' : 'failed';
    deps.record({ guard: { verdict, checks } });
  }

  async #ground(pageCount: number | undefined, bundle: Inspected | undefined): Promise<GuardGround> {
    const { earlier, inputs } = this.#init;
    const asks = inputs.maxPageDrop !== undefined || inputs.forbidLostAddresses !== 'off';
    const needsCount = asks && bundle?.comparison === undefined;
    return {
      pages: bundle?.facts.pages ?? pageCount,
      earlierPages: needsCount ? await this.#earlierPages() : undefined,
      unknownBecause: earlier.none,
      bundle,
      missing: bundle && (await this.#required?.missingIn(bundle.site)),
    };
  }

  /** As the state says, else as the platform counted that job. */
  async #earlierPages(): Promise<number | 'none' | undefined> {
    const { earlier, api } = this.#init;
    if (earlier.with?.kind === 'files') return earlier.with.site.pages.size;
    if (earlier.isUnknown) return undefined;
    if (earlier.live === undefined) return 'none';
    if (earlier.live.pages !== undefined) return earlier.live.pages;
    try {
      const { value } = await api.poll(earlier.live.jobId);
      return readPages(value.pageCount);
    } catch (error) {
      if (hasCode(error, 'cancelled') || !(error instanceof CourierError)) throw error;
      return undefined;
    }
  }
}
