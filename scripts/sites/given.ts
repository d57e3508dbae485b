import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Finding } from '../../src/site/verify/finding.ts';
import { type Job, openJob } from '../../test/support/runner/job.ts';
import { launchStep } from '../../test/support/runner/step.ts';
import { SmallRegistry } from '../../test/support/small-servers/registry.ts';
import { requireBuiltAction } from '../demo/world.ts';
import type { BuiltSite, Scratch } from './inspect.ts';

/** What the action says of a site whose folder `from` names. */
export interface GivenRuns {
  /** Each line is something that should not be so. */
  readonly problems: readonly string[];
  readonly findings: readonly Finding[];
  /** One line for people. */
  readonly facts: string;
}

const reportOfRun = z.object({
  elapsedMs: z.number(),
  jobId: z.string(),
  bundle: z.object({ files: z.number(), verifyReport: z.optional(z.string()) }),
  image: z.optional(z.object({ reference: z.string(), unchanged: z.boolean() })),
});
type Report = z.infer<typeof reportOfRun>;

/**
 * Runs the built action from the folder of a site, with an image, a second time, and from a zip of
 * the folder. The copies and the image must have the files of the folder, byte for byte.
 */
export async function runFrom(site: BuiltSite, scratch: Scratch): Promise<GivenRuns> {
  requireBuiltAction();
  const workspace = mkdtempSync(join(scratch.folder, 'from-'));
  cpSync(site.root, join(workspace, 'build'), { recursive: true });
  // Copies and images have no empty folders.
  call('find', ['build', '-type', 'd', '-empty', '-delete'], workspace);
  call('python3', ['-m', 'zipfile', '-c', 'build.zip', 'build'], workspace);
  await using registry = await SmallRegistry.start();
  const job = await openJob(workspace);
  try {
    const image = `${registry.host}/acme/docs:latest`;
    const first = await runStep(job, { from: 'build', image });
    const again = await runStep(job, { from: 'build', image });
    const zipped = await runStep(job, { from: 'build.zip', 'extract-to': 'of-zip' });
    await pull(first.image?.reference ?? '', join(workspace, 'image'));
    const isPushedOnce = first.image?.unchanged === false && again.image?.unchanged === true;
    const isSameImage = again.image?.reference === first.image?.reference;
    const isSameId = again.jobId === first.jobId && zipped.jobId === first.jobId;
    return {
      problems: [
        ...(isPushedOnce && isSameImage ? [] : ['the second run has pushed an image']),
        ...(isSameId ? [] : ['the folder and its zip have different ids']),
        ...['site', 'of-zip', 'image'].flatMap((copy) => differencesOf('build', copy, workspace)),
      ],
      findings: findingsOf(first),
      facts: `${first.bundle.files} files, id ${first.jobId}, image ${first.image?.reference.split('@')[1]}, ${first.elapsedMs} ms, then ${again.elapsedMs} ms`,
    };
  } finally {
    await job.close();
  }
}

/** Throws with the log of a run that fails. */
async function runStep(job: Job, inputs: Readonly<Record<string, string>>): Promise<Report> {
  const defaults = { mode: 'export', verify: 'report', 'extract-to': 'site', clean: 'true' };
  // No login of the person who runs this is read.
  const env = { DOCKER_CONFIG: job.folders.temp };
  const step = await launchStep({ inputs: { ...defaults, ...inputs }, env }, job);
  const { exitCode, log, outputs } = await step.done;
  if (exitCode !== 0) throw new Error(`the run from ${inputs['from']} failed:\n${log}`);
  return reportOfRun.parse(JSON.parse(outputs['report'] ?? ''));
}

function findingsOf({ bundle: { verifyReport } }: Report): readonly Finding[] {
  // Without findings there is no file.
  if (verifyReport === undefined || !existsSync(verifyReport)) return [];
  const report: { findings: Finding[] } = JSON.parse(readFileSync(verifyReport, 'utf8'));
  return report.findings;
}

const indexOfImage = z.object({ manifests: z.array(z.object({ digest: z.string() })) });
const manifestOfImage = z.object({ layers: z.array(z.object({ digest: z.string() })) });

/** Unpacks the layers of the first image of an index, as a container runtime does. */
async function pull(reference: string, folder: string): Promise<void> {
  const [, host, repository, digest] = /^(.*?)\/(.*)@(.*)$/.exec(reference) ?? [];
  const get = async (path: string) => {
    const accept =
      'application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json';
    const reply = await fetch(`http://${host}/v2/${repository}/${path}`, { headers: { accept } });
    if (!reply.ok) throw new Error(`${path} of the image: ${reply.status}`);
    return Buffer.from(await reply.arrayBuffer());
  };
  const index = indexOfImage.parse(JSON.parse(String(await get(`manifests/${digest}`))));
  const manifest = await get(`manifests/${index.manifests[0]?.digest}`);
  mkdirSync(folder);
  for (const layer of manifestOfImage.parse(JSON.parse(String(manifest))).layers) {
    call('tar', ['-xz'], folder, await get(`blobs/${layer.digest}`));
  }
}

function differencesOf(folder: string, copy: string, cwd: string): string[] {
  const { stdout, status } = spawnSync('diff', ['-rq', folder, copy], { cwd, encoding: 'utf8' });
  if (status === 0) return [];
  return stdout.trim().split('\n');
}

function call(program: string, args: readonly string[], cwd: string, input = Buffer.of()): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, input });
  if (status !== 0) throw error ?? new Error(`${program} failed: ${stderr}`);
}
