import { meantAddress } from '../inputs/meant-address.ts';
import { parseAddress } from '../inputs/parse-address.ts';
import { looksSecret } from '../text/credentials.ts';
import { plainLine } from '../text/escape.ts';
import { guess } from '../text/names.ts';
import { fits, hostName } from '../values/values.ts';
import { COMMANDS, type Command, FLAGS, type Flag, type GivenFlags } from './options.ts';

// Words of a command line that are neither a command nor the value of a flag.

export interface Word {
  readonly value: string;
  /** Behind `docs-courier`, from 1. */
  readonly position: number;
}

interface Operand {
  readonly flag: Flag['name'];
  readonly text: string;
  /** False for a word that was surely meant for another flag. */
  readonly accepts?: (word: string) => boolean;
}

/** The commands that take one word besides flags: `search docs-queries.yml`, `agent --pull-request 12 "…"`. */
export const OPERANDS: Readonly<Record<string, Operand | undefined>> = {
  search: {
    flag: 'queries-file',
    text: 'one queries file',
    accepts: (word) => !/\s/.test(word) || isFileName(word),
  },
  agent: { flag: 'prompt', text: 'one instruction, in quotes' },
  redirects: { flag: 'site-path', text: 'the folder with the unpacked site' },
  serve: { flag: 'site-path', text: 'the folder with the unpacked site' },
};

function isFileName(word: string): boolean {
  return /\.(ya?ml|json|txt)$/i.test(word);
}

/** What other programs call the commands. */
const COMMAND_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['download', 'fetch', 'get', 'pull'].map((word) => [word, 'export --extract-to site'] as const),
  ...['publish', 'deploy', 'build', 'start', 'run'].map((word) => [word, 'export'] as const),
  ...['open', 'preview', 'dev'].map((word) => [word, 'serve site, after export --extract-to site'] as const),
  ...['renew', 'update'].map((word) => [word, 'refresh'] as const),
  ...['undo', 'revert', 'restore'].map((word) => [word, 'rollback'] as const),
  ['verify', 'export --verify report --extract-to site'],
  ...['check', 'validate', 'init'].map((word) => [word, 'doctor'] as const),
]);

/** What is wrong with words that nothing takes, and what to write. A word may be a key, and is then not repeated. */
export function refuseWords(
  words: readonly [Word, ...Word[]],
  command: Command | undefined,
  given: GivenFlags,
): string {
  const [first, ...more] = words;
  if (command === undefined) {
    const meant = COMMAND_ALIASES.get(first.value.toLowerCase()) ?? guess(first.value, COMMANDS);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    const word = shownWord(first.value) ?? `Word ${first.position}`;
    return `${word} is not a command; the commands are ${COMMANDS.join(', ')}${advice}`;
  }
  const dashed = words.find(({ value }) => FLAGS.has(value.replace(/^--/, '')) && value.startsWith('--'));
  if (dashed !== undefined && command === 'agent' && !words.some(({ value }) => mayBeKey(value))) {
    return `agent takes one instruction, in quotes: -- ${quoted(words.map(({ value }) => value).join(' '))}`;
  }
  if (dashed !== undefined) return `${dashed.value} is after --, where words are not flags; write flags before --`;
  const texts = words.map(({ value }) => value);
  const dash = texts.find((text) => /^[–—]+[a-z]/.test(text));
  if (dash !== undefined) {
    const flag = plainLine(dash.replace(/^[–—]+/, '').replace(/=.*$/s, ''), 40);
    return `${dash.charAt(0)}${flag} begins with a long dash; write --${flag}`;
  }
  const shown = more.length === 0 ? shownWord(first.value) : undefined;
  const subject = shown ?? `Word ${words.map(({ position }) => position).join(', ')} after docs-courier`;
  if (texts.some(mayBeKey)) return `${subject} belongs to no flag; ${takes(command)}`;
  return `${subject} belongs to no flag; ${adviceFor(texts, command, given)}`;
}

function takes(command: Command): string {
  return `${command} takes ${OPERANDS[command]?.text ?? 'flags only'}`;
}

/** A word as it was typed; undefined if it may be a key. */
function shownWord(word: string): string | undefined {
  return /^[\w./:@-]{1,60}$/.test(word) && !mayBeKey(word) ? `"${word}"` : undefined;
}

