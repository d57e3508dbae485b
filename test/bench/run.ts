/**
 * `npm run bench [fast] [follow] [startup [folder of another action]] [bundle] [compare]
 * [limits] [move] [search]`: prints figures; nothing passes or fails here.
 */
import { benchFollowing } from './follow.ts';
import { benchStartup } from './startup.ts';

type Lines = string[] | Promise<string[] | AsyncIterable<string>>;

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Lines>> = {
  fast: async () => (await import('./fast.ts')).benchFast(),
  follow: benchFollowing,
  startup: benchStartup,
  compare: async () => (await import('./compare.ts')).benchCompare(),
  bundle: async () => (await import('./bundle.ts')).benchBundle(),
  move: async () => (await import('./move.ts')).benchMove(),
  search: async () => (await import('./search.ts')).benchSearch(),
  limits: async () => (await import('./limits.ts')).benchLimits(),
};

const given = process.argv.slice(2);
const wanted = given.filter((name) => Object.hasOwn(BENCHES, name));
const args = given.filter((name) => !Object.hasOwn(BENCHES, name));
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for await (const line of await bench(args)) console.log(line);
  console.log();
}
