import type { Written } from '../../github/pull-request.ts';
import { readHtml } from './html.ts';
import { readPlain } from './plain.ts';
import type { Shown } from './shown.ts';

/** What a reader of the page sees of a text, in whatever form its author wrote it. */
export function readShown({ body, html }: Written): Shown {
  if (html === undefined) return readPlain(body);
  return readHtml({ body, html });
}
