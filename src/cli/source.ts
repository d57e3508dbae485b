import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Env } from '../ci/port.ts';
import { CourierError, errnoOf } from '../errors.ts';
import { whyNoPath } from '../text/paths.ts';
import type { InputName } from '../values/catalog.ts';
import {
  INPUT_NAMES,
  type InputSource,
  RESULT_FILES,
  SECRET_INPUTS,
  variableName,
} from '../values/reader.ts';
import { SHORTEST_KEY } from '../values/values.ts';
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
const CREDENTIAL =
  /^(assistant-api-key|secret-token|kubeconfig|vault-.*|aws-.*|id-token-audience)$/;

// Options that say where the link goes are read like inputs; a configuration file may have them
// too.
const OPTIONS_WITH_VARIABLE = ['to-command', 'state'];
const OPTIONS = [...OPTIONS_WITH_VARIABLE, 'changed-since', 'print-link'];

/**
 * The inputs of a command: flags before variables. What is empty counts as not given. A variable
 * that belongs to another command is not for this one. Throws `config` where the file of a secret
 * cannot be read.
 */
export function readCommandInputs({ line, env, cwd, configFile = '' }: SourceInit): InputSource {
  const { command = '' } = line;
  const flags: ReadonlyMap<string, readonly string[]> = line.flags;
  const secrets = new Map(
    SECRET_INPUTS.flatMap((name): [string, string][] => {
      const [path] = flags.get(`${name}-file`) ?? [];
      return path === undefined ? [] : [[name, readSecretFile(name, path, cwd)]];
    }),
  );
  const given = (name: string) => (isKnown(name) ? givenText(name) : '');
  const givenText = (name: string) => flags.get(name)?.join('\n') || secrets.get(name) || '';
  // The default of github-token in the action is the token of its job.
  const isOwn = (name: InputName) =>
    ['config-file', 'github-token'].includes(name) || inputCommands(name).includes(command);
  const variable = (name: string) => {
    const input = INPUT_NAMES.find((one) => one === name);
    const hasVariable = input === undefined ? OPTIONS_WITH_VARIABLE.includes(name) : isOwn(input);
    return hasVariable ? env[variableName(name)] : undefined;
  };
  return {
    value(name) {
      // What a rollback would read.
      if (name === 'mode') return command === 'status' ? 'rollback' : command;
      const text = given(name);
      if (text !== '') return RESULT_FILES.some((one) => one === name) ? resolve(cwd, text) : text;
      const usual = name === 'config-file' ? configFile : '';
      return variable(name) || usual;
    },
    unknownNames: () => [],
    place(name) {
      const input = INPUT_NAMES.find((one) => one === name);
      const [file] = flags.get(`${name}-file`) ?? [];
      if (secrets.has(name) && file !== undefined) return { file };
      const isVariable =
        input !== undefined &&
        isOwn(input) &&
        given(name) === '' &&
        Boolean(env[variableName(name)]);
      return isVariable ? { variable: variableName(name) } : undefined;
    },
    isAmbient: (name) => CREDENTIAL.test(name) && given(name) === '',
  };
}

/** What has a value on the command line: inputs, and what only the command line has. */
function isKnown(name: string): boolean {
  return [...INPUT_NAMES, ...OPTIONS, ...RESULT_FILES].some((one) => one === name);
}

/** Secrets that are a key or a token: a kubeconfig and headers have several lines. */
const ONE_LINE = /(key|token)$/;
const MAX_SECRET_BYTES = 64 * 1024;

function readSecretFile(name: string, given: string, cwd: string): string {
  const path = resolve(cwd, given);
  const no = whyNoPath(given);
  if (no !== undefined) {
    throw new CourierError({
      code: 'config',
      message: `--${name}-file must be ${no}. Nothing was sent.`,
    });
  }
  let problem = `has more than ${MAX_SECRET_BYTES / 1024} KiB: it contains no secret of this program`;
  try {
    const text =
      statSync(path).size > MAX_SECRET_BYTES ? undefined : readFileSync(path, 'utf8').trim();
    const lines = ONE_LINE.test(name) ? (text?.split('\n').length ?? 0) : 1;
    // An empty one would fall back to the variable, which may have another key.
    if (text && lines === 1) return text;
    if (text === '') problem = 'is empty';
    else if (lines > 1) problem = `has ${lines} lines: leave only the one with the secret itself`;
  } catch (error) {
    problem = whyUnreadable(errnoOf(error));
  }
  if (mayBeSecret(given, path)) {
    throw new CourierError({
      code: 'config',
      message: `--${name}-file names no file. What it names is not shown, since it may be the secret itself. Nothing was sent.`,
      hint: `Put the secret into a file and give its path; ./ in front of it if it is in the working folder. If it was the secret, replace that: other processes could read it.`,
    });
  }
  throw new CourierError({
    code: 'config',
    message: `--${name}-file: ${path} ${problem}. Nothing was sent.`,
  });
}

function whyUnreadable(errno: string | undefined): string {
  if (errno === 'EISDIR') return 'is a folder: name the file in it that has the secret';
  return errno === 'ENOENT'
    ? 'does not exist'
    : `cannot be read (${errno ?? 'the reason is unknown'})`;
}

/**
 * True for what is no path to something: not in a folder that exists, and as long as a secret. It
 * may be the secret itself.
 */
function mayBeSecret(given: string, path: string): boolean {
  if (existsSync(path) || given.length < SHORTEST_KEY) return false;
  return dirname(given) === '.' ? !given.startsWith('.') : !existsSync(dirname(path));
}
