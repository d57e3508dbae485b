import type { Env } from '../ci/port.ts';
import { INPUTS, type InputName } from '../inputs/catalog.ts';
import { MODES } from '../inputs/inputs.ts';
import { guessInput, INPUT_NAMES, VARIABLE_PREFIX, variableName } from '../inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../inputs/removed.ts';

/** Everything that can follow `docs-courier`. */
export const COMMANDS = [...MODES, 'status', 'emulator'] as const;
export type Command = (typeof COMMANDS)[number];

interface OptionInit {
  /** What follows the flag, for the help; undefined: nothing does. */
  readonly value?: string;
  readonly text: string;
  /** The commands that take it; undefined: all. */
  readonly commands?: readonly Command[];
  readonly isRepeatable?: true;
}

const CHECKING = ['export', 'refresh', 'agent', 'search', 'doctor'] as const;

/** What only the command line has. The inputs come from the catalog. */
const OPTIONS = {
  'to-command': {
    value: 'COMMAND',
    text: 'Hand the link to this program, on its standard input. A program and its arguments, without a shell; it gets the variables PATH and HOME only.',
    commands: ['export', 'refresh', 'rollback', 'doctor'],
  },
  state: {
    value: 'ADDRESS',
    text: 'With `--to-command`: the destination that keeps the state, such as `file:docs-link` (the state is then in `docs-link.state.json`).',
    commands: ['export', 'refresh', 'rollback', 'doctor'],
  },
  'output-file': {
    value: 'FILE',
    text: 'Write the outputs to this file: as soon as the job id is known, and at the end. Never the link.',
  },
  'output-format': {
    value: 'dotenv|json',
    text: 'Format of the output file. `dotenv` (the default) has keys such as `DOCS_COURIER_OUT_JOB_ID`.',
  },
  json: {
    text: 'Print one JSON object on standard output: the report, with the outputs. Everything else is on standard error.',
  },
  summary: { value: 'FILE', text: 'Write the summary, in Markdown, to this file.' },
  junit: {
    value: 'FILE',
    text: 'Write what was checked to this file, as a JUnit report: each query of a search, and what the verification of a site found.',
    commands: CHECKING,
  },
  'code-quality': {
    value: 'FILE',
    text: 'Write what did not pass to this file, as a code quality report of GitLab.',
    commands: CHECKING,
  },
  'link-file': {
    value: 'FILE',
    text: 'Write the link to this file, which only you can read, once the run is completed.',
    commands: ['export', 'refresh', 'rollback'],
  },
  'allow-write-from': {
    value: 'BRANCH',
    text: 'In a CI system that does not vouch for the branch of a run: write links in runs for this branch.',
    commands: ['export', 'refresh', 'rollback'],
    isRepeatable: true,
  },
  watch: { text: 'Search again whenever the queries file has changed, until Ctrl+C.', commands: ['search'] },
  all: { text: 'Refresh every site of the configuration file that is due, a few at a time.', commands: ['refresh'] },
  'changed-since': {
    value: 'COMMIT',
    text: 'Plan only the sites that have changed since this commit. Without it, since the one that the CI system names; where it names none, all of them.',
    commands: ['plan'],
  },
  'child-pipeline': {
    value: 'FILE',
    text: 'Write a child pipeline of GitLab CI to this file, with a job for each site.',
    commands: ['plan'],
  },
  'print-link': {
    text: 'Print the link on standard output, on your own machine only. The link is a secret.',
    commands: ['export', 'refresh', 'rollback'],
  },
  verbose: { text: 'Show every request.' },
  quiet: { text: 'Show warnings and errors only. Short: `-q`.' },
  help: { text: 'Show the commands, or the flags of a command. Short: `-h`.' },
  version: { text: 'Show the version. Short: `-v`.' },
} as const satisfies Readonly<Record<string, OptionInit>>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS).filter((name): name is OptionName => name in OPTIONS);

export function optionInit(name: OptionName): OptionInit {
  return OPTIONS[name];
}

/** The commands that take an option. */
export function optionCommands(name: OptionName): readonly Command[] {
  return optionInit(name).commands ?? COMMANDS;
}

/** The commands that take an input as a flag. The doctor tries what a run of another command would be given. */
export function inputCommands(name: InputName): readonly string[] {
  return [
    ...INPUTS[name].modes.filter((mode) => mode !== 'doctor'),
    'doctor',
    ...(OF_STATUS.test(name) ? ['status'] : []),
  ];
}

/** The inputs that say which destinations there are, and how they are reached. */
const OF_STATUS =
  /^(base-url|admin-api-key|project-id|config-file|site|to|image|secret-token|kubeconfig|allow-kube-exec|vault-.*|aws-role|id-token-audience)$/;

/** Inputs with more than one entry: their flags may be repeated. */
export const LISTS: readonly InputName[] = [
  'to',
  'export-paths',
  'filter',
  'allowed-bots',
  'agent-repositories',
  'context',
];

export function isBoolean(name: InputName): boolean {
  const { default: value } = INPUTS[name];
  return value === 'true' || value === 'false';
}

/** Variables of this program that are not inputs: tokens from a CI system, and outputs of an earlier run. */
const OTHER = /^DOCS_COURIER_(OUT_|ID_TOKEN_|DEBUG$|TO_COMMAND$|STATE$)/;

/**
 * A variable that almost has the name of an input is a problem: what it was to set would not be set. Others with the prefix
 * may belong to the user.
 */
export function misspeltVariables(env: Env): string[] {
  const known = new Set(INPUT_NAMES.map(variableName));
  const unknown = Object.keys(env)
    .filter((variable) => variable.startsWith(VARIABLE_PREFIX) && env[variable] !== '')
    .filter((variable) => !known.has(variable) && !OTHER.test(variable));
  const removed = [...REMOVED_NAMES].filter((name) => unknown.includes(variableName(name)));
  const almost = unknown.flatMap((variable) => {
    const meant = guessInput(variable.slice(VARIABLE_PREFIX.length));
    const isRemoved = removed.some((name) => variableName(name) === variable);
    const name = variable.slice(0, 80);
    return meant === undefined || isRemoved
      ? []
      : [`The variable ${name} does not exist; did you mean ${variableName(meant)}?`];
  });
  const value = (name: string) => env[variableName(name)] ?? '';
  const show = (name: string, text: string) => `${variableName(name)}=${text}`;
  const problems = removedProblems({ names: removed, value, show });
  return [...problems.map(({ text }) => `Variable: ${text}`), ...almost];
}
