import type { Token } from 'markdown-it';
import type { Losses, RemovedKind } from './removed.ts';

// Blocks from whose source GitHub draws something.
const DRAWN: ReadonlyMap<string, 'math' | 'diagrams'> = new Map([
  ['math', 'math'],
  ['mermaid', 'diagrams'],
  ['geojson', 'diagrams'],
  ['topojson', 'diagrams'],
  ['stl', 'diagrams'],
]);

// Characters that HTML or a formula takes for markup are written as control characters, which the
// source does not contain: entities would cut a text into as many events of the HTML parser.
const MARKUP = '<&>"$';
const CONTROLS = '\u0001\u0002\u0003\u0004\u0005';

function escapeAsControls(text: string): string {
  return text.replace(/[<&>"$]/g, (character) => CONTROLS.charAt(MARKUP.indexOf(character)));
}

/** The text as it was before `escapeAsControls`. */
export function unescapeText(text: string): string {
  return text.replace(/[\u0001-\u0005]/g, (control) => MARKUP.charAt(CONTROLS.indexOf(control)));
}

/** Elements for footnotes. The HTML in a text cannot contain these names. */
export const FOOTNOTE = 'footnote\u0001';
export const FOOTNOTE_REF = 'footnote-ref\u0001';

/**
 * Writes the tokens of Markdown as HTML, without what GitHub does not show as text. Knows where the
 * text's own HTML was in the source, so that a message can name the line of a tag.
 */
export class HtmlWriter {
  html = '';
  readonly #source: string;
  /** Where each line of the source begins. */
  readonly #lineStarts: number[] = [];
  readonly #losses: Losses;
  /** Each line of the text's own HTML: where it begins in the HTML, and in the source. */
  readonly #htmlLines: { readonly at: number; readonly sourceAt: number }[] = [];
  /** Where to search in the source: behind what was found of the block that is being written. */
  #sourceAt = 0;
  /** The line in the source of the table's row that is being written. */
  #row: number | undefined;
  /** How many characters the cells of that row have that are shown. */
  #cellsLength = 0;

  constructor(source: string, losses: Losses) {
    this.#source = source;
    this.#losses = losses;
    for (const line of source.matchAll(/^/gm)) this.#lineStarts.push(line.index);
  }

  write(tokens: readonly Token[]): void {
    for (const token of tokens) {
      // A block names the lines that it is from.
      if (token.map) this.#sourceAt = this.#lineStarts[token.map[0]] ?? 0;
      if (token.type === 'inline') {
        // Counted for `#countExcess`, and of use within a table's row only: each row begins at 0.
        this.#cellsLength += visibleLength(token.content);
        this.write(token.children ?? []);
      } else this.html += this.#htmlOf(token);
    }
  }

  /** The HTML of a token; empty for what is left out and counted. */
  #htmlOf(token: Token): string {
    const { type, tag, content } = token;
    switch (type) {
      case 'text':
      case 'text_special':
        return escapeAsControls(content);
      case 'code_inline':
        return `<code>${escapeAsControls(content)}</code>`;
      case 'fence':
      case 'code_block': {
        const language = token.info.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
        const drawn = DRAWN.get(language);
        if (drawn !== undefined) return this.#leaveOut(drawn, content.length);
        return `<pre>${escapeAsControls(content)}</pre>`;
      }
      case 'html_block':
      case 'html_inline':
        // It stays as it is: `VisibleText` decides what of it is shown.
        this.#notePlaces(content);
        return content;
      case 'math_block':
      case 'math_inline':
        return this.#leaveOut('math', content.length);
      case 'link_open':
        // The text of such a link is its address.
        if (token.markup === 'autolink') return '';
        return this.#leaveOut('link addresses', attributesLength(token));
      case 'image':
        return this.#leaveOut('images', content.length + attributesLength(token));
      case 'footnote_ref':
        return `<${FOOTNOTE_REF} name="${content}"></${FOOTNOTE_REF}>`;
      case 'ordered_list_open':
        return `<ol start="${token.attrGet('start') ?? 1}">`;
      case 'tr_open':
        this.#cellsLength = 0;
        this.#row = token.map?.[0];
        break;
      case 'tr_close':
        this.#countExcess();
        break;
    }
    // Of what is within a line, only these two change what a reader sees; the rest is emphasis. A
    // block without a tag shows nothing itself.
    const isLayout = token.block ? tag !== '' : tag === 's' || tag === 'br';
    if (!isLayout) return '';
    if (token.nesting < 0) return `</${tag}>`;
    return `<${tag}>`;
  }

  /**
   * Notes where the text's own HTML is in the source. Line by line: in a quotation there are marks
   * between the lines of a block.
   */
  #notePlaces(raw: string): void {
    let at = this.html.length;
    for (const line of raw.split('\n')) {
      const lineAt = this.#source.indexOf(line, this.#sourceAt);
      // If the parser has changed the line, the place behind the last one is near enough.
      if (lineAt >= 0) this.#sourceAt = lineAt;
      this.#htmlLines.push({ at, sourceAt: this.#sourceAt });
      this.#sourceAt += line.length;
      at += line.length + 1;
    }
  }

  /** Counts what is left out. Gives the HTML that is written for it: none. */
  #leaveOut(kind: RemovedKind, characters: number): string {
    this.#losses.add(kind, characters);
    return '';
  }

  /** Counts the cells of a row beyond those of the heading, which GitHub drops. */
  #countExcess(): void {
    // Every row is from a line; only the type of a token says otherwise.
    if (this.#row === undefined) return;
    const line = this.#source.slice(this.#lineStarts[this.#row], this.#lineStarts[this.#row + 1]);
    // Without the marks of quotations. The parser has no tokens for the cells that are too many.
    const written = visibleLength(line.replace(/^[\s>]+/, ''));
    this.#losses.add('excess table cells', written - this.#cellsLength);
  }

  writeFootnote(number: number, tokens: readonly Token[]): void {
    this.html += `<${FOOTNOTE} name="${number}">`;
    this.write(tokens);
    this.html += `</${FOOTNOTE}>`;
  }

  /** Line and column in the source, from 1, of the text's own HTML at this offset. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    const htmlLine = this.#htmlLines.findLast((one) => one.at <= offset);
    // Before the text's own HTML there is only ours: the beginning of the source stands for it.
    const sourceAt = htmlLine === undefined ? 0 : htmlLine.sourceAt + offset - htmlLine.at;
    const line = this.#lineStarts.findLastIndex((start) => start <= sourceAt);
    const lineStart = this.#lineStarts[line] ?? 0;
    return { line: line + 1, column: sourceAt - lineStart + 1 };
  }
}

/** The length of a table's row, without what is between its cells. */
function visibleLength(row: string): number {
  return row.replace(/[\s|\\]/g, '').length;
}

function attributesLength(token: Token): number {
  return (token.attrs ?? []).reduce((sum, attribute) => sum + String(attribute[1]).length, 0);
}
