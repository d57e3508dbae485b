import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from '../ci/port.ts';
import { CourierError, errnoOf } from '../errors.ts';
import type { InputName } from '../inputs/catalog.ts';
import { INPUT_NAMES, type InputSource, variableName } from '../inputs/reader.ts';
import type { CommandLine } from './arguments.ts';
import { inputCommands } from './options.ts';

interface SourceInit {
  readonly line: CommandLine;
  readonly env: Env;
  readonly cwd: string;
  /** Read where no other one is named. */
  readonly configFile?: string | undefined;
}

// Such variables are made once for a project, and each of its jobs has them.
const CREDENTIAL = /^(assistant-api-key|secret-token|kubeconfig|vault-.*|aws-.*|id-token-audience)$/;

/**
 * The inputs of a command: flags before variables. What is empty counts as not given. A variable that belongs to another
 * command is not for this one. Throws `config` where the file of a secret cannot be read.
 */
export function readCommandInputs({ line, env, cwd, configFile = '' }: SourceInit): InputSource {
  const { command = '', inputs } = line;
  const secrets = new Map(
    [...line.secretFiles].map(([name, path]) => [name, readSecretFile(name, resolve(cwd, path))]),
  );
  const isOwn = (name: InputName) => name === 'config-file' || inputCommands(name).includes(command);
  const read = (name: InputName): string => {
    const given = inputs.get(name) || secrets.get(name);
    if (given) return given;
    // The default of the action is the token of its job.
    if (name === 'github-token') return env[variableName(name)] || '';
    return isOwn(name) ? env[variableName(name)] || '' : '';
  };
  return {
    value(name) {
      // What a rollback would read.
      if (name === 'mode') return command === 'status' ? 'rollback' : command;
      const input = INPUT_NAMES.find((one) => one === name);
      if (input === 'config-file') return read(input) || configFile;
      return input === undefined ? readOption(line, env, name) : read(input);
    },
    unknownNames: () => [],
    isAmbient: (name) => {
      const input = INPUT_NAMES.find((one) => one === name);
      return input !== undefined && CREDENTIAL.test(input) && !inputs.get(input) && !secrets.get(input);
    },
  };
}

/** Options that say where the link goes are read like inputs; a configuration file may have them too. */
function readOption({ options }: CommandLine, env: Env, name: string): string {
  if (name === 'changed-since' || name === 'link-file' || name === 'print-link') return options.get(name)?.[0] ?? '';
  if (name !== 'to-command' && name !== 'state') return '';
  return options.get(name)?.[0] || env[variableName(name)] || '';
}

const MAX_SECRET_BYTES = 64 * 1024;

function readSecretFile(name: string, path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MAX_SECRET_BYTES) return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new CourierError({
      code: 'config',
      message: `--${name}-file: ${path} cannot be read (${errnoOf(cause) ?? 'the reason is unknown'}). Nothing was sent.`,
      cause,
    });
  }
  throw new CourierError({
    code: 'config',
    message: `--${name}-file: ${path} has more than ${MAX_SECRET_BYTES / 1024} KiB: it holds no secret of this program. Nothing was sent.`,
  });
}
