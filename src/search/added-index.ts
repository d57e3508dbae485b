import { join } from 'node:path';
import { readConfinedFile, shownPath } from '../ground/confined-files.ts';
import { type CourierError, configError } from '../ground/errors.ts';
import { shownName } from '../ground/text/credentials.ts';
import type { SearchRequest, SearchResult } from '../platform/contract.ts';
import {
  IndexProblem,
  parseScript,
  SEARCH_FOLDER,
  type SectionText,
} from '../site/added/search/format.ts';
import { LoadedIndex } from '../site/added/search/loaded-index.ts';
import { DEFAULT_PAGE_SIZE } from './queries.ts';

/**
 * The largest file of an index that is read. What `add: search` writes for 200,000 pages is
 * smaller.
 */
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
    // Without the id of the index, which only keeps a browser from an older file in its cache.
    const load = (name: string) => readFile(place, name);
    return asConfigError(place, async () => new AddedIndex(place, await LoadedIndex.open(load)));
  }

  /**
   * The pages that fit best, in their order, each once. Of the filter, an added search knows only
   * `language`, which is that of the page. A score threshold is for the platform's scores alone.
   */
  async search(request: SearchRequest): Promise<SearchResult[]> {
    const { version, language, tag, groups } = request.filter ?? {};
    const unknownFilter = version ?? tag ?? groups;
    if (unknownFilter !== undefined) throw noSuchFilter();
    const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
    return asConfigError(this.#place, async () => {
      const ranked = await this.#index.rank(request.query);
      const results: SearchResult[] = [];
      for (const page of ranked.pages) {
        if (results.length >= pageSize) break;
        // The best section, which stands for its page: 0 is for the compiler.
        const best = await this.#index.section(page.sections[0] ?? 0);
        if (language === undefined || speaks(best, language)) results.push(resultOf(best));
      }
      return results;
    });
  }
}

function resultOf(section: SectionText): SearchResult {
  const { title, heading, language } = section;
  return {
    path: `/${section.path}`,
    content: section.text,
    metadata: { title, heading, language },
  };
}

function noSuchFilter(): CourierError {
  return configError(
    'search-site knows the language of a page, and not its version, tag or groups.',
    'Remove version, tag and groups from the filter.',
  );
}

/** True if the page is in this language, or in a variant: `de-AT` if `de` is wanted. */
function speaks(section: SectionText, wanted: string): boolean {
  // With the hyphens, `de` is not the beginning of another language, such as `den`.
  const language = `${section.language.toLowerCase()}-`;
  return language.startsWith(`${wanted.toLowerCase()}-`);
}

/**
 * Reads a file of the index by its name; undefined if it is damaged, which `LoadedIndex` refuses.
 * Throws `IndexProblem` if it does not exist.
 */
async function readFile(place: Place, name: string): Promise<unknown> {
  const path = join(place.folder, SEARCH_FOLDER, `${name}.js`);
  const text = await readConfinedFile({
    path,
    input: 'search-site',
    folders: [
      { name: 'workspace', path: place.workspace },
      { name: 'the site', path: place.folder },
    ],
    maxBytes: MAX_FILE_BYTES,
  });
  if (text === undefined)
    throw new IndexProblem(`${shownName(shownPath(path, place.workspace))} does not exist.`);
  return parseScript(text);
}

/** Turns a problem of the index into the error of a wrong input. */
async function asConfigError<T>(place: Place, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof IndexProblem)) throw error;
    const folder = shownPath(place.folder, place.workspace);
    throw configError(
      `search-site: ${shownName(folder)} cannot be searched. ${error.message}`,
      {
        text: 'Export the site with these inputs, and give the same folder to search-site:',
        inputs: { 'extract-to': folder, add: 'search' },
      },
      { cause: error },
    );
  }
}
