import { CourierError } from '../../errors.ts';
import type { GiteaAddress } from '../address.ts';

function scopeOf(address: GiteaAddress): string {
  return address.scope === 'organization' ? 'write:organization' : 'write:repository';
}

/** Who may write secrets and variables there. Admin rights on a repository are not enough; run against Gitea 1.26. */
function ownerOf(address: GiteaAddress): string {
  if (address.scope === 'organization') return `an owner of the organization ${address.organization}`;
  const [owner = ''] = address.repository.split('/');
  return `the owner of ${address.repository}: the account ${owner}, or a member of the team Owners if ${owner} is an organization`;
}

export function stateRight(address: GiteaAddress): string {
  return `token of an owner, with the scope ${scopeOf(address)}`;
}

/** How to make a token that works. */
function tokenSteps(address: GiteaAddress): string {
  return [
    `As ${ownerOf(address)}:`,
    `1. Settings, Applications, Generate New Token: the permission ${scopeOf(address)} and nothing else.`,
    '2. Store it as an Actions secret of this repository, and give it to the step:',
    'with:',
    '  secret-token: ${{ secrets.DOCS_SECRET_TOKEN }}',
  ].join('\n');
}

/** A failed call about a secret or a variable, with what the token lacks. Other errors are passed on as they are. */
export function explained(error: unknown, action: string, address: GiteaAddress): unknown {
  if (!(error instanceof CourierError)) return error;
  const hint = hintOf(error, address);
  return hint === undefined ? error : error.with({ message: `Could not ${action}. ${error.message}`, hint });
}

function hintOf({ code }: CourierError, address: GiteaAddress): string | undefined {
  const steps = tokenSteps(address);
  switch (code) {
    case 'unauthorized':
      return `secret-token is not accepted: it was deleted, or it is for another server. Make a new one.\n${steps}`;
    case 'forbidden':
      return `secret-token lacks a right: its account must be an owner, and the token needs the scope ${scopeOf(address)}.\n${steps}`;
    case 'not-found':
      return `Check the address: ${address.scope === 'organization' ? `the organization ${address.organization}` : `the repository ${address.repository}`} must exist and be visible to secret-token. Variables need Gitea 1.22 or newer.\n${steps}`;
    default:
      return undefined;
  }
}

/** Gitea gives the token of a job no right to secrets, whatever the workflow asks for. */
export function jobTokenError(address: GiteaAddress): CourierError {
  return new CourierError({
    code: 'forbidden',
    message: "secret-token is the job's own token, which can never write secrets. Nothing was sent.",
    hint: tokenSteps(address),
  });
}
