import type { DestinationInputs } from '../inputs/inputs.ts';
import { formatAddress } from '../stores/address.ts';

/** The destinations of a run for its report; undefined where none is asked for. */
export function destinationsText(to: DestinationInputs | undefined): string | undefined {
  return to?.addresses.map(formatAddress).join(', ');
}
