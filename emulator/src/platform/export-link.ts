import type { ExportJobEntity } from './entities.ts';
import { bundleKey } from './export-jobs.ts';
import type { ExpiresAtFormat } from './options.ts';
import type { Store } from './store.ts';

/** A new link to a completed job's archive, as both revisions return it. */
export async function makeLink(store: Store, job: ExportJobEntity, requestUrl: string) {
  const { clock, behaviour, bundles } = store;
  job.links += 1;
  const expires = clock.now() + behaviour.linkLifetimeMs;
  const { origin } = new URL(requestUrl);
  const bundleUrl = await bundles.presign({ key: bundleKey(job), expires, origin });
  return {
    bundleUrl,
    sizeBytes: job.sizeBytes,
    expiresAt: formatInstant(expires, behaviour.expiresAt),
  };
}

function formatInstant(ms: number, format: ExpiresAtFormat): string | number | undefined {
  const iso = new Date(ms).toISOString();
  switch (format) {
    case 'iso':
      return iso;
    case 'epoch-seconds':
      return Math.floor(ms / 1000);
    case 'epoch-milliseconds':
      return ms;
    case 'local-time':
      return iso.replace('Z', '');
    case 'garbage':
      return 'next tuesday';
    case 'missing':
      return undefined;
    default:
      return format satisfies never;
  }
}
