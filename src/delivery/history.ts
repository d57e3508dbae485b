import type { ExportRecord, StateRecord } from './state.ts';

// The history is the part of a state (the signed text next to a link) that lists which exports are
// and were live in the destination, newest first. A run goes back to one of them.

/** The state remembers this many exports; fewer if the store has less room. */
const MAX_EXPORTS = 20;
/** A state that is too long for its store loses runs first, then exports; these few go last. */
const FEW_EXPORTS = 5;
const FEW_RUNS = 2;

/**
 * What a run knows of the export that it puts in place: `pages` as counted in the bundle, else as
 * the platform reported.
 */
export type ExportDetails = Partial<
  Readonly<
    Pick<
      ExportRecord,
      | 'pages'
      | 'projectId'
      | 'manifest'
      | 'commit'
      | 'contentCommit'
      | 'contentFrom'
      | 'fingerprint'
      | 'by'
      | 'image'
      | 'forced'
    >
  >
>;

export type DeliveredBy = 'export' | 'refresh' | 'rollback';

/** A job that is put in place. */
interface Placing {
  readonly jobId: string;
  /** After a `rollback`, the state says that its job is an earlier export. */
  readonly mode: DeliveredBy;
  readonly details: ExportDetails;
  /** Run and job. */
  readonly run: string;
}

/**
 * History and rollback of a state whose job becomes that of `placing` at `at`, ISO 8601. If it is
 * that job already, only details that were not known before are added.
 */
export function historyAfter(
  state: StateRecord,
  placing: Placing,
  at: string,
): Pick<StateRecord, 'history' | 'rollback'> {
  const { jobId, mode, details, run } = placing;
  const exports = exportsOf(state);
  if (state.jobId === jobId) {
    return { history: withMissingDetails(exports, placing), rollback: state.rollback };
  }
  const isNew = exports.every((entry) => entry.job !== jobId);
  const live = liveExport(state);
  // A new export with the content of the live one shares its entry: otherwise unchanged exports
  // would soon push the others out of the history.
  const isUnchanged = isNew && live !== undefined && hasSameContent(live, details) === true;
  const history = isUnchanged ? withLiveRenewed(state, placing) : withLive(exports, placing, at);
  // Any other decision ends a rollback.
  if (mode !== 'rollback') return { history, rollback: undefined };
  const person = details.by;
  return { history, rollback: { at, from: state.jobId, by: person, run } };
}

/**
 * The exports that were live in a destination, newest first. The live one is among them, even if
 * the state knows only its id.
 */
export function exportsOf(state: StateRecord): readonly ExportRecord[] {
  const { history = [], jobId } = state;
  if (jobId === undefined || history.some((one) => one.job === jobId)) return history;
  return [{ job: jobId, at: state.written?.at }, ...history];
}

/**
 * The export that is live in a destination, as far as the state knows it; undefined: there is none.
 */
export function liveExport(state: StateRecord): ExportRecord | undefined {
  return exportsOf(state).find((one) => one.job === state.jobId);
}

/**
 * Whether two exports have the same content, by its digest or fingerprint; undefined: that is not
 * known.
 */
export function hasSameContent(a: ExportDetails, b: ExportDetails): boolean | undefined {
  // Two images with the same content can have two digests, so that different ones show nothing.
  if (a.image !== undefined && a.image === b.image) return true;
  if (a.fingerprint === undefined || b.fingerprint === undefined) return undefined;
  return a.fingerprint === b.fingerprint;
}

/**
 * An export to go back to: the latest whose content is not known to be that of `live`; undefined:
 * there is none. Without a live export, nothing is known of its content.
 */
export function exportBefore(
  state: StateRecord,
  live: ExportDetails = liveExport(state) ?? {},
): Former | undefined {
  const earlier = earlierExports(state).find((one) => hasSameContent(one, live) !== true);
  return earlier && { export: earlier, isKnownToDiffer: hasSameContent(earlier, live) === false };
}

/** An export to go back to. */
export interface Former {
  readonly export: ExportRecord;
  /**
   * False: its content may be that of the live export, and the log says so. True also if the caller
   * has chosen the export: then there is nothing to doubt.
   */
  readonly isKnownToDiffer: boolean;
}

