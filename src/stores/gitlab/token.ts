import { CourierError } from '../../errors.ts';
import { TOKEN_ADVICE } from './advice.ts';

// https://docs.gitlab.com/security/tokens/#token-prefixes: those that the API of variables takes for no user's token.
const WRONG_KINDS: Readonly<Record<string, string>> = {
  'glcbt-': 'a job token',
  'gldt-': 'a deploy token',
  'glptt-': 'a pipeline trigger token',
  'glrt-': 'a runner authentication token',
  GR1348941: 'a runner registration token',
  'glft-': 'a feed token',
  'glimt-': 'an incoming mail token',
  'glagent-': 'a token of an agent for Kubernetes',
};

/** Throws `config` for a token that can never write variables: the job's own, or one of another kind. Sends nothing. */
export function checkTokenKind(token: string, jobToken: string | undefined): void {
  const prefix = Object.keys(WRONG_KINDS).find((start) => token.startsWith(start));
  const kind = token === jobToken ? "the job's own token (CI_JOB_TOKEN)" : prefix && WRONG_KINDS[prefix];
  if (kind === undefined) return;
  throw new CourierError({
    code: 'config',
    message: `secret-token is ${kind}, which can never write CI/CD variables. Nothing was sent.`,
    hint: TOKEN_ADVICE,
  });
}
