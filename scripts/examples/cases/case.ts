import assert from 'node:assert/strict';
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
  return platform.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/static-export/jobs').length;
}

/** A bundle's bytes by its link, as a deployment downloads them. */
export async function fetchBundle(link: string): Promise<number> {
  const reply = await fetch(link);
  const { byteLength } = await reply.arrayBuffer();
  assert.equal(reply.status, 200, 'the link in the secret does not work');
  return byteLength;
}
