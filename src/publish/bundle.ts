import type { Comparison } from '../bundle/compare/comparison.ts';
import type { EarlierExport, Inspected } from '../bundle/receive.ts';
import type { BundleFacts } from '../bundle/summary.ts';
import type { Clock } from '../clock.ts';
import type { GitHub } from '../github/connection.ts';
import type { BundleInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { type BundleLink, type LinkMaker, linkPolicy } from '../platform/link.ts';
import type { Write } from '../run/report.ts';

interface ReceiveDeps {
  readonly github: GitHub;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly record: (facts: { bundle: BundleFacts }) => void;
}

interface ReceiveInputs {
  readonly bundle: BundleInputs;
  readonly baseUrl: string;
  readonly adminApiKey: string;
}

/** Whether the archive or the site has a destination. */
export function isReceived({ bundlePath, extractTo }: BundleInputs): boolean {
  return bundlePath !== undefined || extractTo !== undefined;
}

/** Checks the destinations before anything starts. Throws `config` where they may not be written. */
export async function checkReceipt(
  { bundle, adminApiKey }: Pick<ReceiveInputs, 'bundle' | 'adminApiKey'>,
  { github }: Pick<ReceiveDeps, 'github'>,
): Promise<void> {
  if (!isReceived(bundle)) return;
  const [{ checkDestinations }, { homedir }] = await Promise.all([
    import('../bundle/disk/destination.ts'),
    import('node:os'),
  ]);
  const { workspace, runnerTemp } = github.run;
  await checkDestinations({ bundle, workspace, runnerTemp, home: homedir(), secret: adminApiKey });
}

interface Receipt {
  readonly inputs: ReceiveInputs;
  readonly deps: ReceiveDeps;
  readonly links: LinkMaker;
  readonly link: BundleLink;
  readonly origin: {
    readonly domain: string | undefined;
    readonly jobId: string;
    readonly pageCount: number | undefined;
    readonly basePath?: string | undefined;
  };
  /** Throws to keep the bundle from its destinations, which then stay as they are. */
  readonly guard?: (inspected: Inspected) => Promise<void>;
  /** The guard reads pages of the unpacked site. */
  readonly readsPages?: boolean | undefined;
  /** The site is published from here, and so is verified as one that is unpacked for a person. */
  readonly verifies?: boolean | undefined;
  readonly earlier?: EarlierExport | undefined;
  readonly onComparison?: (comparison: Comparison) => void | Promise<void>;
}

/** Downloads, checks, verifies and unpacks the bundle. */
export async function receive({ inputs, deps, links, link, origin, ...checks }: Receipt) {
  const { receiveBundle } = await import('../bundle/receive.ts');
  const { github, log, clock, signal } = deps;
  const { workspace, runnerTemp } = github.run;
  return log.group('Receiving the bundle', () =>
    receiveBundle({
      bundle: inputs.bundle,
      links,
      link,
      origin,
      ...linkPolicy(inputs.baseUrl, inputs.bundle.allowPrivateHosts),
      secret: inputs.adminApiKey,
      log,
      clock,
      signal,
      workspace,
      runnerTemp,
      ...checks,
      onFacts: (bundle) => deps.record({ bundle }),
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
