import { createHash } from 'node:crypto';
import type { KubernetesAddress } from '../../../stores/address.ts';

// The name of an annotation has at most 63 characters after its prefix.
const MAX_NAME = 63;

/**
 * The annotations of the pod template that name an export: one for each destination, since a workload may read the links of several
 * sites. The value is a digest of the job's id: a fresh link for the same job changes nothing, and so restarts nothing.
 */
export function annotationsFor(
  destinations: readonly KubernetesAddress[],
  jobId: string,
): Readonly<Record<string, string>> {
  const digest = createHash('sha256').update(jobId).digest('hex');
  return Object.fromEntries(destinations.map((destination) => [annotationOf(destination), digest]));
}

function annotationOf({ secret, key }: KubernetesAddress): string {
  // No name of a Secret has an underscore: two destinations never have the same annotation.
  const name = `export.${secret}_${key}`;
  const isName = name.length <= MAX_NAME && /[a-zA-Z0-9]$/.test(name);
  const short = createHash('sha256').update(`${secret}/${key}`).digest('hex').slice(0, 40);
  return `docs-courier/${isName ? name : `export.${short}`}`;
}