function mayBeKey(word: string): boolean {
  return looksSecret(word) && !JOB_ID.test(word);
}

/** What to write instead of words that a command does not take, as a whole command where that is known. */
function adviceFor(words: readonly string[], command: Command, given: GivenFlags): string {
  if (command === 'search') return adviceForSearch(words, given);
  if (command === 'agent') return `${takes(command)}: docs-courier agent ${quoted(words.join(' '))}`;
  if (command === 'rollback' && words.every((word) => /^(previous|last|back|latest|undo|~?-?\d)$/i.test(word))) {
    const to = given.has('to') ? '' : ' --to file:link.txt';
    return `without --export-job-id, a rollback restores the export before the live one: docs-courier rollback${to}`;
  }
  const flags = words.map((word) => flagFor(word, command, given));
  if (flags.some((flag) => flag === undefined)) return takes(command);
  return `did you mean ${given.size === 0 ? `docs-courier ${command} ` : ''}${flags.join(' ')}?`;
}

function adviceForSearch(words: readonly string[], given: GivenFlags): string {
  const files = [...(given.get('queries-file') ?? []), ...words];
  if (files.length > 1 && files.every(isFileName)) {
    return `search takes one queries file, and these are ${files.length}: put all queries into one, or run it once for each`;
  }
  if (given.has('query') || given.has('queries-file')) return takes('search');
  return `did you mean ${given.size === 0 ? 'docs-courier search ' : ''}--query ${quoted(words.join(' '))}?`;
}

/** As a word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const JOB_ID = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|(?:job|exp|export)[-_][\w.-]+)$/i;
const CONFIG_FILE = /(?:^|\/)\.?docs[-_]courier\.ya?ml$/;

/** The commands that ask for the site. The others find it next to the link, or in the configuration file. */
const TAKES_DOMAIN: ReadonlySet<Command> = new Set(['export', 'search', 'doctor', 'agent']);

interface Meaning {
  readonly fits: boolean;
  readonly flag: Flag['name'];
  /** Default: the word itself. */
  readonly value?: string | undefined;
}

/** The flag that a word alone was most likely meant for; undefined: none that the command takes. */
function flagFor(word: string, command: Command, given: GivenFlags): string | undefined {
  const [, key = '', text = ''] = /^([a-z-]+)=(.+)$/s.exec(word) ?? [];
  // Other values may be private, such as the arguments of a program.
  if (FLAGS.has(key) && /^[\w./:,-]{1,80}$/.test(text)) return `--${key} ${text}`;
  const isLink = /^https?:\/\/[\w.:/-]+$/.test(word);
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(word);
  const isSite = isHost(word) || isName;
  const isStatus = command === 'status';
  const address = isSite ? undefined : meantAddress(word);
  const meanings: readonly Meaning[] = [
    { fits: isLink && isStatus, flag: 'live-url' },
    { fits: isLink, flag: 'base-url' },
    { fits: JOB_ID.test(word), flag: 'export-job-id' },
    { fits: CONFIG_FILE.test(word), flag: 'config-file' },
    { fits: isName && given.has('clean'), flag: 'extract-to' },
    { fits: isSite && TAKES_DOMAIN.has(command), flag: 'domain' },
    { fits: isHost(word) && isStatus, flag: 'live-url', value: `https://${word}` },
    { fits: isHost(word), flag: 'to', value: 'file:link.txt' },
    { fits: parseAddress(word).ok, flag: 'to' },
    { fits: address !== undefined, flag: 'to', value: address },
    { fits: isName, flag: 'changed-since' },
    { fits: isName, flag: 'site' },
  ];
  const meant = meanings.find(({ fits, flag }) => {
    return fits && FLAGS.get(flag)?.commands.includes(command) === true && !given.has(flag);
  });
  return meant && `--${meant.flag} ${quoted(meant.value ?? word)}`;
}

// `link.txt` is a file, although it could be a host.
function isHost(word: string): boolean {
  return word.includes('.') && fits(hostName, word) && !/\.(txt|url|link|env|json|ya?ml|html?)$/i.test(word);
}
