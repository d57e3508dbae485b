import type { Env } from '../ci/port.ts';
import { INPUT_NAMES } from '../inputs/reader.ts';
import { guess } from '../text/guess.ts';

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
  const known = new Map(INPUT_NAMES.map((name) => [variableOf(name), name]));
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && env[variable] !== '')
    .filter((variable) => !known.has(variable) && !OTHER.test(variable))
    .flatMap((variable) => {
      const meant = guess(variable.slice(PREFIX.length), INPUT_NAMES);
      const name = variable.slice(0, 80);
      return meant === undefined ? [] : [`There is no variable ${name}; did you mean ${variableOf(meant)}?`];
    });
}
