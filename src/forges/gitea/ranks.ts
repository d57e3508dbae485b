import { hasCode } from '../../errors.ts';

/** How to make the token that may ask what people may do. It only reads. */
const RANK_TOKEN_STEPS = [
  '1. Make an account for a bot, and make it an administrator of this repository alone (Settings, Collaborators).',
  '2. As that account: Settings, Applications, Generate New Token, with read:repository and nothing else.',
  '3. Store it as an Actions secret of this repository, and give it to the step:',
  'with:',
  '  secret-token: ${{ secrets.DOCS_PERMISSION_TOKEN }}',
].join('\n');

/** What to do if the server does not say what an account may do: never that the account may not. */
export function rankTokenHint(isGiven: boolean): string {
  const what = isGiven
    ? 'secret-token may not ask what people may do in this repository: its account must be an administrator of the repository, and the token needs read:repository.'
    : 'Only an administrator of the repository can look that up, and the token of a job never is one: secret-token is missing.';
  return `${what}\n${RANK_TOKEN_STEPS}`;
}

const PERMISSIONS = { 'pull-requests': 'write', contents: 'read' } as const;
const SCOPES = 'If github-token is a token of an account, it needs write:issue, read:repository and read:user.';

/** Names what failed, and what the token lacks. */
export async function needing<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, 'forbidden')) {
      const message = `github-token may not ${what}. ${error.message}`;
      throw error.with({
        message,
        hint: { text: `Give the token of the job these permissions. ${SCOPES}`, permissions: PERMISSIONS },
      });
    }
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `github-token cannot ${what}: the server does not find it (404).`,
      hint: {
        text: `It does not exist, or the token does not see it. Give the token of the job these permissions. ${SCOPES}`,
        permissions: PERMISSIONS,
      },
    });
  }
}
