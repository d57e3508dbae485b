import { Delivery } from '../delivery/delivery.ts';
import { makeStores } from '../delivery/destinations.ts';
import {
  LOST_IMAGE,
  LOST_IMAGE_FIX,
  lostImagesText,
  readStoredImages,
  type StoredImages,
} from '../delivery/stored-images.ts';
import { historySection, type LiveExport } from '../delivery/summary.ts';
import { assertFailure, type CourierError, courierError } from '../ground/errors.ts';
import { formatInstant } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../ground/text/escape.ts';
import type { Inputs, RollbackInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { errorSection, heading, type RunFacts, sections } from '../run/report.ts';
import { type Address, formatAddress } from '../stores/kinds.ts';

/**
 * What is live in one destination, as its state knows it: a record, kept beside the link, of the
 * exports that were written there.
 */
interface DestinationStatus {
  readonly destination: string;
  /** When the link stops working. */
  readonly expiresAt?: string | undefined;
  /** Newest first; the live one has `live: true`. */
  readonly exports: readonly LiveExport[];
  /** Why the state cannot be relied on, or why nothing could be read. */
  readonly problem?: string | undefined;
}

interface StatusFacts {
  readonly destinations?: readonly DestinationStatus[];
}

const HEAD = [
  'Destination',
  'Live export',
  'Since',
  'Link works until',
  'Written by',
  'Roll back to',
] as const;

/**
 * Reads every destination with its state, and writes nothing. If a destination cannot be read, the
 * others are still read and shown, and then its error is thrown.
 */
async function runStatus(
  inputs: RollbackInputs,
  deps: Deps<StatusFacts>,
): Promise<StatusFacts & RunFacts> {
  const { log, clock, record } = deps;
  const errors: CourierError[] = [];
  const destinations: DestinationStatus[] = [];
  for (const address of inputs.to.addresses) {
    const status = await readDestination(address, inputs, deps).catch((error: unknown) => {
      // A fault of this program, or the end of the run.
      assertFailure(error);
      errors.push(error);
      // Shown in the row of this destination.
      return { destination: shownAddress(address), exports: [], problem: error.message };
    });
    destinations.push(status);
    if (status.problem?.includes(LOST_IMAGE))
      errors.push(
        courierError('not-found', `${status.destination}: ${LOST_IMAGE}`, LOST_IMAGE_FIX),
      );
    // Recorded each time: a run that is cancelled shows what it has read.
    record({ destinations });
  }
  const rows = destinations.map((status) => rowOf(status, clock.now()));
  log.table(HEAD, rows, (cells) => {
    const named = cells.map((cell, column) => `${HEAD[column]}: ${cell.replaceAll('\n', ', ')}`);
    return named.join(', ');
  });
  for (const { destination, problem, exports } of destinations) {
    // A destination with a problem has said above what is wrong.
    if (problem !== undefined || exports.some((written) => written.live)) continue;
    log.warning(
      `${destination} has no link of an export. If an export has written it, check the address.`,
    );
  }
  const [error] = errors;
  if (error !== undefined) throw error;
  return { status: 'completed', destinations };
}

/** Reads one destination alone, so that it is shown even if another cannot be read. */
async function readDestination(
  address: Address,
  inputs: RollbackInputs,
  deps: Deps<StatusFacts>,
): Promise<DestinationStatus> {
  const stores = await makeStores({ ...inputs.to, addresses: [address] }, deps);
  const delivery = await Delivery.open({
    ...deps,
    baseUrl: inputs.baseUrl,
    adminApiKey: inputs.adminApiKey,
    projectId: inputs.projectId,
    // Without the state there is nothing to show.
    needsState: true,
    // Nothing is delivered: `export` would warn that it replaces the link.
    by: 'rollback',
    use: 'read',
    run: deps.github.run,
    stores,
    record: () => undefined,
  });
  // `changed`: why the state is not up to date, as a sentence. `ignored`: why it is not used.
  const { changed, ignored } = delivery;
  const whyIgnored = ignored && `The state is ignored because ${ignored}.`;
  const [store] = stores;
  const images = store && (await readStoredImages(store, delivery.exports));
  const problems = [changed ?? whyIgnored, images && imageProblem(images)].filter(Boolean);
  // A destination without a state has neither an expiry nor exports.
  return {
    destination: shownAddress(address),
    expiresAt: delivery.state?.expiresAt,
    exports: delivery.exports ?? [],
    problem: problems.join(' ') || undefined,
  };
}

/** What cannot be pulled; undefined: the image of the tag and all those to go back to can be. */
function imageProblem({ isLiveWhole, lostJobs }: StoredImages): string | undefined {
  if (!isLiveWhole) return LOST_IMAGE;
  return lostJobs.length > 0 ? lostImagesText(lostJobs) : undefined;
}

/** With `--to-command`, what is read is the destination that keeps the state. */
function shownAddress(address: Address): string {
  return formatAddress(address.scheme === 'command' ? address.state : address);
}

/** The cells of a destination, below those of `HEAD`. */
function rowOf(status: DestinationStatus, nowMs: number): string[] {
  const { destination, exports, problem } = status;
  const live = exports.find((written) => written.live);
  // The other cells are about the live export.
  if (live === undefined) return [destination, problem ?? 'none yet'];
  const olderExports = exports.slice(exports.indexOf(live) + 1);
  // An export that a rollback has taken back is not one to go back to.
  const choices = olderExports.filter((written) => written.withdrawn === undefined);
  const shownChoices = choices.map((written) => `${written.job} ${digestOf(written)}`.trimEnd());
  const details = [
    live.job,
    live.pages !== undefined && `${live.pages} pages`,
    live.commit && `commit ${live.commit.slice(0, 7)}`,
    digestOf(live),
    problem,
  ];
  return [
    destination,
    details.filter(Boolean).join('\n'),
    timeOf(live.at),
    live.image === undefined ? expiryOf(status, nowMs) : 'an image does not expire',
    live.by ?? 'not known',
    shownChoices.join('\n') || 'none',
  ];
}

function timeOf(text: string | undefined): string {
  if (text === undefined) return 'not known';
  return formatInstant(new Date(text));
}

function expiryOf(status: DestinationStatus, nowMs: number): string {
  // False if the expiry is not known.
  const isOver = Date.parse(status.expiresAt ?? '') <= nowMs;
  return `${timeOf(status.expiresAt)}${isOver ? ' (expired)' : ''}`;
}

/** `sha256:…`; empty: the destination keeps no images. */
function digestOf(written: LiveExport): string {
  return written.image?.replace(/^.*@/, '') ?? '';
}

/** A destination in the summary: its address, what is wrong with it, and its exports. */
function destinationSection({ destination, problem, exports }: DestinationStatus): string {
  const history = historySection(exports);
  const parts = [codeSpan(destination), escapeMarkdown(problem ?? ''), history];
  // Without a problem, the destination was read: there is no export in it.
  if (problem === undefined && history === undefined) parts.push('Nothing is live.');
  return sections(parts);
}

export const statusMode = defineMode<Inputs, StatusFacts>({
  // The command line gives it the inputs of a rollback.
  run: (inputs, deps) => {
    if (inputs.mode !== 'rollback')
      throw new Error(`status was given the inputs of ${inputs.mode}`);
    return runStatus(inputs, deps);
  },
  summary(report) {
    // A run that failed early has read none.
    const destinations = (report.destinations ?? []).map(destinationSection);
    const head = [heading('What is live', report.status), errorSection(report.error)];
    return sections([...head, ...destinations]);
  },
});
