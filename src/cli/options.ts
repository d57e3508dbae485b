import type { Env } from '../ci/port.ts';
import { looksSecret } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { guess } from '../ground/text/names.ts';
import { MODES } from '../inputs/inputs.ts';
import { INPUTS, type InputName } from '../values/catalog.ts';
import { INPUT_NAMES, isSecretInput, VARIABLE_PREFIX, variableName } from '../values/reader.ts';

/** Everything that can follow `docs-courier`. */
export const COMMANDS = [
  ...MODES,
  'status',
  'redirects',
  'serve',
  'changes',
  'completion',
  'explain',
  'emulator',
] as const;
export type Command = (typeof COMMANDS)[number];

/** The commands that are a run, with inputs, outputs and a report. */
const RUNS = COMMANDS.filter(
  (command) => !/^(redirects|serve|changes|completion|explain)$/.test(command),
);

interface OptionInit {
  /** What follows the flag, as the help shows it; undefined: the flag takes no value. */
  readonly value?: string | undefined;
  readonly text: string;
  /** The commands that take it; undefined: all that are a run. */
  readonly commands?: readonly string[];
  readonly isRepeatable?: boolean;
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
  'max-age': {
    value: 'DURATION',
    text: 'With `--live-url`: fail if the export was requested longer ago, such as `7d` or `36h`.',
    commands: ['status'],
  },
  'link-file': {
    value: 'FILE',
    text: 'Write a fresh link to this file, which only you can read, once the run is completed. A file that contains anything but a link is not replaced.',
    commands: ['export', 'refresh', 'rollback'],
  },
  'allow-write-from': {
    value: 'BRANCH',
    text: 'In a CI system that does not vouch for the branch of a run: write links and publish in runs for this branch.',
    commands: ['export', 'refresh', 'rollback', 'publish', 'doctor'],
    isRepeatable: true,
  },
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
    text: 'Print a fresh link on standard output, on your own machine only. The link is a secret.',
    commands: ['export', 'refresh', 'rollback'],
  },
  'site-path': {
    value: 'FOLDER',
    text: 'The folder with the unpacked site. The flag can be left out: `docs-courier serve FOLDER`.',
    commands: ['redirects', 'serve'],
  },
  server: {
    value: 'nginx|caddy',
    text: 'The web server to write the redirects for.',
    commands: ['redirects'],
  },
  code: {
    value: 'CODE',
    text: 'The error code; without it, all of them. The flag can be left out: `docs-courier explain CODE`.',
    commands: ['explain'],
  },
  compared: {
    value: 'PATH',
    text: 'A site as a folder, an archive or a manifest; twice, the earlier one first. The flag can be left out: `docs-courier changes A B`.',
    commands: ['changes'],
    isRepeatable: true,
  },
  shell: {
    value: 'bash|zsh|fish',
    text: 'The shell that completes commands and flags. The flag can be left out: `docs-courier completion bash`.',
    commands: ['completion'],
  },
  verbose: { text: 'Show every request.' },
  quiet: { text: 'Show warnings and errors only. Short: `-q`.', commands: COMMANDS },
  help: { text: 'Show the commands, or the flags of a command. Short: `-h`.', commands: COMMANDS },
  version: { text: 'Show the version. Short: `-v`.', commands: COMMANDS },
} as const satisfies Readonly<Record<string, OptionInit>>;

type OptionName = keyof typeof OPTIONS;

const OPTION_NAMES = Object.keys(OPTIONS).filter((name): name is OptionName => name in OPTIONS);

type FlagName = InputName | `${InputName}-file` | OptionName;

/** A flag, as it is read and as the help shows it. */
export interface Flag extends Partial<OptionInit> {
  /** Without its dashes. */
  readonly name: FlagName;
  /** The input that it sets, whose text is in action.yml. */
  readonly input?: InputName;
  /** True or false may follow it. */
  readonly isSwitch?: boolean;
  readonly commands: readonly string[];
}

/** The inputs of `status`: which destinations or which site it reads, and how it reaches them. */
const OF_STATUS =
  /^(base-url|admin-api-key|project-id|config-file|site|to|image|secret-token|kubeconfig|allow-kube-exec|vault-.*|aws-role|id-token-audience|live-url|live-headers|allow-private-hosts)$/;

/** Inputs with more than one entry: their flags may be repeated. */
export const LISTS: readonly InputName[] = [
  'to',
  'export-paths',
  'add',
  'filter',
  'allowed-bots',
  'agent-repositories',
  'context',
  'required-pages',
  'rollout',
];

/**
 * The commands that take an input. `doctor` takes each input, since it checks the inputs of others.
 */
export function inputCommands(name: InputName): readonly string[] {
  const modes = INPUTS[name].modes.filter((mode) => mode !== 'doctor');
  return [...modes, 'doctor', ...(OF_STATUS.test(name) ? ['status'] : [])];
}

/** Inputs that are true or false without a default: not given means neither. */
const WITHOUT_DEFAULT: readonly InputName[] = ['publish'];

/** The flag of an input. For a secret it takes the path of a file, and not the secret. */
function inputFlag(input: InputName): Flag {
  const commands = inputCommands(input);
  if (isSecretInput(input)) return { name: `${input}-file`, input, value: 'FILE', commands };
  const isSwitch =
    ['true', 'false'].includes(INPUTS[input].default) || WITHOUT_DEFAULT.includes(input);
  const value = isSwitch ? undefined : 'VALUE';
  return { name: input, input, value, isSwitch, isRepeatable: LISTS.includes(input), commands };
}

/** Every flag that any command has, by its name. */
export const FLAGS: ReadonlyMap<string, Flag> = new Map(
  [
    ...INPUT_NAMES.filter((name) => name !== 'mode').map(inputFlag),
    ...OPTION_NAMES.map((name): Flag => ({ commands: RUNS, ...OPTIONS[name], name })),
  ].map((flag) => [flag.name, flag]),
);

/** The values of the flags that were given, in their order; `true` for a flag without a value. */
export type GivenFlags = ReadonlyMap<FlagName, readonly string[]>;

/** The value of a flag that is given once; empty if it is not given. */
export function flagValue(flags: GivenFlags, name: FlagName): string {
  return flags.get(name)?.[0] ?? '';
}

/**
 * Variables of this program that are not inputs: tokens from a CI system, and outputs of an earlier
 * run.
 */
const NOT_INPUTS = /^DOCS_COURIER_(OUT_|ID_TOKEN_|DEBUG$|TEMPLATE$|TO_COMMAND$|STATE$)/;

/**
 * A problem for each variable with the prefix of inputs that is not an input, such as a misspelt
 * one: it would have no effect.
 */
export function unknownVariables(env: Env): string[] {
  const knownVariables = INPUT_NAMES.map(variableName);
  return Object.keys(env)
    .filter((name) => name.startsWith(VARIABLE_PREFIX) && env[name] !== '')
    .filter((name) => !knownVariables.includes(name) && !NOT_INPUTS.test(name))
    .map((name) => {
      const nearest = guess(name.slice(VARIABLE_PREFIX.length), INPUT_NAMES);
      const advice = nearest === undefined ? 'remove it' : `did you mean ${variableName(nearest)}?`;
      const subject = looksSecret(name)
        ? 'unknown input in a variable'
        : `unknown input ${plainLine(name, 80)}`;
      return `${subject}; ${advice}`;
    });
}
