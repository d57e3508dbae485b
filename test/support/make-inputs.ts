import type { AgentInputs, ExportInputs, RefreshInputs, SearchInputs, SecretInputs } from '../../src/inputs/inputs.ts';

/** Inputs for tests that run a mode in process: complete and valid, each changed by what the test says. */

export const ADMIN_KEY = 'svc_adminKeyForTests0123456789';
export const ASSISTANT_KEY = 'svc_dsc_assistantKeyForTests012345';

// Nothing listens there: a test that forgets its server fails at once.
const NOWHERE = 'http://127.0.0.1:9';

const COMMON = { baseUrl: NOWHERE, dryRun: false } as const;
const FOLLOW = { timeoutMs: 30 * 60_000, onTimeout: 'fail' } as const;
const LINK = {
  ...COMMON,
  adminApiKey: ADMIN_KEY,
  secret: undefined,
  bundle: { bundlePath: undefined, extractTo: undefined, clean: false, verify: 'report' },
  deploymentType: undefined,
  exportJobId: undefined,
} as const;

export function makeExportInputs(overrides: Partial<ExportInputs> = {}): ExportInputs {
  const choice = {
    domain: 'docs.example.com',
    projectId: undefined,
    exportVersion: undefined,
    exportPaths: undefined,
    basePath: undefined,
    minPages: 1,
  };
  return { ...LINK, ...FOLLOW, mode: 'export', ...choice, ...overrides };
}

export function makeRefreshInputs(overrides: Partial<RefreshInputs> = {}): RefreshInputs {
  return {
    ...LINK,
    mode: 'refresh',
    projectId: undefined,
    secret: makeSecretInputs(),
    refreshBeforeMs: 24 * 3_600_000,
    ifNoState: 'fail',
    ...overrides,
  };
}

export function makeSecretInputs(overrides: Partial<SecretInputs> = {}): SecretInputs {
  return {
    name: 'DOCS_BUNDLE_URL',
    workflowToken: 'ghs_workflowTokenForTests0123456789abc',
    target: { scope: 'repository', repository: 'acme/docs' },
    token: 'ghs_secretTokenForTests0123456789abcdef',
    ...overrides,
  };
}

export function makeAgentInputs(overrides: Partial<AgentInputs> = {}): AgentInputs {
  return {
    ...COMMON,
    ...FOLLOW,
    mode: 'agent',
    adminApiKey: ADMIN_KEY,
    githubToken: 'ghs_workflowTokenForTests0123456789abc',
    projectId: 'project-1',
    agentJobId: undefined,
    createAgentJob: false,
    prompt: undefined,
    command: '/docs-agent',
    pullRequest: undefined,
    requiredPermission: 'write',
    allowedBots: [],
    allowOutsideText: false,
    agentRepositories: [],
    context: ['description', 'files', 'diff', 'comments'],
    contextLimitBytes: 48 * 1024,
    relatedDocs: undefined,
    wait: true,
    statusComment: true,
    ...overrides,
  };
}

export function makeSearchInputs(overrides: Partial<SearchInputs> = {}): SearchInputs {
  return {
    ...COMMON,
    mode: 'search',
    assistantApiKey: ASSISTANT_KEY,
    domain: 'acme',
    query: 'install',
    queriesFile: undefined,
    pageSize: undefined,
    scoreThreshold: undefined,
    filter: { version: undefined, language: undefined, tag: undefined, groups: undefined },
    minResults: 0,
    baselineFile: undefined,
    maxRequests: 500,
    waitForIndexMs: undefined,
    ...overrides,
  };
}
