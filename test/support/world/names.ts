/** Names and addresses that the tests share; every world uses them. */

export const REPOSITORY = 'acme/docs';
export const DOMAIN = 'acme.example.com';
/** The secret with the link, and the variable with its state. */
export const NAME = 'DOCS_BUNDLE_URL';
export const STATE = `${NAME}_STATE`;
/** The default scope of both. */
export const TARGET = { scope: 'repository', repository: REPOSITORY } as const;

/** Exports of the platform, and the requests of them that faults match. */
export const JOBS = '/v1/static-export/jobs';
export const START = { method: 'POST', path: new RegExp(`^${JOBS}$`) };
export const POLL = { method: 'GET', path: `${JOBS}/` };
export const BUNDLE = { method: 'POST', path: /\/bundle$/ };

/** Every permission that a token needs for secrets of all scopes. */
export const ALL_RIGHTS = {
  secrets: 'write',
  actions_variables: 'write',
  environments: 'write',
  organization_secrets: 'write',
  organization_actions_variables: 'write',
} as const;

export const HOUR_MS = 3_600_000;
