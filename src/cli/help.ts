import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import wrapAnsi from 'wrap-ansi';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { INPUT_NAMES, SECRET_INPUTS, variableName } from '../inputs/reader.ts';
import {
  COMMANDS,
  type Command,
  inputCommands,
  isBoolean,
  OPTION_NAMES,
  optionCommands,
  optionInit,
} from './options.ts';

const actionFile = z.object({ inputs: z.record(z.string(), z.object({ description: z.string() })) });
const packageFile = z.object({ name: z.string(), version: z.string() });

const NARROW = 60;
const WIDE = 120;

/** What a command is for: the first line of its help. */
export const COMMAND_TEXTS: Readonly<Record<Command, string>> = {
  export: 'export a site, and hand over the link to its bundle',
  refresh: 'make a fresh link for a finished export where the stored one expires soon',
  rollback: 'put the link of an earlier export back in place',
  agent: 'send an instruction to the docs agent',
  search: 'check the search of a published site',
  doctor: 'try everything that the given inputs need, and change nothing',
  plan: 'name the sites of the configuration file that a change touches, as a matrix of jobs in JSON',
  emulator: 'run the documentation platform on this machine, with no account',
};

const COMMAND_LINES = COMMANDS.map((name) => `  ${name.padEnd(10)}${COMMAND_TEXTS[name]}`).join('\n');

/** Shown where the program is started without a command. */
export const OVERVIEW = `Usage: docs-courier COMMAND [flags]

${COMMAND_LINES}

Such as: docs-courier export --base-url https://api.docs.example.com --domain docs.example.com --to file:link.txt

The flags of a command: docs-courier COMMAND --help. All flags: docs-courier --help
`;

/** A flag as it is shown: `--domain VALUE`, what it means, and the commands that take it. */
export interface Flag {
  readonly flag: string;
  readonly text: string;
  readonly commands: readonly string[];
  /** undefined: the flag is not an input. */
  readonly variable?: string | undefined;
}

/** Every flag. The texts of inputs are those of action.yml, which is next to the program's folder. */
export function readFlags(programPath: string): readonly Flag[] {
  const { inputs } = actionFile.parse(parse(readFileSync(join(packageFolder(programPath), 'action.yml'), 'utf8')));
  const ofInputs = INPUT_NAMES.filter((name) => name !== 'mode').map((name): Flag => {
    const isSecret = SECRET_INPUTS.some((secret) => secret === name);
    const text = (inputs[name]?.description ?? '').replace(/^\[[^\]]*\] /, '');
    const value = isSecret ? '-file FILE' : isBoolean(name) ? '' : ' VALUE';
    return {
      flag: `--${name}${value}`,
      text,
      commands: inputCommands(name),
      variable: variableName(name),
    };
  });
  const ofOptions = OPTION_NAMES.map((name): Flag => {
    const { value, text } = optionInit(name);
    const commands = optionCommands(name);
    return { flag: `--${name}${value === undefined ? '' : ` ${value}`}`, text, commands };
  });
  return [...ofInputs, ...ofOptions];
}

/** The help of a command, or of all. `columns`: of the terminal. */
export function renderHelp(command: Command | undefined, programPath: string, columns = 100): string {
  const flags = readFlags(programPath).filter(({ commands }) => command === undefined || commands.includes(command));
  const width = Math.min(WIDE, Math.max(NARROW, columns));
  const usage = `Usage: docs-courier ${command ?? `${COMMANDS.join('|')}`} [flags]`;
  const about = command === undefined ? COMMAND_LINES : `${COMMAND_TEXTS[command]}.`;
  const rules = wrapAnsi(
    'Each input is a flag and a variable. Flags come before variables; an empty value counts as not given. A secret is given as its variable, or in a file, never as a flag.',
    width,
  );
  return [usage, about, rules, ...flags.map((flag) => renderFlag(flag, width))].join('\n\n').concat('\n');
}

function renderFlag({ flag, text, variable }: Flag, width: number): string {
  const head = variable === undefined ? `  ${flag}` : `  ${flag}   (${variable})`;
  return `${head}\n${wrapAnsi(text, width - 6).replace(/^/gm, '      ')}`;
}

export function readVersion(programPath: string): string {
  return readPackage(packageFolder(programPath))?.version ?? 'unknown';
}

/** The folder of the package that the program is part of, installed or as source. */
function packageFolder(programPath: string): string {
  for (let folder = dirname(realpathSync(programPath)); ; folder = dirname(folder)) {
    if (readPackage(folder)?.name === 'docs-courier') return folder;
    if (folder === dirname(folder)) throw new Error(`${programPath} is part of no package docs-courier.`);
  }
}

function readPackage(folder: string): z.infer<typeof packageFile> | undefined {
  try {
    return packageFile.safeParse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
