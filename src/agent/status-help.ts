import { sections } from '../run/report.ts';
import { codeBlock, codeSpan } from '../text/escape.ts';

/** What a command looks like. */
export function usage(command: string): string {
  return sections([
    '**How to instruct the docs agent**',
    'Begin a comment on the pull request with the command. Everything after it is the instruction.',
    usageBlock(command),
    'Without `--job`, the job is the one of the last command here, or the one that a label `agent-job:ID` names.',
  ]);
}

function usageBlock(command: string): string {
  const lines = [
    [`${command} also document the --json flag`, 'instructs the agent job of this pull request'],
    [`${command} --job ID also document it`, 'instructs this agent job'],
    [`${command} --sha COMMIT document it`, 'only if COMMIT (40 digits) is still the head'],
    [`${command} -- --json needs a page`, 'the instruction itself begins with dashes'],
    [`${command} help`, 'shows this'],
  ] as const;
  const width = Math.max(...lines.map(([left]) => left.length));
  return codeBlock(lines.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n'), { language: 'text' });
}

/** For a comment that was most likely meant as a command. */
export function hint(command: string, seen: string): string {
  return sections([
    `💡 **${codeSpan(seen, 60)} is not a command.** To instruct the docs agent, write a new comment that begins with ${codeSpan(command, 60)}: on the first line, in the first column, in exactly these letters.`,
    usageBlock(command),
    'This hint appears once per pull request.',
  ]);
}
