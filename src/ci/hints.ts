import type { Hint } from '../errors.ts';
import { isSecretInput, variableName } from '../values/reader.ts';

/**
 * How inputs are given on one kind of system. Only this file knows it: hints name inputs, and
 * nothing of a system.
 */
export interface Manner {
  /** The line above the inputs. */
  readonly head?: string;
  readonly plain: (name: string, value: string) => string;
  /** A variable that is set already, with its new value; if it is missing, `plain` is one. */
  readonly variable?: (name: string, value: string) => string;
  /**
   * Where an input that contains a secret is given; `reference`: what an expression names, such as
   * `secrets.NAME`.
   */
  readonly secret: (name: string, reference: string) => string;
  /** Placeholders that differ from `USUAL`. */
  readonly usual?: Readonly<Record<string, string>>;
  /** The texts of workflows are shown too: permissions and steps. */
  readonly isWorkflow?: true;
}

/** Placeholders for inputs whose value a hint leaves open (`''`). */
const USUAL: Readonly<Record<string, string>> = {
  mode: 'MODE',
  'base-url': 'https://HOST',
  domain: 'HOST',
  'project-id': 'PROJECT_ID',
  to: 'file:PATH',
  'config-file': 'FILE',
  site: 'NAME',
  'bundle-path': 'FILE',
  'extract-to': 'FOLDER',
  'live-url': 'https://HOST',
  'vault-address': 'https://HOST',
  'aws-role': 'ARN',
  rollout: 'deployment/NAME',
  query: 'TEXT',
  'queries-file': 'FILE',
  'pull-request': 'NUMBER',
  prompt: 'TEXT',
};

export const MANNERS = {
  workflow: {
    head: 'with:',
    plain: (name, value) => `  ${name}: ${value.includes('\n') ? block(value) : scalar(value)}`,
    secret: (name, reference) => {
      const usual =
        name === 'github-token'
          ? 'github.token'
          : `secrets.${variableName(name).replace('COURIER_', '')}`;
      return `  ${name}: \${{ ${reference || usual} }}`;
    },
    usual: { to: 'github:secret/NAME' },
    isWorkflow: true,
  },
  gitlab: {
    head: 'variables:',
    plain: (name, value) => `  ${variableName(name)}: ${JSON.stringify(value)}`,
    secret: (name) =>
      `  # ${variableName(name)}: add it in Settings > CI/CD > Variables, with the type Variable`,
    usual: { to: 'gitlab:project/ID/NAME' },
  },
  /** Any other CI system: its jobs run a command. */
  command: {
    plain: flag,
    variable: assignment,
    secret: (name) =>
      `  ${variableName(name)}: a variable of the job, from a secret of the CI system`,
  },
  /** A person's machine. */
  terminal: {
    plain: flag,
    variable: assignment,
    secret: (name) => `  --${name}-file FILE, or: export ${variableName(name)}="…"`,
  },
} as const satisfies Readonly<Record<string, Manner>>;

/** A hint as a sentence and, below it, lines to copy. */
export function showHint(hint: string | Hint, manner: Manner): string {
  if (typeof hint === 'string') return hint;
  const { text, inputs = {}, permissions = {}, steps } = hint;
  const given = givenLines(inputs, hint.places ?? {}, manner);
  // The mode is the command, with its flags on the same line.
  if (manner.isWorkflow !== true) {
    const isCommand = given.some((line) => line.startsWith('  docs-courier '));
    return [
      text,
      ...(isCommand ? [`  ${given.map((line) => line.trim()).join(' ')}`] : given),
    ].join('\n');
  }
  const rights = Object.entries(permissions).map(([name, right]) => `  ${name}: ${right}`);
  const whole = [...(rights.length === 0 ? [] : ['permissions:', ...rights]), ...given];
  return steps === undefined
    ? [text, ...whole].join('\n')
    : [`${text} ${steps.how}`, ...whole, steps.yaml].join('\n');
}

/**
 * Each input as it is written in its place: first those of the step or the command, then those of
 * files, line by line.
 */
function givenLines(
  inputs: Readonly<Record<string, string>>,
  places: NonNullable<Hint['places']>,
  manner: Manner,
): readonly string[] {
  const [here, inFiles]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(inputs)) {
    const place = places[name];
    const shown = value || usualValue(name, manner);
    if (isSecretInput(name)) here.push(manner.secret(name, value));
    else if (place === undefined) here.push(manner.plain(name, shown));
    else if ('file' in place) inFiles.push(`${place.file}:`, `  ${name}: ${scalar(shown)}`);
    else here.push((manner.variable ?? manner.plain)(name, shown));
  }
  const headed = here.length === 0 || manner.head === undefined ? here : [manner.head, ...here];
  return [...headed, ...inFiles];
}

function usualValue(name: string, { usual = {} }: Manner): string {
  return usual[name] ?? USUAL[name] ?? (name.endsWith('-id') ? 'ID' : 'VALUE');
}

// Plain if YAML reads the text back as it is; a JSON string is a YAML string everywhere else.
function scalar(value: string): string {
  const isPlain = /^[\w./][\w./ -]*$/.test(value) && !/ $/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** One entry a line. */
function block(value: string): string {
  return ['|', ...value.split('\n').map((line) => `    ${line}`)].join('\n');
}

/** On the command line the mode is the command, and no flag. One with several lines is repeated. */
function flag(name: string, value: string): string {
  if (value.includes('\n'))
    return `  ${value
      .split('\n')
      .map((line) => `--${name} ${shellWord(line)}`)
      .join(' ')}`;
  return name === 'mode' ? `  docs-courier ${value}` : `  --${name} ${shellWord(value)}`;
}

function assignment(name: string, value: string): string {
  return `  export ${variableName(name)}=${shellWord(value)}`;
}

/** A word of a POSIX shell. */
function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
