import * as z from 'zod/mini';
import { type CourierError, configError, type ErrorCode } from '../../ground/errors.ts';
import { JsonApi } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { jsonOf, type Service } from '../../http/service.ts';
import type { Part, StoreNames } from '../port.ts';
import type { GitLabAddress } from './address.ts';

// Fields of GitLab's API, as its OpenAPI description has them:
// https://docs.gitlab.com/api/project_level_variables/.
export const variableReply = z.object({
  key: z.string(),
  /** null if the variable is hidden. */
  value: z.nullable(z.string()),
  masked: z.boolean(),
  protected: z.boolean(),
  /** Versions before 15.7 have none. */
  raw: z.optional(z.boolean()),
  /** Versions before 17.4 have none. */
  hidden: z.optional(z.boolean()),
  /** Groups of the Free tier have none. */
  environment_scope: z.optional(z.string()),
});
export type GitLabVariable = z.infer<typeof variableReply>;

export const holderReply = z.object({ id: z.number() });
export const tokenReply = z.object({
  scopes: z.array(z.string()),
  expires_at: z.nullish(z.string()),
});

const message = z.union([z.string(), z.record(z.string(), z.unknown())]);
const errorReply = z.object({
  message: z.optional(message),
  error: z.optional(message),
  error_description: z.optional(z.string()),
});

const service: Service = {
  name: 'GitLab',
  addressSetting: 'the server (?server= in the address)',
  /**
   * `message` is a text, or an object with an array of texts for each field; a missing scope is in
   * `error`.
   */
  errorText: (reply) => {
    const parsed = errorReply.safeParse(jsonOf(reply));
    // A proxy before GitLab may answer with a page: then there is no text.
    if (!parsed.success) return '';
    const texts: string[] = [];
    for (const field of Object.values(parsed.data)) {
      texts.push(typeof field === 'string' ? field : JSON.stringify(field));
    }
    return texts.join(': ');
  },
};

/** GitLab's REST API, version 4. `url` is the address of the server, without `/api/v4`. */
export function gitLabApi(http: Http, url: string, token: string): JsonApi {
  return new JsonApi(http, service, () => ({
    url: `${url}/api/v4`,
    headers: { authorization: `Bearer ${token}` },
  }));
}

export const TOKEN_ADVICE =
  'Use a project access token with the role Maintainer (for a group: a group access token with the role Owner) and the scope api. Store it as a masked and protected CI/CD variable, such as DOCS_COURIER_SECRET_TOKEN.';

/**
 * Throws `config` for settings of a variable with which GitLab would refuse the link or the state
 * later, after the export. `existing` is undefined if the variable is new.
 */
export function checkSettings(
  part: Part,
  existing: GitLabVariable | undefined,
  names: StoreNames,
): void {
  // A masked value that is expanded may have only few characters, without the `?` of a link.
  const isExpanded = existing?.raw === false;
  if (part === 'link' && existing?.masked && isExpanded) {
    throw configError(
      `The ${names.link} is masked, and variables in its value are expanded: GitLab then rejects a link as its value. Nothing was written.`,
      'In Settings > CI/CD > Variables, edit the variable and clear "Expand variable reference".',
    );
  }
  // A masked value has no white space, as a state may have; a hidden one is never shown.
  if (part === 'state' && (existing?.masked || existing?.hidden)) {
    throw configError(
      `The ${names.state} is masked or hidden: a state cannot be stored there. Nothing was written.`,
      'Delete that variable; the next run creates it again. It contains no secret.',
    );
  }
}

/** What the message of a refusal contains if a masked variable cannot have the value. */
const UNMASKABLE = '{"value":["is invalid"';
const MASK_ADVICE =
  'GitLab cannot mask this link. In Settings > CI/CD > Variables, make the variable with "Expand variable reference" off, or without masking, and run again: an existing variable keeps its settings.';
const SETTINGS_ADVICE =
  'GitLab refused the value or the name. Check the settings of the variable in Settings > CI/CD > Variables.';

/** What to do about a failed call; undefined if the error says it all. */
export function hintFor(
  error: CourierError,
  address: GitLabAddress,
  url: string,
): string | undefined {
  const host = new URL(url).host;
  const hints: Partial<Record<ErrorCode, string>> = {
    unauthorized: `secret-token has expired, was revoked, or is for another server than ${host}. ${TOKEN_ADVICE}`,
    forbidden: `secret-token lacks a right. ${TOKEN_ADVICE}`,
    'not-found': `Check that ${address.scope} ${address.id} exists on ${host} and that the user of secret-token is a member of it.`,
    config: error.message.includes(UNMASKABLE) ? MASK_ADVICE : SETTINGS_ADVICE,
  };
  return hints[error.code];
}

// The prefixes of tokens of jobs, deployments, triggers, runners, feeds, incoming mail and agents:
// https://docs.gitlab.com/security/tokens/#token-prefixes
const WRONG_PREFIX = /^(?:glcbt|gldt|glptt|glrt|glft|glimt|glagent)-|^GR1348941/;

/**
 * Throws `config` for a token that can never write variables: the job's own, or one of another
 * kind. Sends nothing.
 */
export function checkTokenKind(token: string, jobToken: string | undefined): void {
  const isJobToken = token === jobToken;
  const wrongPrefix = WRONG_PREFIX.exec(token)?.[0];
  if (!isJobToken && wrongPrefix === undefined) return;
  const kind = isJobToken
    ? "the job's own token (CI_JOB_TOKEN)"
    : `a token of the kind ${wrongPrefix}`;
  throw configError(
    `secret-token is ${kind}, which can never write CI/CD variables. Nothing was sent.`,
    TOKEN_ADVICE,
  );
}
