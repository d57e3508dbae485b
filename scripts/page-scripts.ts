import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const BROWSER = join(root, 'src/site/added/search/browser');

/** The module with the scripts of the search page, each as one text: `npm run build` writes it. */
export async function renderPageScripts(): Promise<string> {
  // The scripts become part of sites, where licenses.txt is not.
  const license = readFileSync(join(root, 'node_modules/minisearch/LICENSE.txt'), 'utf8').trim();
  const search = `/*!\nContains a part of MiniSearch (https://github.com/lucaong/minisearch).\n\n${license}\n*/\n${await bundleScript('search.ts')}`;
  return `// Generated from src/site/added/search/browser by \`npm run build\`.
/** The script of the search page. */
export const SCRIPT = ${JSON.stringify(search)};
/** The script that opens the search from other pages. */
export const OPEN_SCRIPT = ${JSON.stringify(await bundleScript('open.ts'))};
`;
}

/** One classic script, without names in the global scope. */
async function bundleScript(name: string): Promise<string> {
  const bundle = await rolldown({ input: join(BROWSER, name), logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  return output[0].code;
}
