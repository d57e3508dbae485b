import { CourierError } from '../errors.ts';
import type { Inputs, RollbackInputs } from '../inputs/inputs.ts';
import { makeStores } from '../publish/destinations.ts';
import { Delivery } from '../publish/state/delivery.ts';
import { historySection, type LiveExport } from '../publish/state/summary.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { errorSection, heading, type RunFacts, sections } from '../run/report.ts';
import { type Address, formatAddress } from '../stores/kinds.ts';
import { formatInstant } from '../text/amounts.ts';
import { codeSpan } from '../text/escape.ts';

/** What is live in one destination, as its state knows it. */
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
  readonly destinations?: readonly DestinationStatus[] | undefined;
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
 * Reads every destination with its state, and writes nothing. Throws the first error when all were
 * read.
 */
async function runStatus(
  inputs: RollbackInputs,
  deps: Deps<StatusFacts>,
): Promise<StatusFacts & RunFacts> {
  const { log, clock, record } = deps;
  const errors: CourierError[] = [];
  const destinations: DestinationStatus[] = [];
  for (const address of inputs.to.addresses) {
    const found = await look(address, inputs, deps).catch((error: unknown) => {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      errors.push(error);
      return { destination: textOf(address), exports: [], problem: error.message };
    });
    destinations.push(found);
    record({ destinations });
  }
  log.table(
    HEAD,
    destinations.map((one) => rowOf(one, clock.now())),
    (cells) =>
      cells
        .flatMap((cell, column) =>
          cell === '' ? [] : `${HEAD[column]}: ${cell.replaceAll('\n', ', ')}`,
        )
        .join(', '),
  );
  for (const { destination, exports, problem } of destinations) {
    if (problem === undefined && !exports.some((one) => one.live)) {
      log.warning(
        `${destination} has no link of an export. If an export has written it, check the address.`,
      );
    }
  }
  const [error] = errors;
  if (error !== undefined) throw error;
  return { status: 'completed', destinations };
}

async function look(
  address: Address,
  { to, baseUrl, adminApiKey, projectId }: RollbackInputs,
  deps: Deps<StatusFacts>,
): Promise<DestinationStatus> {
  const { github, log, clock, signal } = deps;
  const stores = await makeStores({ ...to, addresses: [address] }, deps);
  const binding = { baseUrl, adminApiKey, projectId, needsState: true };
  const by = { by: 'rollback', use: 'read', run: github.run } as const;
  const delivery = await Delivery.open({
    ...binding,
    ...by,
    stores,
    log,
    clock,
    signal,
    record: () => undefined,
  });
  const { changed, ignored, state, exports = [] } = delivery;
  const problem = changed ?? (ignored && `The state is ignored because ${ignored}.`);
  return { destination: textOf(address), expiresAt: state?.expiresAt, exports, problem };
}

function textOf(address: Address): string {
  return formatAddress(address.scheme === 'command' ? address.state : address);
}

function rowOf(
  { destination, expiresAt, exports, problem }: DestinationStatus,
  nowMs: number,
): string[] {
  const time = (text: string | undefined) =>
    text === undefined ? 'not known' : formatInstant(new Date(text));
  const live = exports.find((one) => one.live);
  if (live === undefined) return [destination, problem ?? 'none yet'];
  const details = [
    live.pages === undefined ? undefined : `${live.pages} pages`,
    live.commit && `commit ${live.commit.slice(0, 7)}`,
    digestOf(live),
  ];
  const earlier = exports
    .slice(exports.indexOf(live) + 1)
    .filter(({ withdrawn }) => withdrawn === undefined);
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
  return [
    destination,
    [live.job, ...details, problem].filter((text) => text !== undefined).join('\n'),
    time(live.at),
    live.image === undefined
      ? `${time(expiresAt)}${isOver ? ' (expired)' : ''}`
      : 'an image does not expire',
    live.by ?? 'not known',
    earlier
      .map((one) => [one.job, digestOf(one)].filter((text) => text !== undefined).join(' '))
      .join('\n') || 'none',
  ];
}

/** `sha256:…`; undefined: the destination keeps no images. */
function digestOf({ image }: LiveExport): string | undefined {
  return image?.replace(/^.*@/, '');
}

export const statusMode = defineMode<Inputs, StatusFacts>({
  // The command line gives it the inputs of a rollback.
  run: (inputs, deps) => {
    if (inputs.mode !== 'rollback')
      throw new Error(`status was given the inputs of ${inputs.mode}`);
    return runStatus(inputs, deps);
  },
  outputs: () => ({}),
  summary: ({ destinations = [], status, error }) =>
    sections([
      heading('What is live', status),
      errorSection(error),
      ...destinations.map(
        (one) =>
          `${codeSpan(one.destination)}\n\n${historySection(one.exports) ?? 'Nothing is live.'}`,
      ),
    ]),
});
