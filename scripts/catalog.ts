import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

/** Every mode, in the order of the documentation. */
export const MODES = [
  'export',
  'refresh',
  'rollback',
  'publish',
  'agent',
  'search',
  'plan',
  'doctor',
];
/** Modes that use the platform: `[all but plan]`. */
export const PLATFORM_MODES = MODES.filter((mode) => mode !== 'plan');

const entry = z.object({
  description: z.string(),
  required: z.optional(z.boolean()),
  default: z.optional(z.string()),
});
const actionFile = z.object({
  inputs: z.record(z.string(), entry),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
});

const outputTable = z.record(
  z.string(),
  z.strictObject({
    fact: z.optional(z.string()),
    otherwise: z.optional(z.string()),
    type: z.enum(['string', 'boolean', 'integer', 'enum']),
    'allowed-values': z.optional(z.array(z.string())),
    text: z.string(),
  }),
);
export type OutputTable = z.infer<typeof outputTable>;

/** What action.yml does not say of an output. */
export function readOutputTable(root: string): OutputTable {
  return outputTable.parse(parse(readFileSync(join(root, 'scripts/docs/outputs.yml'), 'utf8')));
}

export interface CatalogEntry {
  readonly name: string;
  /**
   * The modes in the brackets at the start of the description; all of them for `[all]`, or `[all
   * but plan]`.
   */
  readonly modes: readonly string[];
  /** The description without the brackets. */
  readonly text: string;
  readonly required: boolean;
  readonly default: string;
}

/** Splits a description into its modes and its text. */
export function readModes(
  name: string,
  description: string,
): Pick<CatalogEntry, 'name' | 'modes' | 'text'> {
  const match = /^\[([a-z, ]+)\] (.+)$/s.exec(description);
  const named = match?.[1]?.split(', ') ?? [];
  const modes = named.includes('all')
    ? MODES
    : named.includes('all but plan')
      ? PLATFORM_MODES
      : named;
  if (
    match?.[2] === undefined ||
    modes.length === 0 ||
    modes.some((mode) => !MODES.includes(mode))
  ) {
    throw new Error(
      `The description of ${name} must begin with its modes, such as "[export, refresh]"`,
    );
  }
  return { name, modes, text: match[2] };
}

function toEntry([name, value]: [string, z.infer<typeof entry>]): CatalogEntry {
  const { required = false, default: fallback = '' } = value;
  return { ...readModes(name, value.description), required, default: fallback };
}

/** The inputs and outputs of an action.yml, in that order. */
export function readCatalog(path: string): { inputs: CatalogEntry[]; outputs: CatalogEntry[] } {
  const action = actionFile.parse(parse(readFileSync(path, 'utf8')));
  return {
    inputs: Object.entries(action.inputs).map(toEntry),
    outputs: Object.entries(action.outputs).map(toEntry),
  };
}

/**
 * The module that the program reads instead of action.yml and of the table of outputs: names, modes,
 * defaults, and which fact an output is.
 */
export function renderCatalogModule(root: string): string {
  const { inputs, outputs } = readCatalog(join(root, 'action.yml'));
  const facts = readOutputTable(root);
  // An expression is not a default: the runner fills in its value.
  const literal = (value: string) => (value.includes('${{') ? '' : value);
  const modeList = (modes: readonly string[]) =>
    `modes: [${modes.map((mode) => `'${mode}'`).join(', ')}]`;
  const row = ({ name, modes, default: value }: CatalogEntry) =>
    `  '${name}': { ${modeList(modes)}, default: ${JSON.stringify(literal(value))} },`;
  const outputRow = ({ name, modes }: CatalogEntry) => {
    const { fact, otherwise } = facts[name] ?? {};
    const parts = [modeList(modes)];
    if (fact !== undefined) parts.push(`fact: '${fact}'`);
    if (otherwise !== undefined) parts.push(`otherwise: '${otherwise}'`);
    return `  '${name}': { ${parts.join(', ')} },`;
  };
  return [
    '// Generated from action.yml and scripts/docs/outputs.yml by `npm run build`. Do not edit.',
    '',
    '/** Every input: the modes that accept it, and its default. */',
    'export const INPUTS = {',
    ...inputs.map(row),
    '} as const;',
    '',
    '/** Every output: the modes that have it, and the fact of the report that is its value. */',
    'export const OUTPUTS = {',
    ...outputs.map(outputRow),
    '} as const;',
    '',
    'export type InputName = keyof typeof INPUTS;',
    'export type OutputName = keyof typeof OUTPUTS;',
    '',
  ].join('\n');
}
