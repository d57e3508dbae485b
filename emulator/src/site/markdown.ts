import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { highlight } from './highlight.ts';
import { type LinkTarget, resolveLink, type SiteMap } from './links.ts';
import type { Page } from './page.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

interface Scope {
  readonly resolve: (href: string) => LinkTarget;
  readonly headings: Heading[];
}

/**
 * Renders one page's Markdown; HTML in it becomes text, and nothing in the result loads from
 * another host.
 */
export function renderMarkdown(page: Page, site: SiteMap): Rendered {
  const scope: Scope = { resolve: (href) => resolveLink(site, page.source, href), headings: [] };
  const html = createMarkdown(scope).render(page.body);
  return { html, headings: scope.headings };
}

function createMarkdown(scope: Scope): MarkdownIt {
  const markdown = createMarkdownIt({ html: false, linkify: true, typographer: false, highlight });
  markdown.core.ruler.push('anchors', (state) => addAnchors(state.tokens, scope));
  markdown.core.ruler.push('callouts', (state) => markCallouts(state.tokens));
  markdown.core.ruler.push('addresses', (state) => {
    for (const token of state.tokens) rewriteAddresses(token.children ?? [], scope);
  });
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  return markdown;
}

/** Ids of headings as code hosts create them, so links written for them work here too. */
export function slugify(text: string): string {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, '');
  return kept.trim().replace(/ /g, '-') || 'section';
}

function addAnchors(tokens: readonly Token[], { headings }: Scope): void {
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    const inline = tokens[at + 1];
    if (token.type !== 'heading_open' || !inline) continue;
    const text = textOf(inline.children ?? []);
    const slug = slugify(text);
    const sameSlugs = taken.get(slug) ?? 0;
    taken.set(slug, sameSlugs + 1);
    const id = sameSlugs === 0 ? slug : `${slug}-${sameSlugs}`;
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), id, text });
  }
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.type === 'text' || token.type === 'code_inline' ? token.content : ''))
    .join('');
}

const CALLOUT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*/;

/** Quotes that begin with `[!NOTE]` and the like become callouts, as code hosts show them. */
function markCallouts(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    // After a quote begins, its first paragraph begins, and then comes the text of that.
    const first = tokens[at + 2]?.children?.[0];
    const kind =
      token.type === 'blockquote_open' && first ? CALLOUT.exec(first.content)?.[1] : undefined;
    if (!kind || !first) continue;
    token.attrSet('class', `callout ${kind.toLowerCase()}`);
    token.attrSet('data-kind', kind.charAt(0) + kind.slice(1).toLowerCase());
    first.content = first.content.replace(CALLOUT, '');
  }
}

function rewriteAddresses(tokens: Token[], scope: Scope): void {
  for (const token of tokens) {
    if (token.type === 'link_open') {
      rewriteLink(token, scope.resolve(String(token.attrGet('href') ?? '')));
    } else if (token.type === 'image') {
      rewriteImage(token, scope.resolve(String(token.attrGet('src') ?? '')));
    }
  }
}

function rewriteLink(token: Token, target: LinkTarget): void {
  token.attrSet('href', target.href);
  if (target.kind === 'outside') token.attrSet('rel', 'noopener noreferrer');
}

/**
 * A bundle never loads anything from another host, so the text of such an image is shown instead.
 */
function rewriteImage(token: Token, target: LinkTarget): void {
  if (target.kind !== 'outside') {
    token.attrSet('src', target.href);
    token.attrSet('loading', 'lazy');
    return;
  }
  token.type = 'text';
  token.content = `[${token.content || 'image'}]`;
}
