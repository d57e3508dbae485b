import { parseScript, SEARCH_FOLDER } from '../../src/site/added/search/format.ts';
import { LoadedIndex } from '../../src/site/added/search/loaded-index.ts';

/**
 * The paths of the pages that the search of a served site finds, the best first. The files are
 * loaded as the search page does.
 */
export async function searchServed(url: string, query: string): Promise<string[]> {
  const load = async (name: string): Promise<unknown> => {
    const reply = await fetch(`${url}/${SEARCH_FOLDER}/${name}.js`);
    if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}`);
    return parseScript(await reply.text());
  };
  const index = await LoadedIndex.open(load);
  const { pages } = await index.rank(query);
  const first = await Promise.all(pages.map(({ sections }) => index.section(sections[0] ?? 0)));
  return first.map(({ path }) => path);
}
