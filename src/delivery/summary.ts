import { codeSpan, escapeMarkdown } from '../text/escape.ts';

/** What became of the link in one place. */
export interface PlaceFacts {
  /** The canonical address, such as `github:secret/NAME`. */
  readonly place: string;
  /** The place holds the link of this run. */
  readonly written: boolean;
  /** What went wrong there: the code and the message of the error. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** What became of the link and of the state next to it, in the first place; `updated` is about all of them. */
export interface DeliveryFacts {
  /** Every place holds the link of this run. */
  readonly updated: boolean;
  /** Name of the secret. */
  readonly name: string;
  /** Where it is, such as `repository acme/app` or `environment production of acme/app`. */
  readonly target: string;
  /** True when the state names job and expiry of this link. */
  readonly stateWritten: boolean;
  /** Why something was not written. */
  readonly reason?: string | undefined;
  readonly places?: readonly PlaceFacts[] | undefined;
}

/** Written or not, where, and why not. `isAskedFor`: the step names a place. */
export function deliveryText(secret: DeliveryFacts | undefined, isAskedFor: boolean): string {
  if (secret === undefined) return isAskedFor ? 'not written' : 'not asked for';
  const { places = [] } = secret;
  if (places.length > 1) return places.map(placeText).join('; ');
  const where = `${codeSpan(secret.name)} of ${escapeMarkdown(secret.target)}`;
  const why = secret.reason === undefined ? '' : `: ${escapeMarkdown(secret.reason)}`;
  return secret.updated ? `written to ${where}${why}` : `not written to ${where}${why}`;
}

function placeText({ place, written, error }: PlaceFacts): string {
  const why = error === undefined ? '' : `: ${escapeMarkdown(error.code)}`;
  return `${written ? 'written to' : 'not written to'} ${codeSpan(place)}${why}`;
}
