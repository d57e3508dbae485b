import type { BundleFile } from '../bundle/archive/sink.ts';
import type { Inspected, Received, ReceiveInit } from '../bundle/receive.ts';
import type { BundleFacts } from '../bundle/summary.ts';
import type { BundleInputs, PublishInputs } from '../inputs/inputs.ts';
import { linkPolicy } from '../platform/link.ts';
import type { Context, Deps } from '../run/context.ts';
import type { Write } from '../run/report.ts';
import type { ExportContent } from './content/content.ts';
import type { ChosenJob } from './job.ts';

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

type Checks = Pick<ReceiveInit, 'guard' | 'add' | 'readsPages' | 'verifies' | 'earlier' | 'onComparison'>;
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

interface Adding {
  readonly site: Inspected['site'];
  readonly job: ChosenJob;
  readonly jobId: string;
  /** When the export was requested; undefined: not known. */
  readonly exportedAt: Date | undefined;
  /** undefined: this is not an export. */
  readonly content: ExportContent | undefined;
}

/** Adds what `add` names to the folder of the unpacked site, and gives the added files. */
export async function addParts(
  inputs: PublishInputs,
  { log, signal }: Pick<Deps<unknown>, 'log' | 'signal'>,
  { site, job, jobId, exportedAt, content }: Adding,
): Promise<readonly BundleFile[]> {
  const { add } = inputs;
  const { root } = site;
  if (add.length === 0 || root === undefined) return [];
  const { addFiles } = await import('../added/add.ts');
  const { domain, projectId } = job.api.source;
  const commit = content?.commit === undefined ? undefined : { id: content.commit, from: content.commitFrom };
  const label = inputs.mode === 'export' ? inputs.exportVersion : undefined;
  const facts = { domain, projectId, jobId, exportedAt, commit, label };
  const added = await addFiles(add, { site, root, facts, signal });
  log.info(`Added to the site: ${added.map(({ path }) => path).join(', ')}.`);
  return added;
}

export function planReceipt({ bundle, add }: PublishInputs): Write[] {
  const { bundlePath, extractTo } = bundle;
  const archive =
    bundlePath === undefined
      ? []
      : [{ action: 'download the archive, with manifest and checksums', target: bundlePath }];
  const site = extractTo === undefined ? [] : [{ action: 'unpack the site', target: extractTo }];
  const added = add.length === 0 ? [] : [{ action: 'add files to the site', target: add.join(', ') }];
  return [...archive, ...site, ...added];
}
