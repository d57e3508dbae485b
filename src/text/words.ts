/**
 * The words of a command as a person writes them: between blanks, or in single or double quotes. Nothing else means anything,
 * so that a Windows path stays what it is. undefined where a quote is not closed.
 */
export function splitWords(text: string): readonly string[] | undefined {
  const pieces = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
  if (text.replace(pieces, '').trim() !== '') return undefined;
  return [...text.matchAll(pieces)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
