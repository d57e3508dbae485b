import { type GitHubEmulator, startGitHubEmulator } from '../../../src/emulator/github/emulator.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import type { StepOptions } from '../../support/runner.ts';

export const TOKEN = 'ghs_secretTokenForTests0123456789abcdef';
export const NAME = 'DOCS_BUNDLE_URL';
export const STATE = 'DOCS_BUNDLE_URL_STATE';
export const TARGET = { scope: 'repository', repository: 'acme/docs' } as const;

/** Both servers that a run talks to. */
export interface Deployment extends AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
}

export async function startDeployment(options: { linkLifetimeMs?: number } = {}): Promise<Deployment> {
  const [platform, github] = await Promise.all([
    startEmulator({
      sites: { acme: { 'index.md': '# Docs' } },
      exportJobs: { advance: 'poll', polls: 1 },
      ...options,
    }),
    startGitHubEmulator({
      tokens: {
        [TOKEN]: { permissions: { secrets: 'write', actions_variables: 'write', organization_secrets: 'write' } },
      },
      repositories: [{ fullName: 'acme/docs' }],
      organizations: ['acme'],
    }),
  ]);
  return {
    platform,
    github,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([platform.close(), github.close()]);
    },
  };
}

/** A step that writes the repository's secret; changed by what the test says. */
export function stepOf(
  { platform, github }: Deployment,
  inputs: Record<string, string>,
  more: Omit<Partial<StepOptions>, 'inputs'> = {},
): StepOptions {
  return {
    ...(process.env.ACTION_MAIN ? { main: process.env.ACTION_MAIN } : {}),
    apiUrl: github.url,
    secrets: [platform.keys.admin, TOKEN],
    inputs: {
      mode: 'export',
      'base-url': platform.url,
      'admin-api-key': platform.keys.admin,
      'secret-name': NAME,
      'secret-token': TOKEN,
      ...(inputs.mode === 'refresh' ? {} : { domain: 'acme.example.com' }),
      ...inputs,
    },
    ...more,
  };
}

export function starts({ platform }: Deployment): number {
  return platform.exportJobs.length;
}

export function posts({ platform }: Deployment): string[] {
  return platform.requests
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path.replace(/jobs\/[^/]+\//, 'jobs/ID/'));
}

/** Every request that could change something on either server. */
export function writes({ platform, github }: Deployment): string[] {
  return [...platform.requests, ...github.requests]
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

/** The link in the secret, followed: 200 while it works. */
export async function linkStatus({ github }: Deployment): Promise<number> {
  const reply = await fetch(github.secret(TARGET, NAME)?.value ?? 'http://127.0.0.1:1/');
  await reply.arrayBuffer();
  return reply.status;
}
