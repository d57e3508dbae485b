import { CourierError } from '../../errors.ts';
import { countOf } from '../../text/markdown.ts';

/**
 * `checks-failed` where an export has fewer pages than it must have; a count that is not known is no error. Call it before
 * anything that is live changes.
 */
export function assertEnoughPages(pages: number | undefined, minPages: number): void {
  if (pages === undefined || pages >= minPages) return;
  throw new CourierError({
    code: 'checks-failed',
    message: `The export has ${countOf(pages, 'page')}, and min-pages is ${minPages}: archive, folder and secret were left as they are.`,
    hint: {
      text: 'Check on the platform what was published. If so few pages are right, say so:',
      inputs: { 'min-pages': String(pages) },
    },
  });
}
