import type { BundleFacts } from '../bundle/facts.ts';
import type { Clock } from '../clock.ts';
import type { GitHub } from '../github/connection.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { type BundleLink, type LinkMaker, linkPolicy } from '../platform/link.ts';
import type { Write } from '../report/report.ts';

interface ReceiveDeps {
  readonly github: GitHub;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (facts: { bundle: BundleFacts }) => void;
}

function isWanted({ bundlePath, extractTo }: BundleInputs): boolean {
  return bundlePath !== undefined || extractTo !== undefined;
}

/** Looks at the destinations before anything starts; `config` where they may not be written. */
export async function checkReceipt(bundle: BundleInputs, { github }: Pick<ReceiveDeps, 'github'>): Promise<void> {
  if (!isWanted(bundle)) return;
  const [{ checkDestinations }, { homedir }] = await Promise.all([
    import('../bundle/disk/destination.ts'),
    import('node:os'),
  ]);
  const { workspace, runnerTemp } = github.run;
  await checkDestinations({ bundle, workspace, runnerTemp, home: homedir() });
}

interface Receipt {
  readonly inputs: { readonly bundle: BundleInputs; readonly baseUrl: string };
  readonly deps: ReceiveDeps;
  readonly links: LinkMaker;
  readonly link: BundleLink;
  readonly origin: {
    readonly domain: string | undefined;
    readonly jobId: string;
    readonly pageCount: number | undefined;
    readonly deploymentType: string | undefined;
  };
}

/** Downloads, checks and unpacks the bundle where that is asked for; undefined where it is not. */
export async function receive({ inputs, deps, links, link, origin }: Receipt) {
  if (!isWanted(inputs.bundle)) return undefined;
  const { receiveBundle } = await import('../bundle/receive.ts');
  const { github, log, clock, signal } = deps;
  const { workspace, runnerTemp } = github.run;
  return log.group('Receiving the bundle', () =>
    receiveBundle({
      bundle: inputs.bundle,
      links,
      link,
      origin,
      ...linkPolicy(inputs.baseUrl),
      log,
      clock,
      signal,
      workspace,
      runnerTemp,
      tell: (bundle) => deps.tell({ bundle }),
    }),
  );
}

export function planReceipt({ bundlePath, extractTo }: BundleInputs): Write[] {
  const archive =
    bundlePath === undefined
      ? []
      : [{ action: 'download the archive, with manifest and checksums', target: bundlePath }];
  const site = extractTo === undefined ? [] : [{ action: 'unpack the site', target: extractTo }];
  return [...archive, ...site];
}
