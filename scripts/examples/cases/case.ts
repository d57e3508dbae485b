import assert from 'node:assert/strict';
import type { ActRun } from '../act.ts';
import type { Stage } from '../stage.ts';

export interface ExampleCase {
  /** File below examples. */
  readonly example: string;
  /** Told apart from another case of the same example. */
  readonly when?: string | undefined;
  /** Needs the object store. */
  readonly store?: boolean | undefined;
  /** Runs it, holds its effect against the records, and tells the effect in a few words. */
  run(stage: Stage): Promise<string>;
}

export function assertGreen(run: ActRun): void {
  const bad = [...run.jobs].filter(([, result]) => result !== 'success');
  assert.ok(run.ok && bad.length === 0, `the workflow failed: ${JSON.stringify(bad)}\n${run.log}`);
}

/** Exports started on the platform, as its records tell. */
export function startsOf({ platform }: Stage): number {
  return platform.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/static-export/jobs').length;
}

/** A bundle's bytes by its link, as a deployment fetches them; no link is known to the platform alone. */
export async function fetchBundle(link: string): Promise<number> {
  const reply = await fetch(link);
  const { byteLength } = await reply.arrayBuffer();
  assert.equal(reply.status, 200, 'the link in the secret does not work');
  return byteLength;
}
