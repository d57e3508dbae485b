import { type Hint, hasCode } from '../../errors.ts';

/** Names what failed, and the permission to add where a job may not have given it to its token. */
export async function needing<T>(
  what: string,
  call: () => Promise<T>,
  permissions: Hint['permissions'] = { 'pull-requests': 'write' },
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, 'forbidden') && error.lacksPermission) {
      throw error.with({
        message: `The token may not ${what}.`,
        hint: { text: 'Give the token of the job the permission:', permissions },
      });
    }
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `The token cannot ${what}: GitHub does not find it (404).`,
      // GitHub answers 404 about what a token may not see.
      hint: { text: 'It does not exist, or the token of the job lacks the permission:', permissions },
    });
  }
}
