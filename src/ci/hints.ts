import type { Hint } from '../ground/errors.ts';
import { isSecretInput, variableName } from '../values/reader.ts';

/**
 * How inputs are written on one kind of system. Only this file knows that: a `Hint` names inputs
 * and their values, and contains no words of a system.
 */
export interface Manner {
  /** The line above an input that is written in the step or job. */
  readonly head?: (name: string) => string;
  /** The line of an input that is not a secret. */
  readonly plain: (name: string, value: string) => string;
  /**
   * The line of an input that was given as a variable; without this function, `plain` writes it.
   */
  readonly variable?: (name: string, value: string) => string;
  /**
   * The line of an input that contains a secret. `reference`: what the expression of a workflow
   * names, such as `secrets.NAME`; empty if that is not known.
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
  from: 'FOLDER',
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
  'allow-write-from': 'BRANCH',
};

/**
 * A job of GitLab. `inputs`: what the template takes that has made it; a variable of the same
 * meaning would have no effect, since the job sets it.
 */
export function gitlabManner(inputs: readonly string[]): Manner {
  const isInput = (name: string) => inputs.includes(name);
  return {
    head: (name) => (isInput(name) ? 'inputs:' : 'variables:'),
    plain(name, value) {
      const key = isInput(name) ? name : variableName(name);
      return `  ${key}: ${JSON.stringify(value)}`;
    },
    secret: (name) =>
      `  # ${variableName(name)}: add it in Settings > CI/CD > Variables, with the type Variable`,
    usual: { to: 'gitlab:project/ID/NAME' },
  };
}

export const MANNERS = {
  workflow: {
    head: () => 'with:',
    plain: (name, value) => `  ${name}: ${value.includes('\n') ? block(value) : scalar(value)}`,
    secret: (name, reference) => {
      let named = reference;
      if (named === '' && name === 'github-token') named = 'github.token';
      // Another secret than the one that the step names may be of a wider right.
      if (named === '') named = 'secrets.NAME';
      return `  ${name}: \${{ ${named} }}`;
    },
    usual: { to: 'github:secret/NAME' },
    isWorkflow: true,
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

/**
 * A hint as a sentence and, below it, lines to copy. `program`: how a shell starts the command line.
 */
export function showHint(hint: string | Hint, manner: Manner, program = 'docs-courier'): string {
  if (typeof hint === 'string') return hint;
  const inputLines = givenLines(hint, manner);
  if (!manner.isWorkflow) {
    // A hint with the mode names it first, and `flag` writes it as the command: all its flags
    // follow on the same line.
    const isCommand = inputLines[0]?.startsWith('  docs-courier ') === true;
    if (!isCommand) return [hint.text, ...inputLines].join('\n');
    const words = inputLines.map((line) => line.trim());
    return `${hint.text}\n  ${words.join(' ').replace('docs-courier', () => program)}`;
  }
  const { text, steps } = hint;
  const lines = [...permissionsOf(hint), ...inputLines];
  if (steps === undefined) return [text, ...lines].join('\n');
  return [`${text} ${steps.how}`, ...lines, steps.yaml].join('\n');
}

/** A job that lists permissions has no others, and each one checks out its repository. */
function permissionsOf({ permissions }: Hint): readonly string[] {
  if (permissions === undefined) return [];
  const all = { ...permissions, contents: permissions['contents'] ?? 'read' };
  return ['permissions:', ...Object.entries(all).map(([name, right]) => `  ${name}: ${right}`)];
}

/**
 * The lines with the inputs of a hint, each where it belongs: first the inputs of the step or the
 * command, then the inputs in files, each below the name and line of its file.
 */
function givenLines(hint: Hint, manner: Manner): readonly string[] {
  // By the line above them, if there is one.
  const here = new Map<string | undefined, string[]>();
  const inFiles: string[] = [];
  for (const [name, value] of Object.entries(hint.inputs ?? {})) {
    const place = hint.places?.[name];
    const shown = value || usualValue(name, manner);
    const isSecret = isSecretInput(name);
    if (!isSecret && place !== undefined && 'file' in place) {
      inFiles.push(`${place.file}:`, `  ${name}: ${scalar(shown)}`);
      continue;
    }
    let line = manner.plain(name, shown);
    if (place !== undefined && manner.variable) line = manner.variable(name, shown);
    // A secret has its own line wherever it was written: the advice is not to put it in a file.
    if (isSecret) line = manner.secret(name, value);
    const head = manner.head?.(name);
    here.set(head, [...(here.get(head) ?? []), line]);
  }
  const lines = [...here].flatMap(([head, below]) => [head ?? [], below].flat());
  return [...lines, ...inFiles];
}

/** The placeholder of an input whose value the hint leaves open. */
function usualValue(name: string, manner: Manner): string {
  const usual = manner.usual?.[name] ?? USUAL[name];
  return usual ?? (name.endsWith('-id') ? 'ID' : 'VALUE');
}

// A value in YAML: without quotes if YAML reads it back as the same text, else as a JSON string,
// which is also YAML.
function scalar(value: string): string {
  if (/^[\w./]([\w./ -]*[\w./-])?$/.test(value)) return value;
  return JSON.stringify(value);
}

/** A value with several lines, as a YAML block. */
function block(value: string): string {
  return ['|', ...value.split('\n').map((line) => `    ${line}`)].join('\n');
}

/**
 * An input on the command line: the mode is the command, and not a flag; for a value with several
 * lines, the flag is repeated.
 */
function flag(name: string, value: string): string {
  if (name === 'mode') return `  docs-courier ${value}`;
  const flags = value.split('\n').map((line) => `--${name} ${shellWord(line)}`);
  return `  ${flags.join(' ')}`;
}

function assignment(name: string, value: string): string {
  return `  export ${variableName(name)}=${shellWord(value)}`;
}

/** A word of a POSIX shell, in quotes if it needs them. */
export function shellWord(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  return `'${value.replaceAll("'", "'\\''")}'`;
}
