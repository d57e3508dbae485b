import { readHtml } from './html.ts';
import { readPlain } from './plain.ts';
import type { Shown, ToRead } from './shown.ts';

/** What a reader of the page sees of a text, in whatever form its author wrote it. */
export function readShown(text: ToRead): Shown {
  const html = text.html;
  if (html === undefined) return readPlain(text.body);
  return readHtml({ ...text, html });
}
