import type { Token } from 'markdown-it';
import type { Losses, RemovedKind } from './removed.ts';

// What GitHub draws from the source of a block.
const DRAWN: ReadonlyMap<string, 'math' | 'diagrams'> = new Map([
  ['math', 'math'],
  ['mermaid', 'diagrams'],
  ['geojson', 'diagrams'],
  ['topojson', 'diagrams'],
  ['stl', 'diagrams'],
]);

/**
 * A piece of the text's own HTML in the HTML that was made: where it begins there, and on which
 * line of the source, from 0.
 */
interface OwnHtml {
  readonly at: number;
  readonly raw: string;
  readonly line: number;
}

// Text is written with controls in the place of what HTML or a formula takes for markup: the source
// has none of them, and entities would cut a text into as many events of the HTML parser.
const MARKUP = '<&>"$';
const CONTROLS = '\u0001\u0002\u0003\u0004\u0005';

function escapeAsControls(text: string): string {
  return text.replace(/[<&>"$]/g, (character) => CONTROLS.charAt(MARKUP.indexOf(character)));
}

/** Text of the HTML as it was before it was written there. */
export function unescapeText(text: string): string {
  return text.replace(/[\u0001-\u0005]/g, (control) => MARKUP.charAt(CONTROLS.indexOf(control)));
}

/** Elements for footnotes. The text's own HTML cannot spell them. */
export const FOOTNOTE = 'footnote\u0001';
export const FOOTNOTE_REF = 'footnote-ref\u0001';

/** Writes HTML, and knows where the text's own HTML in it was in the source. */
export class HtmlWriter {
  html = '';
  readonly #source: string;
  readonly #lines: readonly string[];
  readonly #losses: Losses;
  readonly #own: OwnHtml[] = [];
  #line = 0;
  // Of the table's row that is being written.
  #row: number | undefined;
  #cells = 0;

  constructor(source: string, losses: Losses) {
    this.#source = source;
    this.#lines = source.split('\n');
    this.#losses = losses;
  }

  write(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.map) this.#line = token.map[0];
      if (token.type === 'inline') {
        this.#cells += token.content.replace(/[\s|\\]/g, '').length;
        this.write(token.children ?? []);
      } else this.html += this.#htmlOf(token);
    }
  }

  #htmlOf(token: Token): string {
    const { type, tag, nesting, content } = token;
    switch (type) {
      case 'text':
      case 'text_special':
        return escapeAsControls(content);
      case 'code_inline':
        return `<code>${escapeAsControls(content)}</code>`;
      case 'fence':
      case 'code_block': {
        const drawn = DRAWN.get(token.info.trim().split(/\s+/)[0]?.toLowerCase() ?? '');
        return drawn === undefined
          ? `<pre>${escapeAsControls(content)}</pre>`
          : this.#leaveOut(drawn, content.length);
      }
      case 'html_block':
      case 'html_inline':
        this.#own.push({ at: this.html.length, raw: content, line: this.#line });
        return content;
      case 'math_block':
      case 'math_inline':
        return this.#leaveOut('math', content.length);
      case 'link_open':
        return token.markup === 'autolink'
          ? ''
          : this.#leaveOut('link addresses', attributesLength(token));
      case 'image':
        return this.#leaveOut('images', content.length + attributesLength(token));
      case 'footnote_ref':
        return `<${FOOTNOTE_REF} name="${content}"></${FOOTNOTE_REF}>`;
      case 'ordered_list_open':
        return `<ol start="${token.attrGet('start') ?? 1}">`;
      case 'tr_open':
        this.#cells = 0;
        this.#row = token.map?.[0];
        break;
      case 'tr_close':
        this.#countExcess();
        break;
    }
    const isLayout = token.block ? tag !== '' : tag === 's' || tag === 'br';
    return isLayout ? `<${nesting < 0 ? '/' : ''}${tag}>` : '';
  }

  #leaveOut(kind: RemovedKind, characters: number): string {
    this.#losses.add(kind, characters);
    return '';
  }

  // A row may have more cells than the heading; GitHub drops the excess.
  #countExcess(): void {
    if (this.#row === undefined) return;
    const row = (this.#lines[this.#row] ?? '').replace(/^[\s>]+/, '');
    this.#losses.add('excess table cells', row.replace(/[\s|\\]/g, '').length - this.#cells);
  }

  writeFootnote(number: number, tokens: readonly Token[]): void {
    this.html += `<${FOOTNOTE} name="${number}">`;
    this.write(tokens);
    this.html += `</${FOOTNOTE}>`;
  }

  /** Line and column in the source, from 1, of the text's own HTML at this offset. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    // The line that contains the tag is looked for from its place in the block, and its equals
    // before it there are passed over.
    const index = this.#own.findLastIndex(({ at }) => at <= offset);
    const { raw, at: start, line } = this.#own[index] ?? { raw: '', at: offset, line: 0 };
    const before = raw.slice(0, offset - start).split('\n');
    const written = raw.split('\n')[before.length - 1] ?? '';
    const equals = this.#own
      .slice(0, Math.max(index, 0))
      .filter((own) => own.line === line && own.raw === raw).length;
    const lineStart = this.#lines
      .slice(0, line + before.length - 1)
      .reduce((sum, { length }) => sum + length + 1, 0);
    let at = lineStart - 1;
    for (let found = 0; found <= equals && at >= lineStart - 1; found += 1)
      at = this.#source.indexOf(written, at + 1);
    const ahead = this.#source
      .slice(0, Math.max(at + (before.at(-1)?.length ?? 0), lineStart))
      .split('\n');
    return { line: ahead.length, column: (ahead.at(-1)?.length ?? 0) + 1 };
  }
}

function attributesLength({ attrs }: Token): number {
  return (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0);
}
