import wrapAnsi from 'wrap-ansi';
import { configError, ERROR_CODES } from '../ground/errors.ts';
import { looksSecret } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { didYouMean } from '../ground/text/names.ts';
import { EXPLANATIONS } from '../run/explanations.ts';

/**
 * The section about an error code; of an empty text, all codes with their first paragraphs.
 * `columns`: the width of the terminal; 100 for a file or a pipe. Throws `config` for a text that is
 * not an error code.
 */
export function explain(text: string, columns = 100): string {
  const paragraphs = sectionOf(text);
  return `${paragraphs.map((paragraph) => wrapAnsi(paragraph, columns)).join('\n\n')}\n`;
}

function sectionOf(text: string): readonly string[] {
  if (text === '') return ERROR_CODES.map((code) => `${code}: ${EXPLANATIONS[code][0]}`);
  const code = ERROR_CODES.find((known) => known === text);
  if (code !== undefined) return [`Error ${code}`, ...EXPLANATIONS[code]];
  let subject = 'The text';
  if (!looksSecret(text)) subject = `"${plainLine(text, 60)}"`;
  throw configError(
    `${subject} is not an error code${didYouMean(text, ERROR_CODES)}`,
    `The error codes are ${ERROR_CODES.join(', ')}.`,
  );
}
