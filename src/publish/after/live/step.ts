import type { ExportInputs, LiveInputs } from '../../../inputs/inputs.ts';
import { linkPolicy } from '../../../platform/link.ts';
import type { Context } from '../../../run/context.ts';
import type { Write } from '../../../run/report.ts';
import type { AfterStep, ExportedSite } from '../step.ts';
import { LiveCheck, type LiveDeps } from './check.ts';

type StepInputs = Pick<ExportInputs, 'baseUrl' | 'bundle'>;
type StepDeps = LiveDeps & Pick<Context, 'run'>;

/** The check of the published site, with nothing sent yet. */
export function makeLiveCheck({ baseUrl, bundle }: StepInputs, live: LiveInputs, deps: StepDeps): Promise<LiveCheck> {
  const { allowPrivateHosts } = linkPolicy(baseUrl, bundle.allowPrivateHosts);
  return LiveCheck.open({ live, allowPrivateHosts, change: deps.run.change }, deps);
}

/** Waits until readers of the published site get the export. */
export class LiveStep implements AfterStep {
  readonly #check: LiveCheck;
  readonly #url: string;

  /** Tries the site once. Throws `config` where its address is not allowed. */
  static async open(inputs: StepInputs, live: LiveInputs, deps: StepDeps): Promise<LiveStep> {
    const check = await makeLiveCheck(inputs, live, deps);
    await check.preflight();
    return new LiveStep(check, live.url);
  }

  private constructor(check: LiveCheck, url: string) {
    this.#check = check;
    this.#url = url;
  }

  plan(): Write[] {
    return [{ action: 'fetch pages, to compare them with the export', target: this.#url }];
  }

  readSite(site: ExportedSite): Promise<void> {
    return this.#check.readSite(site);
  }

  run(): Promise<void> {
    return this.#check.run();
  }
}
