import type {
  AgentInputs,
  DestinationInputs,
  ExportInputs,
  RefreshInputs,
  RollbackInputs,
  SearchInputs,
  UpdateInputs,
} from '../../src/inputs/inputs.ts';
import type { GitHubAddress } from '../../src/stores/github/address.ts';

/**
 * Inputs for tests that run a mode in process: complete and valid, with the changes of the test.
 */

export const ADMIN_KEY = 'svc_adminKeyForTests0123456789';
export const ASSISTANT_KEY = 'svc_dsc_assistantKeyForTests012345';

// Nothing listens there: a test that forgets its server fails immediately.
const NOWHERE = 'http://127.0.0.1:9';

const COMMON = { baseUrl: NOWHERE, dryRun: false } as const;
const FOLLOW = { timeoutMs: 30 * 60_000, onTimeout: 'fail' } as const;
const LINK = {
  ...COMMON,
  adminApiKey: ADMIN_KEY,
  to: undefined,
  outputFiles: [],
  rollout: undefined,
  bundle: {
    bundlePath: undefined,
    extractTo: undefined,
    servedAt: undefined,
    clean: false,
    verify: 'report',
    allowPrivateHosts: false,
  },
  add: [],
  live: undefined,
  exportJobId: undefined,
  comment: undefined,
} as const;

export function makeExportInputs(overrides: Partial<ExportInputs> = {}): ExportInputs {
  const choice = {
    from: undefined,
    domain: 'docs.example.com',
    projectId: undefined,
    exportVersion: undefined,
    exportPaths: undefined,
    basePath: undefined,
  };
  const guard = {
    compareWith: { kind: 'none' },
    minPages: 1,
    maxPageDrop: undefined,
    requiredPages: undefined,
    forbidLostAddresses: 'off',
    maxSizeBytes: undefined,
    force: false,
  } as const;
  const content = { publish: false } as const;
  return { ...LINK, ...FOLLOW, mode: 'export', content, ...choice, ...guard, ...overrides };
}

export function makeRefreshInputs(overrides: Partial<RefreshInputs> = {}): RefreshInputs {
  return {
    ...LINK,
    mode: 'refresh',
    projectId: undefined,
    to: makeDestination(),
    refreshBeforeMs: 24 * 3_600_000,
    ifNoState: 'fail',
    ...overrides,
  };
}

export function makeRollbackInputs(overrides: Partial<RollbackInputs> = {}): RollbackInputs {
  return { ...LINK, mode: 'rollback', projectId: undefined, to: makeDestination(), ...overrides };
}

export function bundleInputs(overrides: Partial<ExportInputs['bundle']>): ExportInputs['bundle'] {
  return { ...LINK.bundle, ...overrides };
}

/** The token for writing secrets in tests. */
export const SECRET_TOKEN = 'ghs_secretTokenForTests0123456789abcdef';

/** The scope of a GitHub secret. */
export type TestTarget =
  | { readonly scope: 'repository'; readonly repository: string }
  | { readonly scope: 'environment'; readonly repository: string; readonly environment: string }
  | {
      readonly scope: 'organization';
      readonly organization: string;
      readonly visibility?: 'all' | 'private' | 'selected' | undefined;
      readonly repositories?: readonly string[] | undefined;
    };

export interface TestSecret {
  readonly name?: string | undefined;
  readonly target?: TestTarget | undefined;
  readonly token?: string | undefined;
  readonly workflowToken?: string | undefined;
}

/** One secret of GitHub as the destination of the link; `acme/docs` is the current repository. */
export function makeDestination(secret: TestSecret = {}): DestinationInputs {
  const { name = 'DOCS_BUNDLE_URL', target = { scope: 'repository', repository: 'acme/docs' } } =
    secret;
  const { token = SECRET_TOKEN, workflowToken = 'ghs_workflowTokenForTests0123456789abc' } = secret;
  return {
    addresses: [addressOf(name, target)],
    credentials: { secretToken: token, workflowToken },
  };
}

function addressOf(name: string, target: TestTarget): GitHubAddress {
  const scheme = 'github';
  if (target.scope === 'organization') return { scheme, name, ...target };
  const repository = target.repository === 'acme/docs' ? undefined : target.repository;
  if (target.scope === 'repository') return { scheme, name, scope: target.scope, repository };
  return { scheme, name, scope: target.scope, repository, environment: target.environment };
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
    promptFile: undefined,
    command: '/docs-agent',
    pullRequest: undefined,
    requiredPermission: 'write',
    allowedBots: [],
    allowOutsideText: false,
    agentRepositories: [],
    context: ['description', 'files', 'diff', 'comments'],
    relatedDocs: undefined,
    statusComment: true,
    ...overrides,
  };
}

export function makeUpdateInputs(overrides: Partial<UpdateInputs> = {}): UpdateInputs {
  const update = {
    branch: undefined,
    comment: undefined,
    token: undefined,
    allowPrivateHosts: false,
  };
  return {
    ...COMMON,
    ...FOLLOW,
    mode: 'publish',
    adminApiKey: ADMIN_KEY,
    projectId: 'project-1',
    ...update,
    ...overrides,
  };
}

export function makeSearchInputs(overrides: Partial<SearchInputs> = {}): SearchInputs {
  return {
    ...COMMON,
    mode: 'search',
    assistantApiKey: ASSISTANT_KEY,
    domain: 'acme',
    searchSite: undefined,
    query: 'install',
    queriesFile: undefined,
    filter: {},
    minResults: undefined,
    baselineFile: undefined,
    waitForIndexMs: undefined,
    comment: undefined,
    ...overrides,
  };
}
