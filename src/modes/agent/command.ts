export type Command =
  | { readonly kind: 'none' }
  | { readonly kind: 'help' }
  | { readonly kind: 'instruction'; readonly text: string; readonly jobId: string | undefined }
  /** A command, but not one that can be done; `reason` is for the person who wrote it. */
  | { readonly kind: 'wrong'; readonly reason: string };

const JOB_OPTION = /^--job(?:[ \t]+|=|$)([^\s]*)[ \t]*/;
const JOB_ID = /^(?!\.+$)[A-Za-z0-9._~-]{1,128}$/;

/**
 * A comment is a command when its first line begins, in its first column, with exactly the word, and white space or the end
 * follows. Everything after the word is the instruction, further lines included. In quotes and code the first column is
 * taken by `>`, a fence or blanks, so that nothing there can be a command.
 */
export function readCommand(body: string, word: string): Command {
  const after = body.startsWith(word) ? body.slice(word.length) : undefined;
  if (after === undefined || !/^([ \t\r\n]|$)/.test(after)) return { kind: 'none' };
  const text = after.trimStart();
  const option = JOB_OPTION.exec(text);
  const jobId = option?.[1];
  if (jobId !== undefined && !JOB_ID.test(jobId)) {
    return {
      kind: 'wrong',
      reason: 'The id after --job must be 1 to 128 letters, digits, dots, underscores, tildes or hyphens.',
    };
  }
  const instruction = (option === null ? text : text.slice(option[0].length)).trim();
  if (instruction === '' || /^help$/i.test(instruction)) return { kind: 'help' };
  return { kind: 'instruction', text: instruction, jobId };
}
