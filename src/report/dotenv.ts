/** Outputs in the form `NAME=value`, a line each, as CI systems hand them from job to job. */

export interface Dotenv {
  readonly text: string;
  /** Names of outputs that do not fit and are left out. */
  readonly left: readonly string[];
}

/** `DOCS_COURIER_OUT_JOB_ID`. */
export function dotenvKey(output: string): string {
  return `DOCS_COURIER_OUT_${output.toUpperCase().replaceAll('-', '_')}`;
}

// No reader of such files agrees with the next one on quotes; these characters mean the same to all of them, a shell included.
const PLAIN = /^[\w.~:/?@%+=,-]{1,1000}$/;

/** Values that are empty have no line. A value that would need quotes does not fit. */
export function formatDotenv(outputs: Readonly<Record<string, string | undefined>>): Dotenv {
  const given = Object.entries(outputs).flatMap(([name, value = '']) => (value === '' ? [] : [{ name, value }]));
  const fits = given.filter(({ value }) => PLAIN.test(value));
  return {
    text: fits.map(({ name, value }) => `${dotenvKey(name)}=${value}\n`).join(''),
    left: given.filter(({ value }) => !PLAIN.test(value)).map(({ name }) => name),
  };
}
