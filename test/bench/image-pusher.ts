/**
 * One site packed and pushed, as a separate process: `node image-pusher.ts SITE FOLDER HOST`.
 * Prints figures as JSON.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeLayer } from '../../src/bundle/image/layer.ts';
import { systemClock } from '../../src/clock.ts';
import { Http } from '../../src/http/http.ts';
import { RegistryStore } from '../../src/stores/registry/store.ts';
import { recordingLog } from '../support/recording-log.ts';

const [root = '', folder = '', registry = ''] = process.argv.slice(2);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => ({ path, stat: statSync(join(root, path)) }))
  .flatMap(({ path, stat }) => (stat.isFile() ? [{ path, bytes: stat.size }] : []));
const { signal } = new AbortController();
const path = join(folder, 'layer.tar.gz');
const silent = () => {};
const startMs = performance.now();
const { digest, size, diffId } = await writeLayer({
  root,
  files,
  path,
  signal,
  onProgress: silent,
});
const packedMs = performance.now();
const store = new RegistryStore({
  address: { scheme: 'image', registry, repository: 'bench/docs', tag: 'latest' },
  http: new Http({ clock: systemClock, log: recordingLog(), signal }),
  clock: systemClock,
  env: {},
  workspace: undefined,
  signal,
  log: recordingLog(),
});
await store.preflight();
const blob = {
  mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
  digest,
  size,
  content: { path },
};
const reference = await store.push({ blob, diffId, annotations: {}, onProgress: silent });
await store.write({ link: reference }, await store.read());
console.log(
  JSON.stringify({
    packMs: packedMs - startMs,
    pushMs: performance.now() - packedMs,
    rssMiB: process.resourceUsage().maxRSS / 1024,
    sizeMiB: size / 1024 ** 2,
  }),
);
