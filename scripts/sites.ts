/**
 * Builds documentation sites with the generators that people use, from the pages in
 * `scripts/sites/pages`, and compares what the product says about them with what is true and with
 * what Chromium does: `npm run sites`, or `npm run sites NAME...` for some of them. Generators and
 * sites are kept in the folder that SITES_CACHE names, else in the user's cache. Every difference
 * must be explained in `scripts/sites/differences.yml`.
 */
import { tmpdir } from 'node:os';
import { findChromium, openBrowser } from './browser/browser.ts';
import { versionOf } from './sites/cache.ts';
import { findUnexplained, type Lists, readExplanations } from './sites/differences.ts';
import { GENERATORS } from './sites/generators/all.ts';
import { makeScratch } from './sites/inspect.ts';
import { judge } from './sites/judge.ts';

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !GENERATORS.some((one) => one.name === name));
  if (unknown !== undefined) {
    const known = GENERATORS.map(({ name }) => name).join(', ');
    throw new Error(`there is no generator ${unknown}: use ${known}`);
  }
  using scratch = makeScratch(tmpdir());
  await using browser = await openBrowser({ chromium: findChromium(), profile: scratch.folder });
  const explanations = readExplanations();
  for (const generator of GENERATORS) {
    if (names.length > 0 && !names.includes(generator.name)) continue;
    const version = versionOf(generator.name);
    const { lists, pages, given } = await judge(generator, browser.context, scratch);
    console.log(`${generator.name} ${version}, ${pages} pages: ${countsOf(lists)}`);
    console.log(`${generator.name} from its folder: ${given}`);
    const problems = findUnexplained({ name: generator.name, version }, lists, explanations);
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
  }
}

function countsOf(lists: Lists): string {
  return Object.entries(lists)
    .map(([list, lines]) => `${list} ${lines.length}`)
    .join(', ');
}

await main();
