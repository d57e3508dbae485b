import { join } from 'node:path';
import {
  IndexProblem,
  parseScript,
  SEARCH_FOLDER,
  type SectionText,
} from '../added/search/format.ts';
import { LoadedIndex } from '../added/search/loaded-index.ts';
import { readConfinedFile, shownPath } from '../confined-files.ts';
import { CourierError } from '../errors.ts';
import { PAGE_SIZE, type SearchRequest, type SearchResult } from '../platform/contract.ts';
import { shownName } from '../text/credentials.ts';
import { DEFAULT_PAGE_SIZE } from './queries.ts';

/** Of one file of the index: the largest that `add: search` writes for 200,000 pages is smaller. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

interface Place {
  /** The folder with the site, as an absolute path. */
  readonly folder: string;
  readonly workspace: string;
}

/**
 * The search that `add: search` has added to a folder. The folder is not trusted: the files of the
 * index are scripts, and they are parsed as data. Nothing in them is run, and no path in them is
 * opened.
 */
export class AddedIndex {
  readonly #place: Place;
  readonly #index: LoadedIndex;

  private constructor(place: Place, index: LoadedIndex) {
    this.#place = place;
    this.#index = index;
  }

  /** Throws `config` if the folder has no search of this version. */
  static open(place: Place): Promise<AddedIndex> {
    const load = (name: string) => readFile(place, name);
    return asConfigError(place, async () => new AddedIndex(place, await LoadedIndex.open(load)));
  }

  /**
   * Pages in their order, each once. `language` of the filter is that of the page; an added search
   * knows no other filter.
   */
  async search({
    query,
    pageSize = DEFAULT_PAGE_SIZE,
    filter,
  }: SearchRequest): Promise<SearchResult[]> {
    const others = [filter?.version, filter?.tag, filter?.groups];
    if (others.some((value) => value !== undefined)) throw noSuchFilter();
    return asConfigError(this.#place, async () => {
      const { pages } = await this.#index.rank(query);
      const results: SearchResult[] = [];
      for (const { sections } of pages) {
        if (results.length >= Math.min(pageSize, PAGE_SIZE.max)) break;
        const found = await this.#index.section(sections[0] ?? 0);
        if (filter?.language !== undefined && !speaks(found, filter.language)) continue;
        const { title, language, heading } = found;
        results.push({
          path: `/${found.path}`,
          content: found.text,
          metadata: { title, heading, language },
        });
      }
      return results;
    });
  }
}

function noSuchFilter(): CourierError {
  return new CourierError({
    code: 'config',
    message: 'search-site knows the language of a page, and not its version, tag or groups.',
    hint: 'Remove version, tag and groups from the filter.',
  });
}

function speaks({ language }: SectionText, wanted: string): boolean {
  const [page, filter] = [language.toLowerCase(), wanted.toLowerCase()];
  return page === filter || page.startsWith(`${filter}-`);
}

async function readFile({ folder, workspace }: Place, name: string): Promise<unknown> {
  const path = join(folder, SEARCH_FOLDER, `${name}.js`);
  const text = await readConfinedFile({
    path,
    input: 'search-site',
    folders: [
      { name: 'workspace', path: workspace },
      { name: 'the site', path: folder },
    ],
    maxBytes: MAX_FILE_BYTES,
  });
  if (text === undefined)
    throw new IndexProblem(`${shownName(shownPath(path, workspace))} does not exist.`);
  return parseScript(text);
}

async function asConfigError<T>(
  { folder, workspace }: Place,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof IndexProblem)) throw error;
    throw new CourierError({
      code: 'config',
      message: `search-site: ${shownName(shownPath(folder, workspace))} cannot be searched. ${error.message}`,
      hint: {
        text: 'Export the site with these inputs, and give the same folder to search-site:',
        inputs: { 'extract-to': shownPath(folder, workspace), add: 'search' },
      },
      cause: error,
    });
  }
}
