import { renderBody } from '../../emulator/src/github/markdown/render.ts';
import type { Written } from '../../src/github/pull-request.ts';
import { readShown } from '../../src/prompt/shown/read.ts';
import type { Shown } from '../../src/prompt/shown/shown.ts';

/**
 * A text with its page in GitHub's shapes. Attributes that hide text stay in the page, which GitHub
 * itself removes: a reader must respect them all the same.
 */
export function written(body: string): Written {
  return { body, html: renderBody(body, { repository: 'acme/docs', keepsHiding: true }) };
}

/** What is read of the page of a text. */
export function readMarkdown(body: string): Shown {
  return readShown(written(body));
}

/** An instruction of a workflow, which is on no page. */
export function instruction(text: string) {
  return { text, removed: [], invisible: 0 };
}
