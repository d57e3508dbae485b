import { escapeMarkup } from '../../../../src/ground/text/escape.ts';
import { createGfm } from './gfm.ts';
import { type ShapeOptions, toShapes } from './shapes.ts';

const gfm = createGfm();

/** A text as the field `body_html` of GitHub's API has it. */
export function renderBody(body: string, options: ShapeOptions): string {
  return toShapes(reopened(gfm.render(withFirstNotes(body))), options);
}

/** GitHub compares the labels of footnotes without case, and the first note of a label counts. */
function withFirstNotes(body: string): string {
  const known = new Set<string>();
  return body
    .replace(/\[\^[^\s\]]+\]/g, (label) => label.toLowerCase())
    .replace(/^\[\^([^\s\]]+)\]:/gm, (whole, label: string) => {
      const isFirst = !known.has(label);
      known.add(label);
      return isFirst ? whole : `[^unused-${label}]:`;
    });
}

const FORMATTING = /<(\/?)(b|big|em|i|s|small|strike|strong|tt|u)(\s[^>]*)?>/g;
const BLOCK = /<(?:p|li|td|th|h[1-6]|div)(?:\s[^>]*)?>/g;

/** As a browser: an element of this kind that a paragraph leaves open is open in the next one too. */
function reopened(html: string): string {
  const open: { name: string; at: number; tag: string }[] = [];
  for (const match of html.matchAll(FORMATTING)) {
    const [tag, slash, name = ''] = match;
    if (slash === '') open.push({ name, at: match.index + tag.length, tag });
    else if (open.at(-1)?.name === name) open.pop();
  }
  const [first] = open;
  if (first === undefined) return html;
  const rest = html.slice(first.at).replace(BLOCK, `$&${first.tag}`);
  return html.slice(0, first.at) + rest;
}

/** Where a mail program puts the mail that is answered, or a signature. */
const QUOTED = /^(?:-- ?|On .*wrote:|-{2,} ?Original Message ?-{2,}|(?=>).*)$/m;

/** A comment that was written by mail: without Markdown, and with the rest of the mail hidden. */
export function renderMail(body: string): string {
  const at = QUOTED.exec(body)?.index ?? body.length;
  const fragment = `<div class="email-fragment">${escapeMarkup(body.slice(0, at).trim())}</div>`;
  const rest = body.slice(at).trim();
  if (rest === '') return fragment;
  return `${fragment}\n<span class="email-hidden-toggle"><a href="#">…</a></span><div class="email-hidden-reply" style="display:none">\n<div class="email-quoted-reply">${escapeMarkup(rest)}</div>\n</div>`;
}
