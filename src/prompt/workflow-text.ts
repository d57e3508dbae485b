import type { OutsideText } from '../github/outside-texts.ts';
import { stripInvisible } from '../ground/text/escape.ts';
import type { Instruction } from './compose.ts';

/** An instruction of a workflow. It is on no page, so only invisible characters go. */
export function plainInstruction(written: string): Instruction {
  const { text, removed: invisible } = stripInvisible(written);
  return { text, removed: [], invisible };
}

/** A text of an event within a line is recognized from this length on. */
const LEAST_CHARS = 20;

/**
 * The input `prompt` with a name in double braces in the place of each text of the event that is in
 * it: as a whole, or a long line of it. Such a text is not the workflow's own. `found`: these texts.
 */
export function nameOutsideTexts(prompt: string, outside: readonly OutsideText[]) {
  let text = prompt;
  const found = outside.filter((one) => {
    const before = text;
    const mark = `{{${one.name}}}`;
    const written = typeof one.text === 'string' ? one.text : one.text.body;
    const source = plainInstruction(written).text;
    // What the expression `toJSON` makes of it, without the quotation marks.
    const json = plainInstruction(JSON.stringify(written).slice(1, -1)).text;
    for (const part of [source, json, ...source.split('\n')].map((line) => line.trim())) {
      if (part.length >= LEAST_CHARS) text = text.replaceAll(part, mark);
      else if (part === source.trim() && part !== '') text = replaceLines(text, part, mark);
    }
    return text !== before;
  });
  return { text, found };
}

/** Replaces the lines that have only this text of one or more lines. */
function replaceLines(text: string, part: string, mark: string): string {
  const lines = text.split('\n');
  const wanted = part.split('\n');
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => lines[at + index]?.trim() === line.trim()))
      lines.splice(at, wanted.length, mark);
  }
  return lines.join('\n');
}
