import type { EmulatorOptions } from '../../../emulator/src/platform/emulator.ts';
import type { StepOptions, StepResult } from '../runner.ts';
import { type StepChange, startWorld, type World } from '../world.ts';
import { NAME, REPOSITORY } from './names.ts';

/** Secrets that must not appear anywhere; their texts occur nowhere else. */
export const CANARIES = {
  'admin key': 'svc_canaryAdmin/K3y+7f9a2b4c6d8e0f1a',
  'secret token': 'ghs_canarySecretToken0f1e2d3c4b5a69788796a5b4',
} as const;

export const SECRET_INPUTS = {
  to: `github:secret/${NAME}`,
  'secret-token': CANARIES['secret token'],
};

/**
 * A world for steps of the built action: it uses the system's clock, and an export ends with the
 * first poll.
 */
export function startActionWorld(platform: Partial<EmulatorOptions> = {}): Promise<World> {
  return startWorld({
    clock: 'system',
    platform: {
      keys: { admin: CANARIES['admin key'], assistant: 'svc_dsc_key0123456789' },
      exportJobs: { advance: 'poll', polls: 1 },
      ...platform,
    },
    github: {
      tokens: {
        [CANARIES['secret token']]: {
          permissions: {
            secrets: 'write',
            actions_variables: 'write',
            organization_secrets: 'write',
          },
        },
      },
      repositories: [{ fullName: REPOSITORY }],
      organizations: ['acme'],
    },
  });
}

/**
 * A step that writes the repository's secret, with keys that the runner knows as secrets of the
 * repository.
 */
export function stepWithSecret(
  world: World,
  inputs: Readonly<Record<string, string>> = {},
  more: StepChange = {},
): StepOptions {
  return world.stepOf(
    { ...SECRET_INPUTS, ...inputs },
    { secrets: Object.values(CANARIES), ...more },
  );
}

/** The output of a step, without the lines that register masks, which contain the secrets. */
export function writtenBy(result: StepResult): Record<string, string> {
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

/** The POST requests to the platform, without the ids of jobs. */
export function posts({ platform }: World): string[] {
  return platform.requests
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path.replace(/jobs\/[^/]+\//, 'jobs/ID/'));
}

/** Every request that could change something on either server. */
export function writes({ platform, github }: World): string[] {
  return [...platform.requests, ...github.requests]
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

/** The link in the secret, followed: 200 while it works. */
export async function linkStatus(world: World): Promise<number> {
  const reply = await fetch(world.secret() ?? 'http://127.0.0.1:1/');
  await reply.arrayBuffer();
  return reply.status;
}
