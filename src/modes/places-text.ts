import type { DestinationInputs } from '../inputs/inputs.ts';
import { formatAddress } from '../store/address.ts';

/** The places of a run for its report; undefined where none is asked for. */
export function placesText(to: DestinationInputs | undefined): string | undefined {
  return to?.addresses.map(formatAddress).join(', ');
}
