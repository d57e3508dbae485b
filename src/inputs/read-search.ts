import { BASELINE_UPDATES, type CommonInputs, type SearchInputs } from './inputs.ts';
import { type InputReader, type ReadDestination, readComment } from './reader.ts';
import * as values from './values.ts';
import { apiKey, type Parser, reject } from './values.ts';

const FILTER_KEYS = ['version', 'language', 'tag', 'groups'] as const;

/** One `version=2` a line; `groups` on a line for each group, any other key once. */
const filter: Parser<SearchInputs['filter']> = (text) => {
  const found: { version?: string; language?: string; tag?: string; groups?: string[] } = {};
  for (const line of values.lines(values.line)(text)) {
    const [, written = '', value = ''] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const key = FILTER_KEYS.find((name) => name === written.trim());
    if (key === undefined || value.trim() === '') return reject(`one KEY=VALUE a line, KEY ${FILTER_KEYS.join(', ')}`);
    if (key === 'groups') found.groups = [...(found.groups ?? []), value.trim()];
    else if (found[key] === undefined) found[key] = value.trim();
    else return reject(`one line for ${key}; only groups may have several lines`);
  }
  return found;
};

/** Goes through all of its inputs before it gives up: every fault is to be reported. */
export function readSearch(
  reader: InputReader,
  destination: ReadDestination,
  common: CommonInputs,
): SearchInputs | undefined {
  const assistantApiKey = reader.required('assistant-api-key', apiKey('assistant'));
  const domain = reader.required('domain', values.siteId);
  const search = {
    query: reader.optional('query', values.text),
    queriesFile: reader.optional('queries-file', values.pathBelow(destination.workspace)),
    filter: reader.optional('filter', filter) ?? {},
    minResults: reader.optional('min-results', values.integer({ min: 0, max: 50 })),
    baselineFile: reader.optional('baseline-file', values.pathBelow(destination.workspace)),
    baselineUpdate: reader.required('baseline-update', values.oneOf(BASELINE_UPDATES)) ?? 'never',
    failOn: reader.required('fail-on', values.oneOf(['missed', 'worse'])) ?? 'missed',
    waitForIndexMs: reader.optional('wait-for-index', values.duration),
    comment: readComment(reader, destination),
  };
  if (reader.isGiven('query') === reader.isGiven('queries-file')) {
    if (reader.isGiven('query')) reader.problem('query and queries-file exclude each other; give one of them');
    else reader.problem('query or queries-file is missing', { inputs: { 'queries-file': '' } });
  }
  for (const name of ['baseline-update', 'fail-on'] as const) {
    if (reader.isGiven(name) && !reader.isGiven('baseline-file')) {
      reader.problem(`${name}: ${reader.text(name)} needs baseline-file, the file with the earlier run`);
    }
  }
  if (assistantApiKey === undefined || domain === undefined) return undefined;
  return { mode: 'search', ...common, ...search, assistantApiKey, domain };
}