/**
 * The exports that were live before the one that is live now, the latest first. Exports that were
 * rolled back are not among them: a person wanted to get away from them.
 */
export function earlierExports(state: StateRecord): readonly ExportRecord[] {
  const exports = exportsOf(state);
  // -1 if none is live: then all count.
  const liveIndex = exports.findIndex((entry) => entry.job === state.jobId);
  return exports.slice(liveIndex + 1).filter((entry) => entry.withdrawn === undefined);
}

/**
 * The state, shortened until its text fits. Runs and exports go first, the oldest ones before the
 * others, but a few of both stay; then all former runs, unanswered announcements, and the last few
 * exports. The live export always stays.
 */
export function cutState(state: StateRecord, fits: (state: StateRecord) => boolean): StateRecord {
  if (fits(state)) return state;
  const less = withLess(state);
  return less === undefined ? state : cutState(less, fits);
}

/** The state without what matters least in it, as `cutState` says; undefined: nothing can go. */
function withLess(state: StateRecord): StateRecord | undefined {
  const { history = [], runs = [], unanswered = [] } = state;
  if (runs.length > FEW_RUNS) return { ...state, runs: runs.slice(0, FEW_RUNS) };
  const oldest = history.findLast((entry) => entry.job !== state.jobId);
  // undefined: only the live export is left.
  const withoutOldest = oldest && { ...state, history: history.filter((one) => one !== oldest) };
  if (withoutOldest !== undefined && history.length > FEW_EXPORTS) return withoutOldest;
  // The first run is the newest, which a re-run looks for.
  if (runs.length > 1) return { ...state, runs: runs.slice(0, -1) };
  if (unanswered.length > 0) return { ...state, unanswered: unanswered.slice(1) };
  return withoutOldest;
}

/**
 * The history whose entry of the live export becomes that of the new job, whose content is the
 * same. What is not known of the new job stays as it was.
 */
function withLiveRenewed(state: StateRecord, { jobId, details }: Placing): readonly ExportRecord[] {
  const knownDetails = Object.entries(details).filter(([, value]) => value !== undefined);
  const renewing = { ...Object.fromEntries(knownDetails), job: jobId };
  return exportsOf(state).map((one) => (one.job === state.jobId ? { ...one, ...renewing } : one));
}

/**
 * The history with the job as the live one. A new job is added in front. If the job was live
 * before, the newer exports are marked as withdrawn, so that no later rollback leads to them.
 */
function withLive(
  history: readonly ExportRecord[],
  { jobId, details }: Placing,
  at: string,
): readonly ExportRecord[] {
  // -1, and so no entry, if the job is new.
  const index = history.findIndex((entry) => entry.job === jobId);
  const formerEntry = history[index];
  if (formerEntry === undefined)
    return [{ job: jobId, at, ...details }, ...history].slice(0, MAX_EXPORTS);
  const newer = history.slice(0, index).map((one) => ({ ...one, withdrawn: one.withdrawn ?? at }));
  const content = contentOf(formerEntry, details);
  const liveAgain = { ...formerEntry, withdrawn: undefined, ...content };
  return [...newer, liveAgain, ...history.slice(index + 1)];
}

/**
 * The history with the details of the job that it did not know: only these can become known later,
 * such as by a refresh that downloads the bundle.
 */
function withMissingDetails(
  history: readonly ExportRecord[],
  { jobId, details }: Placing,
): readonly ExportRecord[] {
  return history.map((entry) => {
    if (entry.job !== jobId) return entry;
    // Unlike the others, these replace what was known.
    const content = contentOf(entry, details);
    const pages = entry.pages ?? details.pages;
    const manifest = entry.manifest ?? details.manifest;
    return { ...entry, pages, manifest, ...content };
  });
}

/**
 * What names the content: the newer one counts, since an image made again has another digest. And
 * whether it was ever forced into place.
 */
function contentOf(known: ExportRecord, details: ExportDetails) {
  const { image = known.image, fingerprint = known.fingerprint, forced = known.forced } = details;
  return { image, fingerprint, forced };
}
