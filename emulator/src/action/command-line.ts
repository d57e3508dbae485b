import { type RunnerEnv, readInput } from './runner.ts';

/**
 * Inputs that are options of the emulator's command line with the same name. Empty ones are left
 * out.
 */
const OPTIONS = [
  'export-duration',
  'agent-duration',
  'link-lifetime',
  'search-lag',
  'publish-lag',
  'port',
  'base-path',
  'agent-repository',
  'plan',
  'fail-export',
  'fail-update',
  'status-delay',
  'fail-rate',
] as const;

/** Inputs with one value per line, each an option that may be repeated. */
const LISTS = {
  'agent-jobs': 'agent-job',
  'private-sites': 'private-site',
  faults: 'fault',
} as const;
const GITHUB_LISTS = {
  'github-repositories': 'github-repository',
  'github-environments': 'github-environment',
  'github-collaborators': 'github-collaborator',
} as const;

const FLAGS = ['stall-export', 'no-updates', 'fail-agent'] as const;

interface Credentials {
  readonly adminKey: string;
  readonly assistantKey: string;
  readonly secretToken: string;
  readonly workflowToken: string;
}

/**
 * The emulator's command line from the step's inputs. Throws when a boolean is invalid or an input
 * would have no effect.
 */
export function commandLine(env: RunnerEnv, made: Credentials): string[] {
  return [
    `--site=${readInput(env, 'site-id')}=${readInput(env, 'site')}`,
    `--project-id=${readInput(env, 'project-id')}`,
    `--admin-key=${made.adminKey}`,
    `--assistant-key=${made.assistantKey}`,
    ...OPTIONS.flatMap((name) => {
      const value = readInput(env, name);
      return value === '' ? [] : [`--${name}=${value}`];
    }),
    ...FLAGS.filter((name) => readFlag(env, name)).map((name) => `--${name}`),
    ...listOptions(env, LISTS),
    ...githubOptions(env, made),
  ];
}

function githubOptions(env: RunnerEnv, { secretToken, workflowToken }: Credentials): string[] {
  if (!readFlag(env, 'github')) {
    const lost = Object.keys(GITHUB_LISTS).find((name) => readInput(env, name) !== '');
    if (lost !== undefined) throw new Error(`${lost} is read only with github: true.`);
    return [];
  }
  const lists = listOptions(env, GITHUB_LISTS);
  return [
    '--github',
    `--github-secret-token=${secretToken}`,
    `--github-workflow-token=${workflowToken}`,
    ...lists,
  ];
}

function listOptions(env: RunnerEnv, lists: Readonly<Record<string, string>>): string[] {
  return Object.entries(lists).flatMap(([input, option]) =>
    readInput(env, input)
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => `--${option}=${line}`),
  );
}

/** The YAML 1.2 core set, which other actions accept too. */
function readFlag(env: RunnerEnv, name: string): boolean {
  const value = readInput(env, name);
  if (value === '' || /^(false|False|FALSE)$/.test(value)) return false;
  if (/^(true|True|TRUE)$/.test(value)) return true;
  throw new Error(`${name}: "${value}" is not true or false.`);
}
