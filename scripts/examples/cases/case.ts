import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import type { ActRun } from '../act.ts';
import type { Stage } from '../stage.ts';

export interface ExampleCase {
  /** File below examples. */
  readonly example: string;
  /** Distinguishes cases of the same example. */
  readonly when?: string | undefined;
  /** Needs the object store. */
  readonly store?: boolean | undefined;
  /** Runs it, compares its effect with the records, and describes the effect in a few words. */
  run(stage: Stage): Promise<string>;
}

export function assertGreen(run: ActRun): void {
  const bad = [...run.jobs].filter(([, result]) => result !== 'success');
  assert.ok(run.ok && bad.length === 0, `the workflow failed: ${JSON.stringify(bad)}\n${run.log}`);
}

/** Exports started on the platform, from its records. */
export function startsOf({ platform }: Stage): number {
  return platform.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/static-export/jobs',
  ).length;
}

/** The files of a folder with their SHA-256, sorted. */
export function sumsOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return files.map(
    (file) =>
      `${relative(folder, file)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`,
  );
}

/** The name of the file in a line of `sumsOf`. */
export function nameIn(sum: string): string {
  return sum.slice(0, sum.lastIndexOf(' '));
}

/**
 * Whether a folder has exactly the files of the last export, which were verified. `besides`: names
 * that it may have as well. Returns the number of files of the export.
 */
export async function assertDelivered(
  { platform }: Pick<Stage, 'platform'>,
  folder: string,
  besides: readonly string[] = [],
): Promise<number> {
  const id = platform.exportJobs.at(-1)?.jobId ?? '';
  const headers = { authorization: `Bearer ${platform.keys.admin}` };
  const reply = await fetch(`${platform.url}/v1/static-export/jobs/${id}/bundle`, {
    method: 'POST',
    headers,
  });
  const { bundleUrl } = z.object({ bundleUrl: z.string() }).parse(await reply.json());
  const archive = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
  const exported = mkdtempSync(join(tmpdir(), 'docs-courier-exported-'));
  try {
    execFileSync('tar', ['-xz', '-C', exported], { input: archive });
    const expected = sumsOf(exported);
    const names = new Set(expected.map(nameIn));
    const sums = sumsOf(folder).filter(
      (sum) => names.has(nameIn(sum)) || !besides.includes(nameIn(sum)),
    );
    assert.deepEqual(sums, expected);
    assert.ok(existsSync(join(folder, '.well-known/security.txt')), 'the site has no hidden file');
    return sums.length;
  } finally {
    rmSync(exported, { recursive: true, force: true });
  }
}

/** A bundle's bytes by its link, as a deployment downloads them. */
export async function fetchBundle(link: string): Promise<number> {
  const reply = await fetch(link);
  const { byteLength } = await reply.arrayBuffer();
  assert.equal(reply.status, 200, 'the link in the secret does not work');
  return byteLength;
}
