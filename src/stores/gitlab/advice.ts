import { CourierError } from '../../errors.ts';
import type { GitLabAddress } from '../address.ts';
import type { StoreNames } from '../port.ts';
import type { GitLabVariable } from './contract.ts';

export const TOKEN_ADVICE =
  'Use a project access token with the role Maintainer (for a group: a group access token with the role Owner) and the scope api. Store it as a masked and protected CI/CD variable, such as DOCS_COURIER_SECRET_TOKEN.';

/** Throws `config` for settings with which GitLab would refuse the values later, after the export. */
export function checkSettings(part: 'link' | 'state', found: GitLabVariable | undefined, names: StoreNames): void {
  if (part === 'link' && found?.masked === true && found.raw === false) {
    throw new CourierError({
      code: 'config',
      message: `The ${names.link} is masked, and variables in its value are expanded: GitLab then rejects a link as its value. Nothing was written.`,
      hint: 'In Settings > CI/CD > Variables, edit the variable and clear "Expand variable reference".',
    });
  }
  if (part === 'link' || (found?.masked !== true && found?.hidden !== true)) return;
  throw new CourierError({
    code: 'config',
    message: `The ${names.state} is masked or hidden: a state cannot be stored there. Nothing was written.`,
    hint: 'Delete that variable; the next run creates it again. It holds no secret.',
  });
}

/** What to do about a failed call; undefined where the error says it all. */
export function hintFor(
  { code }: CourierError,
  { address: { scope, id }, url }: { readonly address: GitLabAddress; readonly url: string },
): string | undefined {
  const { host } = new URL(url);
  switch (code) {
    case 'unauthorized':
      return `secret-token has expired, was revoked, or is for another server than ${host}. ${TOKEN_ADVICE}`;
    case 'forbidden':
      return `secret-token lacks a right. ${TOKEN_ADVICE}`;
    case 'not-found':
      return `Check that ${scope} ${id} exists on ${host} and that the user of secret-token is a member of it.`;
    case 'config':
      return 'GitLab refused the value or the name. Check the settings of the variable in Settings > CI/CD > Variables.';
    default:
      return undefined;
  }
}
