import type { Token } from 'markdown-it';
import type { Losses } from './removed.ts';

// What GitHub draws from the source of a block.
const DRAWN: ReadonlyMap<string, 'math' | 'diagrams'> = new Map([
  ['math', 'math'],
  ['mermaid', 'diagrams'],
  ['geojson', 'diagrams'],
  ['topojson', 'diagrams'],
  ['stl', 'diagrams'],
]);

/** A piece of the text's own HTML in the HTML that was made: where it begins there, and where to find it in the source. */
interface OwnHtml {
  readonly at: number;
  readonly raw: string;
  /** Line of the source that its block begins on, from 0. */
  readonly line: number;
}

export interface GfmHtml {
  readonly html: string;
  /** True where the text's own HTML is at this offset, and not an element that Markdown made. */
  readonly isOwn: (offset: number) => boolean;
  /** Line and column in the source, from 1, of the text's own HTML at this offset. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
}

// Text is written with controls in the place of what HTML takes for markup: the source has none of them, and entities would cut a
// text into as many events of the HTML parser.
const MARKUP = '<&>"';
const CONTROLS = '\u0001\u0002\u0003\u0004';

function escapeHtml(text: string): string {
  return text.replace(/[<&>"]/g, (character) => CONTROLS.charAt(MARKUP.indexOf(character)));
}

/** Text of the HTML as it was before it was written there. */
export function unescapeText(text: string): string {
  return text.replace(/[\u0001-\u0004]/g, (control) => MARKUP.charAt(CONTROLS.indexOf(control)));
}

export class HtmlWriter {
  readonly #source: string;
  readonly #losses: Losses;
  readonly #parts: string[] = [];
  readonly #own: OwnHtml[] = [];
  #length = 0;
  #line = 0;
  // Of the table's row that is being written.
  #row: number | undefined;
  #cells = 0;
  #lines: string[] | undefined;

  constructor(source: string, losses: Losses) {
    this.#source = source;
    this.#losses = losses;
  }

  #write(html: string): void {
    this.#parts.push(html);
    this.#length += html.length;
  }

  #writeOwn(raw: string): void {
    this.#own.push({ at: this.#length, raw, line: this.#line });
    this.#write(raw);
  }

  writeBlocks(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.map) this.#line = token.map[0];
      this.#writeBlock(token);
    }
  }

  #writeBlock(token: Token): void {
    const { type, tag, nesting, content } = token;
    switch (type) {
      case 'inline':
        this.#cells += content.replace(/[\s|\\]/g, '').length;
        for (const child of token.children ?? []) this.#writeInline(child);
        return;
      case 'fence':
      case 'code_block':
        this.#writeCode(token);
        return;
      case 'html_block':
        this.#writeOwn(content);
        return;
      case 'math_block':
        this.#losses.add('math', content.length);
        return;
      case 'tr_open':
        this.#cells = 0;
        this.#row = token.map?.[0];
        break;
      case 'tr_close':
        this.#countExcess();
        break;
    }
    if (tag === '') return;
    const start = type === 'ordered_list_open' ? ` start="${token.attrGet('start') ?? 1}"` : '';
    this.#write(nesting < 0 ? `</${tag}>` : `<${tag}${start}>`);
  }

  // A row may have more cells than the heading; GitHub drops the excess.
  #countExcess(): void {
    if (this.#row === undefined) return;
    this.#lines ??= this.#source.split('\n');
    const row = (this.#lines[this.#row] ?? '').replace(/^[\s>]+/, '');
    this.#losses.add('excess table cells', row.replace(/[\s|\\]/g, '').length - this.#cells);
  }

  writeFootnote(number: number, tokens: readonly Token[]): void {
    this.#write(`<gfm-footnote name="${number}">`);
    this.writeBlocks(tokens);
    this.#write('</gfm-footnote>');
  }

  #writeCode({ info, content }: Token): void {
    const drawn = DRAWN.get(info.trim().split(/\s+/)[0]?.toLowerCase() ?? '');
    if (drawn === undefined) this.#write(`<pre>${escapeHtml(content)}</pre>`);
    else this.#losses.add(drawn, content.length);
  }

  #writeInline(token: Token): void {
    const { type, content } = token;
    switch (type) {
      case 'text':
      case 'text_special':
        this.#write(escapeHtml(content));
        return;
      case 'code_inline':
        this.#write(`<code>${escapeHtml(content)}</code>`);
        return;
      case 'html_inline':
        this.#writeOwn(content);
        return;
      case 'math_inline':
        this.#losses.add('math', content.length);
        return;
      case 's_open':
        this.#write('<s>');
        return;
      case 's_close':
        this.#write('</s>');
        return;
      case 'hardbreak':
        this.#write('<br>');
        return;
      case 'link_open':
        if (token.markup !== 'autolink') {
          this.#losses.add('link addresses', attributesLength(token));
        }
        return;
      case 'image':
        this.#losses.add('images', content.length + attributesLength(token));
        return;
      case 'footnote_ref':
        this.#write(`<gfm-footnote-ref name="${content}"></gfm-footnote-ref>`);
        return;
    }
  }

  end(): GfmHtml {
    const own = this.#own;
    const source = this.#source;
    const find = (offset: number) => {
      const found = own[lastAtOrBefore(own, offset)];
      return found !== undefined && offset < found.at + found.raw.length ? found : undefined;
    };
    return {
      html: this.#parts.join(''),
      isOwn: (offset) => find(offset) !== undefined,
      placeOf(offset) {
        const found = find(offset);
        if (found === undefined) return { line: 1, column: 1 };
        const before = own.filter(
          ({ line, raw, at }) => line === found.line && raw === found.raw && at < found.at,
        ).length;
        let at = source.split('\n').slice(0, found.line).join('\n').length - 1;
        for (let nth = 0; nth <= before && at >= -1; nth += 1) at = source.indexOf(found.raw, at + 1);
        return at < 0 ? placeInLine(source, found, offset) : placeAt(source, at + offset - found.at);
      },
    };
  }
}

function attributesLength({ attrs }: Token): number {
  return (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0);
}

/** Index of the last piece that begins at the offset or before it; -1 where there is none. */
function lastAtOrBefore(own: readonly OwnHtml[], offset: number): number {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((own[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The marks of a quote or the indentation of a list keep what has several lines from being found as it is.
function placeInLine(source: string, { at, raw, line }: OwnHtml, offset: number): { line: number; column: number } {
  const before = raw.slice(0, offset - at).split('\n');
  const found = line + before.length - 1;
  const rest = raw.slice(offset - at).split('\n')[0] ?? '';
  return { line: found + 1, column: Math.max(0, (source.split('\n')[found] ?? '').indexOf(rest)) + 1 };
}

function placeAt(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
