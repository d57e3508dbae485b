/** Outputs in the form `NAME=value`, a line each, as CI systems hand them from job to job. */

interface Dotenv {
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

// GitLab refuses a file that has more than 20 variables, or 5 KiB, as a whole; a team may add some of its own to it.
const MAX_VARIABLES = 12;
const MAX_BYTES = 4 * 1024;
/** What later jobs need most, first. */
const FIRST = [
  'status',
  'error-code',
  'job-id',
  'page-count',
  'expires-at',
  'changed',
  'secret-updated',
  'bundle-sha256',
];

/** Values that are empty have no line. A value that would need quotes does not fit, nor does what makes the file too large. */
export function formatDotenv(outputs: Readonly<Record<string, string | undefined>>): Dotenv {
  const given = Object.entries(outputs).flatMap(([name, value = '']) => (value === '' ? [] : [{ name, value }]));
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const lines: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const { name, value } of given.sort((a, b) => rank(a.name) - rank(b.name))) {
    const line = `${dotenvKey(name)}=${value}\n`;
    const isRoom = lines.length < MAX_VARIABLES && bytes + line.length <= MAX_BYTES;
    if (isRoom && PLAIN.test(value)) {
      lines.push(line);
      bytes += line.length;
    } else left.push(name);
  }
  return { text: lines.join(''), left };
}
