import { type GitHubEmulator, startGitHubEmulator } from '../../../src/emulator/github/emulator.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import type { StepOptions } from '../../support/runner.ts';

/** Secrets that must not be seen anywhere; their texts occur nowhere else. */
export const CANARIES = {
  'admin key': 'svc_canaryAdmin/K3y+7f9a2b4c6d8e0f1a',
  'secret token': 'ghs_canarySecretToken0f1e2d3c4b5a69788796a5b4',
} as const;
export const NAME = 'DOCS_BUNDLE_URL';
export const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;
export const JOBS = '/v1/static-export/jobs';
export const POLL = { method: 'GET', path: `${JOBS}/` };

export interface Stage extends AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
}

export async function startStage(options: Partial<EmulatorOptions> = {}): Promise<Stage> {
  const [platform, github] = await Promise.all([
    startEmulator({
      sites: { acme: { 'index.md': '# Docs\n\nHello.', 'install.md': '# Install\n\nOne command.' } },
      keys: { admin: CANARIES['admin key'], assistant: 'svc_dsc_key0123456789' },
      exportJobs: { advance: 'poll', polls: 1 },
      ...options,
    }),
    startGitHubEmulator({
      tokens: { [CANARIES['secret token']]: { permissions: { secrets: 'write', actions_variables: 'write' } } },
      repositories: [{ fullName: 'acme/docs' }],
    }),
  ]);
  return {
    platform,
    github,
    async [Symbol.asyncDispose]() {
      await Promise.all([platform.close(), github.close()]);
    },
  };
}

/** A plain export without a secret. The keys are not known to the runner: a workflow that holds them literally. */
export function stepOf(
  { platform, github }: Stage,
  inputs: Record<string, string> = {},
  more: Omit<Partial<StepOptions>, 'inputs'> = {},
): StepOptions {
  return {
    ...(process.env.ACTION_MAIN ? { main: process.env.ACTION_MAIN } : {}),
    apiUrl: github.url,
    inputs: {
      mode: 'export',
      'base-url': platform.url,
      'admin-api-key': platform.keys.admin,
      domain: 'acme.example.com',
      ...inputs,
    },
    ...more,
  };
}

export const SECRET_INPUTS = { 'secret-name': NAME, 'secret-token': CANARIES['secret token'] };

/** What a step wrote, without the lines that register masks: those must hold the secrets. */
export function writtenBy(result: {
  stdout: string;
  stderr: string;
  log: string;
  rawSummary: string;
  outputs: Readonly<Record<string, string>>;
  tempTexts: Readonly<Record<string, string>>;
}): Record<string, string> {
  const { 'bundle-url': _link, ...outputs } = result.outputs;
  return {
    stdout: result.stdout
      .split('\n')
      .filter((line) => !line.startsWith('::add-mask::'))
      .join('\n'),
    stderr: result.stderr,
    log: result.log,
    summary: result.rawSummary,
    outputs: JSON.stringify(outputs),
    files: Object.values(result.tempTexts).join('\n'),
  };
}
