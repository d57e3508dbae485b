import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { type Octokit, readReply } from '../../github/client.ts';
import { isSettingName } from '../address.ts';
import type { CheckResult } from '../port.ts';
import { workflowTokenError } from './advice.ts';
import { appSteps, permissionAdvice } from './permissions.ts';
import type { GitHubSecret } from './secret.ts';
import type { GitHubSettings } from './settings.ts';
import { targetName } from './target.ts';
import { GitHubVariable, stateName } from './variable.ts';

interface GitHubCheck {
  readonly settings: GitHubSettings;
  readonly secret: GitHubSecret;
  readonly token: string;
  readonly workflowToken: string | undefined;
  readonly connect: () => Promise<Octokit>;
}

/** Everything that could keep a run from writing this secret, one row each. Only reads. */
export async function checkGitHub(check: GitHubCheck): Promise<readonly CheckResult[]> {
  const kind = checkToken(check);
  const name = checkName(check.settings.name);
  // The workflow's own token reaches nothing here: every further row would repeat that.
  if (kind.outcome === 'error') return [name, kind];
  return [
    name,
    kind,
    ...(await checkScopes(check)),
    ...(await checkEnvironment(check)),
    await checkSecret(check),
    await checkVariable(check),
  ];
}

function checkName(name: string): CheckResult {
  const what = `name ${name}`;
  if (isSettingName(name) && isSettingName(stateName(name))) return { what, outcome: 'ok' };
  return {
    what,
    outcome: 'error',
    detail: 'GitHub allows capital letters, digits and underscores, not beginning with a digit or GITHUB_.',
    fix: 'Choose another name for the secret.',
  };
}

// https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
const TOKEN_KINDS = [
  ['ghs_', 'a GitHub App installation token; it lives an hour'],
  ['github_pat_', 'a fine-grained personal access token'],
  ['ghp_', 'a classic personal access token'],
  ['gho_', 'an OAuth token'],
  ['ghu_', 'a GitHub App user token'],
] as const;

function checkToken({ token, workflowToken, settings }: GitHubCheck): CheckResult {
  const what = 'secret-token';
  if (token === workflowToken) {
    const { message, hint } = workflowTokenError(settings.target);
    return { what, outcome: 'error', detail: message, fix: hint };
  }
  const kind = TOKEN_KINDS.find(([prefix]) => token.startsWith(prefix));
  if (kind !== undefined) return { what, outcome: 'ok', detail: kind[1] };
  return { what, outcome: 'unknown', detail: 'a token of a kind that is not known' };
}

// Classic tokens only: GitHub lists their scopes with every reply.
async function checkScopes({ settings, connect, token }: GitHubCheck): Promise<readonly CheckResult[]> {
  if (!/^gh[po]_/.test(token)) return [];
  const what = 'scopes of the token';
  const needed = settings.target.scope === 'organization' ? ['admin:org'] : ['repo'];
  try {
    const octokit = await connect();
    const { headers } = await octokit.request('GET /rate_limit');
    const given = headers['x-oauth-scopes'];
    if (given === undefined) return [{ what, outcome: 'unknown', detail: 'GitHub does not list them.' }];
    const missing = needed.filter((scope) => !given.split(/,\s*/).includes(scope));
    if (missing.length === 0) return [{ what, outcome: 'ok', detail: given }];
    return [
      {
        what,
        outcome: 'error',
        detail: `It has ${given === '' ? 'none' : given}.`,
        fix: `Add the scope ${missing.join(', ')} to the token.`,
      },
    ];
  } catch (error) {
    return [failed(what, error)];
  }
}

const environmentReply = z.object({
  protection_rules: z.optional(z.array(z.object({ type: z.string() }))),
  deployment_branch_policy: z.nullish(z.unknown()),
});

async function checkEnvironment({ settings }: GitHubCheck): Promise<readonly CheckResult[]> {
  const { target, scope } = settings;
  if (target.scope !== 'environment') return [];
  const what = `environment ${target.environment}`;
  try {
    const { data } = await settings.call('secrets', `read environment ${target.environment}`, (octokit) =>
      octokit.request(`GET ${scope.path}`, { ...scope.parameters }),
    );
    const { protection_rules: rules = [], deployment_branch_policy: policy } = readReply(environmentReply, data);
    const names = rules.map(({ type }) => type.replaceAll('_', ' '));
    if (names.length === 0 && (policy ?? undefined) === undefined) return [{ what, outcome: 'ok' }];
    const detail = `It has protection rules (${[...names, ...(policy ? ['branch policy'] : [])].join(', ')}). They do not keep this token from writing the secret, but a job that reads the secret waits for them.`;
    return [{ what, outcome: 'warning', detail, fix: 'See Settings, Environments.' }];
  } catch (error) {
    // Reading an environment needs "Actions: Read", which writing its secrets does not.
    if (hasCode(error, 'forbidden')) {
      return [{ what, outcome: 'unknown', detail: 'The token may not read the rules of the environment.' }];
    }
    return [failed(what, error)];
  }
}

async function checkSecret({ settings, secret }: GitHubCheck): Promise<CheckResult> {
  const advice = permissionAdvice(settings.target.scope);
  const what = advice.secrets;
  try {
    await secret.readKey();
    const existing = await secret.readMetadata();
    const detail =
      existing === undefined ? 'The secret is new.' : `The secret was last written ${existing.updated_at}.`;
    return readable(what, detail);
  } catch (error) {
    return failed(what, error);
  }
}

async function checkVariable({ settings }: GitHubCheck): Promise<CheckResult> {
  const advice = permissionAdvice(settings.target.scope);
  const what = advice.variables;
  try {
    const found = await new GitHubVariable(settings, undefined).read();
    const name = `${stateName(settings.name)} of ${targetName(settings.target)}`;
    return readable(what, found === undefined ? `There is no variable ${name} yet.` : `Variable ${name} was read.`);
  } catch (error) {
    if (!hasCode(error, 'forbidden')) return failed(what, error);
    return {
      what,
      outcome: 'warning',
      detail: 'Without it an export cannot be resumed, and mode: refresh cannot work.',
      fix: { text: 'secret-token needs it as well.', steps: appSteps(advice) },
    };
  }
}

// GitHub shows a token's permission to write only when it is used.
function readable(what: string, detail: string): CheckResult {
  return {
    what,
    outcome: 'unknown',
    detail: `Reading works; whether the token may write shows at the first write. ${detail}`,
  };
}

/** With the lines to paste. */
function failed(what: string, error: unknown): CheckResult {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
  return { what, outcome: 'error', detail: error.message, fix: error.hint };
}
