import type { Received, ReceiveInit } from '../bundle/receive.ts';
import type { BundleFacts } from '../bundle/summary.ts';
import type { BundleInputs, PublishInputs } from '../inputs/inputs.ts';
import { linkPolicy } from '../platform/link.ts';
import type { Context, Deps } from '../run/context.ts';
import type { Write } from '../run/report.ts';

type ReceiveInputs = Pick<PublishInputs, 'bundle' | 'baseUrl' | 'adminApiKey'>;

/** Whether the archive or the site has a destination. */
export function isReceived({ bundlePath, extractTo }: BundleInputs): boolean {
  return bundlePath !== undefined || extractTo !== undefined;
}

/** Checks the destinations before anything starts. Throws `config` where they may not be written. */
export async function checkReceipt(
  { bundle, adminApiKey, outputFiles }: Pick<PublishInputs, 'bundle' | 'adminApiKey' | 'outputFiles'>,
  { github, run, signal }: Pick<Context, 'github' | 'run' | 'signal'>,
): Promise<void> {
  if (!isReceived(bundle) && outputFiles.length === 0) return;
  const [{ checkDestinations }, { homedir }] = await Promise.all([
    import('../bundle/disk/destination.ts'),
    import('node:os'),
  ]);
  const { workspace, runnerTemp } = github.run;
  await checkDestinations({
    bundle,
    outputFiles,
    workspace,
    runnerTemp,
    home: homedir(),
    secret: adminApiKey,
    env: run.env,
    signal,
  });
}

type Checks = Pick<ReceiveInit, 'guard' | 'readsPages' | 'verifies' | 'earlier' | 'onComparison'>;
type Receipt = Checks & Pick<ReceiveInit, 'links' | 'link' | 'origin'>;

/** Downloads, checks, verifies and unpacks the bundle. */
export async function receive(
  inputs: ReceiveInputs,
  deps: Deps<{ bundle: BundleFacts }>,
  receipt: Receipt,
): Promise<Received> {
  const { receiveBundle } = await import('../bundle/receive.ts');
  const { bundle, baseUrl, adminApiKey: secret } = inputs;
  const { github, run, log, clock, signal, record } = deps;
  const { env } = run;
  const { workspace, runnerTemp } = github.run;
  const policy = linkPolicy(baseUrl, bundle.allowPrivateHosts);
  const onFacts = (facts: BundleFacts) => record({ bundle: facts });
  return log.group('Receiving the bundle', () =>
    receiveBundle({ bundle, secret, log, clock, signal, workspace, runnerTemp, env, ...policy, ...receipt, onFacts }),
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
