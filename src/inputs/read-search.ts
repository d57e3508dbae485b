import type { InputContext, InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { apiKey, type Parser, reject } from '../values/values.ts';
import { type CommonInputs, readComment } from './read-common.ts';

const FILTER_KEYS = ['version', 'language', 'tag', 'groups'] as const;
type FilterKey = (typeof FILTER_KEYS)[number];

interface Filter {
  version?: string;
  language?: string;
  tag?: string;
  groups?: string[];
}

/** Before another filter in the same line, such as ` version=2` and `, language: en`. */
const NEXT_FILTER = /(?:\s{1,4}and)?[\s,;&]{1,8}(?=(?:version|language|tag|groups)\s{0,4}[=:])/;

/** The filters of a text, one a line; undefined: it is not certain what they are. */
function onePerLine(filters: string): string | undefined {
  const lines = filters.split(NEXT_FILTER).map((part) => part.replace(/^(\w+) *[=:] */, '$1='));
  const text = lines.join('\n');
  return text !== filters && values.fits(filter, text) ? text : undefined;
}

/** One `version=2` a line; `groups` on a line for each group, any other key once. */
const filter: Parser<Filter> = (text) => {
  const filters: Filter = {};
  for (const line of values.lines(values.line)(text)) {
    const [, written = '', value = ''] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const key = FILTER_KEYS.find((name) => name === written.trim());
    // Such as `2, language=en`: several filters in one line.
    const isSeveral = /[,;&] ?\w+[=:]|\s\w+\s*=/.test(value) || NEXT_FILTER.test(value);
    if (key === undefined || value.trim() === '' || isSeveral) {
      const allowed = `one KEY=VALUE a line; KEY is one of ${FILTER_KEYS.join(', ')}`;
      return reject(allowed, onePerLine(text));
    }
    if (key === 'groups') filters.groups = [...(filters.groups ?? []), value.trim()];
    else if (filters[key] === undefined) filters[key] = value.trim();
    else return reject(`one line for ${key}; only groups may have several lines`);
  }
  return filters;
};

/**
 * The inputs of mode `search`; undefined if one is missing. Reads all of them, so that each fault
 * is reported.
 */
export function readSearch(reader: InputReader, context: InputContext, common: CommonInputs) {
  const path = values.pathBelow(context.workspace);
  const isFolder = reader.isGiven('search-site');
  const assistantApiKey = isFolder
    ? reader.optional('assistant-api-key', apiKey('assistant'))
    : reader.required('assistant-api-key', apiKey('assistant'));
  // The site's identifier, without a dot.
  const domain = isFolder
    ? reader.optional('domain', values.siteId)
    : reader.required('domain', values.siteId);
  const search = {
    /** A folder whose added search is searched, without the platform; absolute. */
    searchSite: reader.optional('search-site', path),
    /** Exactly one of `query` and `queriesFile` is given. */
    query: reader.optional('query', values.text),
    /**
     * Absolute path as given. What its real path may be is checked when it is read.
     */
    queriesFile: reader.optional('queries-file', path),
    filter: reader.optional('filter', filter) ?? {},
    /** undefined: 1, or 0 if a query only names pages that must be absent. */
    minResults: reader.optional('min-results', values.integer(0, 50)),
    /**
     * A query fails the run only if its result is worse than in this file. undefined: each query
     * that does not find its pages fails the run.
     */
    baselineFile: reader.optional('baseline-file', path),
    waitForIndexMs: reader.optional('wait-for-index', values.duration),
    /** undefined: no comment is written. */
    comment: readComment(reader, context),
  } as const;
  const hasQuery = reader.isGiven('query');
  const hasFile = reader.isGiven('queries-file');
  if (hasQuery && hasFile)
    reader.problem('query', 'query and queries-file exclude each other; give one of them');
  if (!hasQuery && !hasFile) {
    const inputs = { 'queries-file': '' };
    reader.problem('query', 'query or queries-file is missing', { inputs });
  }
  if (isFolder) checkFolderSearch(reader, search.filter, assistantApiKey);
  else if (assistantApiKey === undefined || domain === undefined) return undefined;
  return {
    mode: 'search',
    ...common,
    ...search,
    /** Empty if a folder is searched and no comment is written. */
    assistantApiKey: assistantApiKey ?? '',
    /** Empty as above. */
    domain: domain ?? '',
  } as const;
}

/** Refuses inputs that have no effect in a search of a folder. */
function checkFolderSearch(
  reader: InputReader,
  filter: Readonly<Partial<Record<FilterKey, unknown>>>,
  assistantApiKey: string | undefined,
): void {
  reader.forbid(
    ['wait-for-index'],
    'is not read together with search-site: the index of a folder is complete',
  );
  const others = FILTER_KEYS.filter((name) => name !== 'language' && filter[name] !== undefined);
  for (const name of others)
    reader.problem(
      'filter',
      `filter: search-site knows the language of a page, and not its ${name}; remove ${name}`,
    );
  // The text, since the comment itself is undefined also if another input of it is wrong.
  const wantsComment = !/^(false)?$/i.test(reader.text('comment'));
  if (assistantApiKey === undefined && wantsComment) {
    reader.problem(
      'comment',
      'comment needs assistant-api-key, also together with search-site: the comment is signed with it',
    );
  }
}
