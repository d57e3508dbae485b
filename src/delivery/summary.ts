import { codeSpan, escapeMarkdown } from '../text/escape.ts';

/** What became of the secret and of the state variable beside it. */
export interface DeliveryFacts {
  /** The secret holds the link of this run. */
  readonly updated: boolean;
  /** Name of the secret. */
  readonly name: string;
  /** Where it lives, such as `repository acme/app` or `environment production of acme/app`. */
  readonly target: string;
  /** True when the state variable tells job and expiry of this link. */
  readonly stateWritten: boolean;
  /** Why something was not written. */
  readonly reason?: string | undefined;
}

/** Written or not, where, and why not. `isAskedFor`: the step names a secret. */
export function deliveryText(secret: DeliveryFacts | undefined, isAskedFor: boolean): string {
  if (secret === undefined) return isAskedFor ? 'not written' : 'not asked for';
  const where = `${codeSpan(secret.name)} of ${escapeMarkdown(secret.target)}`;
  const why = secret.reason === undefined ? '' : `: ${escapeMarkdown(secret.reason)}`;
  return secret.updated ? `written to ${where}${why}` : `not written to ${where}${why}`;
}
