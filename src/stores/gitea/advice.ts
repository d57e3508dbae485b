import { CourierError, type Hint } from '../../errors.ts';
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

/** How to make a token that works, after what is wrong with the one that was given. */
function withToken(why: string, address: GiteaAddress): Hint {
  const made = `As ${ownerOf(address)}: Settings, Applications, Generate New Token, with the permission ${scopeOf(address)} and nothing else.`;
  return {
    text: `${why}${made}`,
    steps: {
      how: 'Store it as an Actions secret of this repository, and give it to the step:',
      yaml: 'with:\n  secret-token: ${{ secrets.DOCS_SECRET_TOKEN }}',
    },
  };
}

/** A failed call about a secret or a variable, with what the token lacks. Other errors are passed on as they are. */
export function explained(error: unknown, action: string, address: GiteaAddress): unknown {
  if (!(error instanceof CourierError)) return error;
  const hint = hintOf(error, address);
  return hint === undefined ? error : error.with({ message: `Could not ${action}. ${error.message}`, hint });
}

function hintOf({ code }: CourierError, address: GiteaAddress): Hint | undefined {
  switch (code) {
    case 'unauthorized':
      return withToken(
        `secret-token is not accepted: it was deleted, or it is for another server. Make a new one. `,
        address,
      );
    case 'forbidden':
      return withToken(
        `secret-token lacks a right: its account must be an owner, and the token needs the scope ${scopeOf(address)}. `,
        address,
      );
    case 'not-found':
      return withToken(
        `Check the address: ${address.scope === 'organization' ? `the organization ${address.organization}` : `the repository ${address.repository}`} must exist and be visible to secret-token. Variables need Gitea 1.22 or newer. `,
        address,
      );
    default:
      return undefined;
  }
}

/** Gitea gives the token of a job no right to secrets, whatever the workflow asks for. */
export function jobTokenError(address: GiteaAddress): CourierError {
  return new CourierError({
    code: 'forbidden',
    message: "secret-token is the job's own token, which can never write secrets. Nothing was sent.",
    hint: withToken('', address),
  });
}
