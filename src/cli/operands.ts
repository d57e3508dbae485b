import { looksSecret } from '../text/credentials.ts';
import { didYouMean } from '../text/names.ts';
import { COMMANDS, type Command, type Flag } from './options.ts';

// Words of a command line that are neither a command nor the value of a flag.

export interface Word {
  readonly value: string;
  /** Behind `docs-courier`, from 1. */
  readonly position: number;
}

interface Operand {
  readonly flag: Flag['name'];
  /** Completes "COMMAND takes …". */
  readonly text: string;
  readonly pattern: RegExp;
}

/**
 * The commands that take one word besides flags: `search docs-queries.yml`, `agent --pull-request
 * 12 "…"`.
 */
export const OPERANDS: Readonly<Record<string, Operand | undefined>> = {
  search: {
    flag: 'queries-file',
    text: 'one queries file (.yml, .yaml or .json), or --query TEXT',
    pattern: /\.(ya?ml|json)$/i,
  },
  agent: { flag: 'prompt', text: 'one instruction, in quotes', pattern: /./ },
  redirects: { flag: 'site-path', text: 'the folder with the unpacked site', pattern: /./ },
  serve: { flag: 'site-path', text: 'the folder with the unpacked site', pattern: /./ },
};

/** What is wrong with words that nothing takes. A word may be a key, and is then not repeated. */
export function refuseWords(
  words: readonly [Word, ...Word[]],
  command: Command | undefined,
): string {
  const [first, ...more] = words;
  if (command === undefined) {
    const question = didYouMean(first.value, COMMANDS);
    return `${shownWord(first)} is not a command; the commands are ${COMMANDS.join(', ')}${question}`;
  }
  const takes = OPERANDS[command]?.text ?? 'flags only';
  const positions = words.map(({ position }) => position).join(', ');
  const subject = more.length === 0 ? shownWord(first) : `Word ${positions} after docs-courier`;
  return `${subject} belongs to no flag; ${command} takes ${takes}`;
}

function shownWord({ value, position }: Word): string {
  const isPlain = /^[\w./:@-]{1,60}$/.test(value) && !looksSecret(value);
  return isPlain ? `"${value}"` : `Word ${position} after docs-courier`;
}
