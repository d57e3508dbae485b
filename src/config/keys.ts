import { INPUT_NAMES, SECRET_INPUTS } from '../inputs/reader.ts';

/** What `docs-courier.yml` may hold. */

/** Inputs that a file cannot set: what to do and which file are decided where the program is started. */
const STARTED_WITH: readonly string[] = ['mode', 'config-file', 'site'];

export function isSecretKey(key: string): boolean {
  return SECRET_INPUTS.some((name) => name === key);
}

/** Options of the command line that a file may set too. */
const OPTION_KEYS = ['to-command', 'state'] as const;

/** Keys of a site alone. */
export const SITE_KEYS = ['paths'] as const;

export const VALUE_KEYS: readonly string[] = [
  ...INPUT_NAMES.filter((name) => !STARTED_WITH.includes(name) && !isSecretKey(name)),
  ...OPTION_KEYS,
];

/**
 * A change request can change the file. In a CI system it therefore never says where credentials go, who may do what, what the
 * agent is instructed to do, and which earlier export is gone back to.
 */
export function isTrustedOnlyLocally(key: string): boolean {
  return (
    /^(allowed|allow|vault|aws)-/.test(key) ||
    [
      'base-url',
      'kubeconfig',
      'live-url',
      'to-command',
      'state',
      'required-permission',
      'agent-repositories',
      'prompt',
      'prompt-file',
      'only-paths',
      'pull-request',
      'agent-job-id',
      'create-agent-job',
      'export-job-id',
      'steps',
      'force',
      'comment',
    ].includes(key)
  );
}
