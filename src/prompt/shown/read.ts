import type { Written } from '../../github/pull-request.ts';
import { readHtml } from './html.ts';
import { readPlain } from './plain.ts';
import type { Shown } from './shown.ts';

/**
 * What a reader of the page sees of a text, in whatever form its author wrote it. `isInstruction`:
 * without the titles of issues that a page shows behind their numbers, since other people write
 * them, and can change them at any time.
 */
export function readShown({ body, html }: Written, isInstruction = false): Shown {
  if (html === undefined) return readPlain(body);
  return readHtml({ body, html }, isInstruction);
}
