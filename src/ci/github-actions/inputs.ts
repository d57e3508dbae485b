import { INPUT_NAMES, type InputSource } from '../../inputs/reader.ts';
import type { Env } from '../port.ts';

/** The variable in which the runner hands an input over: upper case, spaces to underscores, hyphens as they are. */
export function variableOf(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** The inputs of the step, as the runner puts them into its environment. */
export function readActionInputs(env: Env): InputSource {
  const known = new Set(INPUT_NAMES.map(variableOf));
  return {
    fillsDefaults: true,
    value: (name) => env[variableOf(name)] ?? '',
    unknownNames: () =>
      Object.keys(env)
        .filter((variable) => variable.startsWith('INPUT_') && !known.has(variable))
        .map((variable) => variable.slice('INPUT_'.length).toLowerCase()),
  };
}
