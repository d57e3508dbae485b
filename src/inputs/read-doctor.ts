import { INPUTS, type InputName } from '../values/catalog.ts';
import { INPUT_NAMES, type InputProblem, InputReader, type InputSource } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { apiKey, apiToken } from '../values/values.ts';
import type { DoctorInputs, WorkInputs, WorkMode } from './inputs.ts';

/** The modes that inputs can show. Each input of a rollback is one of another mode too. */
const WORK_MODES = ['export', 'refresh', 'publish', 'agent', 'search'] as const;

/**
 * Inputs that say where an export or a refresh puts its link or its site, or which job it takes.
 */
const DELIVERY = [
  'to',
  'image',
  'bundle-path',
  'extract-to',
  'export-job-id',
  'live-url',
] as const satisfies readonly InputName[];

/**
 * The inputs of `mode: doctor`: those of the modes that the given inputs belong to, each read by
 * `readMode` as a step of that mode would. A wrong input is in `problems`, and is not thrown.
 */
export function readDoctor(
  source: InputSource,
  readMode: (mode: WorkMode, reader: InputReader) => WorkInputs | undefined,
  emptyCauses?: () => readonly string[],
): DoctorInputs {
  const reader = new InputReader(source, emptyCauses);
  reader.refuseUnknown();
  const checked = modesOf(reader);
  const readers = [reader];
  const hasQuery = reader.isGiven('query') || reader.isGiven('queries-file');
  const inputs: WorkInputs[] = [];
  for (const mode of checked) {
    // Without a query, the search is tried with a word that every site has.
    const needsSample = mode === 'search' && !hasQuery;
    const value = (name: string) =>
      needsSample && name === 'query' ? 'documentation' : source.value(name);
    const modeReader = new InputReader({ ...source, value }, emptyCauses);
    readers.push(modeReader);
    const inputsOfMode = readMode(mode, modeReader);
    // Inputs that are wrong add nothing: their faults are among the problems of the reader.
    if (inputsOfMode !== undefined) inputs.push(inputsOfMode);
  }
  // Neither a folder that is searched nor a site that is there already needs the platform.
  const isFolderAlone = reader.isGiven('search-site') && checked.every((mode) => mode === 'search');
  const isLocal = isFolderAlone || reader.isGiven('from');
  const given = {
    baseUrl: isLocal
      ? reader.optional('base-url', values.baseUrl)
      : reader.required('base-url', values.baseUrl),
    adminApiKey: reader.optional('admin-api-key', apiKey('admin')),
    assistantApiKey: reader.optional('assistant-api-key', apiKey('assistant')),
    githubToken: reader.optional('github-token', apiToken),
    // With both, an export is made by domain, and doctor tries what an export does.
    projectId: reader.isGiven('domain') ? undefined : reader.optional('project-id', values.pathId),
  };
  // The problems of all readers, each text once.
  const problems = new Map<string, InputProblem>();
  for (const { problems: ofReader } of readers)
    for (const { text, fix } of ofReader) problems.set(text, { text, fix });
  const inputsOf = <M extends WorkMode>(mode: M) =>
    inputs.find((read): read is Extract<WorkInputs, { mode: M }> => read.mode === mode);
  return {
    mode: 'doctor',
    ...given,
    checked,
    export: inputsOf('export'),
    refresh: inputsOf('refresh'),
    publish: inputsOf('publish'),
    agent: inputsOf('agent'),
    search: inputsOf('search'),
    problems: [...problems.values()],
  };
}

/**
 * The modes that a step with these inputs can have. An input that only one mode takes decides; else
 * the inputs that are given together, and whether `domain` is a host name.
 */
function modesOf(reader: InputReader): WorkMode[] {
  const hasAny = (...names: readonly InputName[]) => names.some((name) => reader.isGiven(name));
  const hasAnyWithout = (names: readonly InputName[], others: readonly InputName[]) =>
    hasAny(...names) && !hasAny(...others);
  const certainModes = WORK_MODES.filter((mode) => hasOwnInput(reader, mode));
  const modes = new Set<WorkMode>(certainModes);
  const isDelivered = hasAny(...DELIVERY);
  // An export takes a host name, search an identifier without a dot.
  const isHost = reader.text('domain').includes('.');
  // A refresh needs no site: the state of its link names it.
  if (hasAnyWithout(['to', 'export-job-id'], ['domain', 'project-id'])) modes.add('refresh');
  if (hasAny('domain') && (isHost || isDelivered)) modes.add('export');
  // A refresh may name its project too.
  if (hasAny('project-id') && isDelivered && !modes.has('refresh')) modes.add('export');
  // `agent` and `publish` need nothing else than a project: either is possible, unless an input
  // that only one of them takes is given. The agent also needs the token.
  const isProjectAlone = hasAnyWithout(['project-id'], ['domain', ...DELIVERY]);
  const hasToken = reader.text('github-token') !== '';
  if (isProjectAlone && hasToken && !certainModes.includes('publish')) modes.add('agent');
  if (isProjectAlone && !certainModes.includes('agent')) modes.add('publish');
  // The agent searches a site too, for its context.
  const isSiteAlone = hasAny('domain') && !isHost && !isDelivered;
  if (isSiteAlone && !modes.has('agent')) modes.add('search');
  // Of these modes, only a search needs no admin key.
  if (hasAnyWithout(['assistant-api-key'], ['admin-api-key'])) modes.add('search');
  return WORK_MODES.filter((mode) => modes.has(mode));
}

/** True if an input is given that only this mode takes. Not github-token: each step has that. */
function hasOwnInput(reader: InputReader, mode: WorkMode): boolean {
  return INPUT_NAMES.some((name) => {
    const modes: readonly string[] = INPUTS[name].modes;
    const isOnlyOfMode = modes.length === 1 && modes.includes(mode);
    return name !== 'github-token' && isOnlyOfMode && reader.isGiven(name);
  });
}
