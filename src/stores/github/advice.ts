import { CourierError, type Hint } from '../../errors.ts';
import { appSteps, permissionAdvice } from './permissions.ts';
import { type GitHubTarget, targetName } from './target.ts';

interface SettingCall {
  readonly target: GitHubTarget;
  readonly kind: 'secrets' | 'variables';
  /** What was tried, such as `read the public key`. */
  readonly action: string;
}

/** A failed call about a secret or a variable, with what the token or the inputs lack. Other errors are passed on as they are. */
export function explainSettingError(error: unknown, call: SettingCall): unknown {
  if (!(error instanceof CourierError)) return error;
  const hint = hintOf(error, call);
  if (hint === undefined) return error;
  return error.with({ message: `Could not ${call.action} of ${targetName(call.target)}. ${error.message}`, hint });
}

function hintOf(error: CourierError, { target, kind }: SettingCall): string | Hint | undefined {
  const advice = permissionAdvice(target.scope);
  const lacks = `secret-token needs the ${advice[kind]}.`;
  const withSteps = (text: string): Hint => ({ text, steps: appSteps(advice) });
  switch (error.code) {
    case 'unauthorized':
      return withSteps(
        `secret-token is not accepted: it has expired (an App token lives an hour), was revoked, or is for another server. For a new one, ${lacks}`,
      );
    case 'forbidden':
      return error.lacksPermission
        ? withSteps(lacks)
        : withSteps(`GitHub refused this, and its reply names no missing permission. If it is one, ${lacks}`);
    case 'not-found':
      return withSteps(`${whereToLook(target)} Otherwise ${lacks}`);
    case 'config':
      return withSteps(
        `GitHub refused the request as invalid. Check the name and the destination (${targetName(target)}); ${lacks}`,
      );
    default:
      return error.hint;
  }
}

function whereToLook(target: GitHubTarget): string {
  switch (target.scope) {
    case 'repository':
      return `Check that ${target.repository} exists and that secret-token (an App: its installation) covers it.`;
    case 'environment':
      return `Check that ${target.repository} has an environment of exactly the name "${target.environment}" (Settings, Environments) and that secret-token covers the repository.`;
    case 'organization':
      return `Check that ${target.organization} is an organization and that secret-token belongs to it.`;
  }
}

/** The workflow's own token can be granted no permission that reaches secrets: refused before any request. */
export function workflowTokenError(target: GitHubTarget): CourierError {
  const advice = permissionAdvice(target.scope);
  return new CourierError({
    code: 'forbidden',
    message: `secret-token is the workflow's own token, which can never write secrets. Nothing was sent.`,
    hint: {
      text: `Use the token of a GitHub App, or a personal access token, with the ${advice.secrets} and the ${advice.variables}.`,
      steps: appSteps(advice),
    },
  });
}
