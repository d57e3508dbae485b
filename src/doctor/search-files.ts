import type { DoctorInputs } from '../inputs/inputs.ts';
import { ok } from '../stores/port.ts';
import type { Checks, DoctorDeps } from './finding.ts';

/** The files that a search reads: its queries, the earlier report, and the folder it searches. */
export async function* checkSearchFiles({ search }: DoctorInputs, deps: DoctorDeps): Checks {
  const files = [search?.queriesFile, search?.baselineFile, search?.searchSite];
  if (search === undefined || files.every((file) => file === undefined)) return;
  const { openSearched, readQueries } = await import('../search/search.ts');
  const { readBaseline } = await import('../search/baseline.ts');
  // Each of them throws if its file cannot be used.
  await readQueries(search, deps);
  await readBaseline(search.baselineFile, deps.run, deps.log);
  await openSearched(search, deps);
  yield ok('Files of the search', 'They can be read.');
}
