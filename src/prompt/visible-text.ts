import { Parser } from 'htmlparser2';
import { longestRun } from '../text/characters.ts';

/**
 * HTML to the text that a person sees, as simple Markdown: paragraphs, headings, list items, code. What is hidden, or may be,
 * is left out with all that stands in it.
 */

// Elements whose content no page shows as text, or only after a click.
const HIDING: ReadonlySet<string> = new Set(
  `applet audio canvas datalist details dialog embed frame frameset head iframe img input link math menu meta noembed
   noframes noscript object optgroup option param picture plaintext script select source style svg template textarea title
   track video xmp rp`.split(/\s+/),
);
// With one of these an element can be invisible; GitHub takes styles out, other readers of the text do not.
const HIDING_ATTRIBUTES = ['hidden', 'style', 'class', 'aria-hidden', 'popover', 'inert'] as const;

const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd div dl dt fieldset figcaption figure footer form header hr html
   legend main nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);
// Elements that never have an end tag.
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const HEADING = /^h([1-6])$/;

// No page nests like this, and the parser's work for one more element grows with the depth.
const DEEPEST = 200;

const COMMENT_END = /--!?>/g;

type Mode = 'text' | 'code' | 'pre';

class VisibleText {
  private readonly blocks: string[] = [];
  private line = '';
  private lead = '';
  private code = '';
  private hidden = 0;
  private ended = false;
  private mode: Mode = 'text';
  private readonly stack: { name: string; hides: boolean }[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const hides = HIDING.has(name) || HIDING_ATTRIBUTES.some((attribute) => attribute in attributes);
    this.stack.push({ name, hides });
    if (hides) this.hidden += 1;
    if (this.stack.length > DEEPEST) this.ended = true;
    if (this.hidden > 0 || this.ended || this.mode === 'pre') return;
    if (name === 'br') this.line += '\n';
    const heading = HEADING.exec(name);
    if (heading !== null || name === 'li' || BLOCKS.has(name)) this.flush();
    if (heading !== null) this.lead = `${'#'.repeat(Number(heading[1]))} `;
    if (name === 'li') this.lead = '- ';
    if (name === 'pre') this.mode = 'pre';
    else if (name === 'code' && this.mode === 'text') this.mode = 'code';
  }

  close(isImplied: boolean): void {
    const top = this.stack.pop();
    if (top === undefined) return;
    // A browser opens some elements anew in the next paragraph: one that hides and has no end tag hides the rest.
    if (top.hides && isImplied && !VOID.has(top.name)) this.ended = true;
    if (top.hides) this.hidden -= 1;
    else if (this.hidden === 0) this.closeVisible(top.name);
  }

  private closeVisible(name: string): void {
    if (this.ended) return;
    if (name === 'pre' && this.mode === 'pre') this.flushFence();
    else if (name === 'code' && this.mode === 'code') this.flushCode();
    else if (this.mode !== 'pre' && (HEADING.test(name) || name === 'li' || BLOCKS.has(name))) this.flush();
  }

  text(data: string): void {
    if (this.hidden > 0 || this.ended) return;
    if (this.mode === 'text') this.line += data;
    else this.code += data;
  }

  // A comment that is no comment for the parser, such as one spelt with entities. Without an end it hides the rest.
  private withoutComments(line: string): string {
    const kept: string[] = [];
    let at = 0;
    for (let from = line.indexOf('<!--'); from >= 0; from = line.indexOf('<!--', at)) {
      kept.push(line.slice(at, from));
      COMMENT_END.lastIndex = from + 4;
      if (COMMENT_END.exec(line) === null) {
        this.ended = true;
        return kept.join('');
      }
      at = COMMENT_END.lastIndex;
    }
    return kept.join('') + line.slice(at);
  }

  private flushCode(): void {
    this.mode = 'text';
    const code = this.code.replace(/\s+/g, ' ');
    this.code = '';
    if (code.trim() === '') return;
    const fence = '`'.repeat(longestRun(code, '`') + 1);
    const padding = /^`|`$/.test(code) || /^ .* $/.test(code) ? ' ' : '';
    this.line += `${fence}${padding}${code}${padding}${fence}`;
  }

  private flushFence(): void {
    this.mode = 'text';
    const code = this.code.replace(/^\n+|\s+$/g, '');
    this.code = '';
    if (code === '') return;
    const fence = '`'.repeat(Math.max(3, longestRun(code, '`') + 1));
    this.blocks.push(`${fence}\n${code}\n${fence}`);
  }

  private flush(): void {
    const lines = this.withoutComments(this.line)
      .split('\n')
      .map((line) => line.trim());
    const text = lines.filter((line) => line !== '').join('\n');
    if (text !== '') this.blocks.push(this.lead + text);
    this.line = '';
    if (text !== '') this.lead = '';
  }

  /** True once nothing that follows can be seen any more. */
  get isOver(): boolean {
    return this.ended;
  }

  end(): string {
    if (this.mode === 'code') this.flushCode();
    if (this.mode === 'pre') this.flushFence();
    this.flush();
    return this.blocks.reduce((text, block, index) => {
      const tight = block.startsWith('- ') && this.blocks[index - 1]?.startsWith('- ');
      return index === 0 ? block : `${text}${tight ? '\n' : '\n\n'}${block}`;
    }, '');
  }
}

export function toVisibleText(html: string): string {
  const visible = new VisibleText();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        visible.open(name, attributes);
        if (visible.isOver) parser.pause();
      },
      onclosetag: (_name, isImplied) => visible.close(isImplied),
      ontext: (data) => visible.text(data),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return visible.end();
}
