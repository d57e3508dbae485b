import { BASELINE_UPDATES, type SearchInputs } from './inputs.ts';
import { readComment } from './read-comment.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import * as values from './values.ts';
import { apiKey } from './values.ts';

const MAX_REQUESTS = 100_000;

/** Goes through all of its inputs before it gives up: every fault is to be reported. */
export function readSearch(
  reader: InputReader,
  destination: ReadDestination,
): Omit<SearchInputs, 'baseUrl' | 'dryRun'> | undefined {
  const assistantApiKey = reader.required('assistant-api-key', apiKey('assistant'));
  const domain = reader.required('domain', values.siteId);
  const search = {
    query: reader.optional('query', values.text),
    queriesFile: reader.optional('queries-file', values.pathBelow(destination.workspace)),
    pageSize: reader.optional('page-size', values.integer({ min: 1, max: 50 })),
    scoreThreshold: reader.optional('score-threshold', values.decimal({ min: 0, max: 1 })),
    filter: {
      version: reader.optional('filter-version', values.line),
      language: reader.optional('filter-language', values.line),
      tag: reader.optional('filter-tag', values.line),
      groups: reader.optional('filter-groups', values.lines(values.line)),
    },
    minResults: reader.required('min-results', values.integer({ min: 0, max: 50 })) ?? 0,
    baselineFile: reader.optional('baseline-file', values.pathBelow(destination.workspace)),
    baselineUpdate: reader.required('baseline-update', values.oneOf(BASELINE_UPDATES)) ?? 'never',
    failOn: reader.required('fail-on', values.oneOf(['missed', 'worse'])) ?? 'missed',
    maxRequests: reader.required('max-requests', values.integer({ min: 1, max: MAX_REQUESTS })) ?? 0,
    waitForIndexMs: reader.optional('wait-for-index', values.duration),
    comment: readComment(reader, destination),
  };
  if (reader.isGiven('query') === reader.isGiven('queries-file')) {
    reader.problem(
      reader.isGiven('query')
        ? 'query and queries-file exclude each other; give one of them'
        : 'query or queries-file is missing',
    );
  }
  for (const name of ['baseline-update', 'fail-on'] as const) {
    if (reader.isGiven(name) && !reader.isGiven('baseline-file')) {
      reader.problem(`${name}: ${reader.text(name)} needs baseline-file, the file with the earlier run`);
    }
  }
  if (assistantApiKey === undefined || domain === undefined) return undefined;
  return { mode: 'search', ...search, assistantApiKey, domain };
}
