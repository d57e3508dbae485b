import { cut, stripInvisible } from '../../../text/escape.ts';

/** Markup that was made by `html`: what is put into it was escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template whose values are text, unless they are markup of this very function. `undefined` is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + toMarkup(parts[index])).join(''));
}

function toMarkup(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.markup;
  return typeof part === 'object' ? part.map(({ markup }) => markup).join('') : escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Characters without ink could make an address look like another one.
function escapeHtml(text: string): string {
  return stripInvisible(text).text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** One line of at most so many characters. */
export function short(text: string, chars: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), { chars });
}

export function join(parts: readonly Html[], between: string): Html {
  return new Html(parts.map(({ markup }) => markup).join(escapeHtml(between)));
}
