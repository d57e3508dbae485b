/** `npm run bench [follow] [startup] [prompt] [bundle]`: prints figures; nothing here passes or fails. */
import { benchFollowing } from './follow.ts';
import { benchPrompt } from './prompt.ts';
import { benchStartup } from './startup.ts';

const BENCHES: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
  follow: benchFollowing,
  startup: benchStartup,
  prompt: benchPrompt,
  bundle: async () => (await import('./bundle.ts')).benchBundle(),
};

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const line of await bench()) console.log(line);
  console.log();
}
