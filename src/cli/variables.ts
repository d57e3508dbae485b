import type { Env } from '../ci/port.ts';
import { INPUT_NAMES } from '../inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../inputs/removed.ts';
import { guess } from '../text/names.ts';

const PREFIX = 'DOCS_COURIER_';

/** Variables of this program that are no inputs: tokens that a CI system hands over, and outputs of an earlier run. */
const OTHER = /^DOCS_COURIER_(OUT_|ID_TOKEN_|DEBUG$|TO_COMMAND$|STATE$)/;

/** The variable of an input: `DOCS_COURIER_BASE_URL`. */
export function variableOf(name: string): string {
  return `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * A variable that almost has the name of an input is a problem: what it was to set would not be set. Others with the prefix
 * may belong to the user.
 */
export function misspeltVariables(env: Env): string[] {
  const known = new Set(INPUT_NAMES.map(variableOf));
  const unknown = Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && env[variable] !== '')
    .filter((variable) => !known.has(variable) && !OTHER.test(variable));
  const removed = [...REMOVED_NAMES].filter((name) => unknown.includes(variableOf(name)));
  const almost = unknown.flatMap((variable) => {
    const meant = guess(variable.slice(PREFIX.length), INPUT_NAMES);
    const isRemoved = removed.some((name) => variableOf(name) === variable);
    const name = variable.slice(0, 80);
    return meant === undefined || isRemoved ? [] : [`There is no variable ${name}; did you mean ${variableOf(meant)}?`];
  });
  const value = (name: string) => env[variableOf(name)] ?? '';
  const show = (name: string, text: string) => `${variableOf(name)}=${text}`;
  const problems = removedProblems({ names: removed, value, show });
  return [...problems.map((text) => `Variable: ${text}`), ...almost];
}
