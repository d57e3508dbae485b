import { FAVICON } from '../theme/favicon.ts';
import { EARLY_SCRIPT } from '../theme/script.ts';
import { COLOURS } from '../theme/style.ts';
import type { Build } from './build.ts';
import { hrefTo } from './links.ts';
import type { Heading, Rendered } from './markdown.ts';
import type { NavigationNode } from './navigation.ts';
import type { Page } from './page.ts';

// Inside the page: a browser loads the icon late, and leaving the page before then would cancel a
// request.
const FAVICON_DATA = `data:image/svg+xml,${encodeURIComponent(FAVICON.trim())}`;

interface Layout {
  /** The site's name. */
  readonly title: string;
  readonly navigation: readonly NavigationNode[];
  readonly page: Page;
  readonly rendered: Rendered;
  readonly previous: Page | undefined;
  readonly next: Page | undefined;
  /** Prefix of links; undefined: they are relative. */
  readonly basePath: string | undefined;
  /** Address of the published site, without a trailing slash; undefined: unknown. */
  readonly origin: string | undefined;
  readonly build: Build | undefined;
}

/** The path of a file of the theme. Its name contains the hash of the build. */
export function themeFile(name: string, build: Build | undefined): string {
  return `_theme/${build === undefined ? name : name.replace('.', `.${build.hash}.`)}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A whole HTML page; everything that it loads is in the bundle. */
export function layoutPage(layout: Layout): string {
  const { page, title, rendered } = layout;
  const to = (output: string) => hrefTo(layout, page.output, output);
  const relativeRoot = '../'.repeat(page.output.split('/').length - 1);
  const root = layout.basePath === undefined ? relativeRoot : `${layout.basePath}/`;
  return `<!doctype html>
<html lang="${escapeHtml(page.meta.language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title === title ? title : `${page.title} · ${title}`)}</title>
${page.meta.description ? `<meta name="description" content="${escapeHtml(page.meta.description)}">\n` : ''}\
${layout.origin === undefined ? '' : `<link rel="canonical" href="${escapeHtml(canonical(layout.origin, page))}">\n`}\
<link rel="icon" type="image/svg+xml" href="${FAVICON_DATA}">
<script>${EARLY_SCRIPT}</script>
<link rel="stylesheet" href="${to(themeFile('site.css', layout.build))}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button class="icon menu" type="button" data-menu aria-label="Menu" aria-expanded="false">☰</button>
<a class="brand" href="${to('index.html')}"><img src="${to('_theme/favicon.svg')}" alt="" width="26" height="26"><span>${escapeHtml(title)}</span></a>
<div class="find"><input type="search" data-search="${root}" placeholder="Search ( / )" aria-label="Search"><div class="results" data-results hidden></div></div>
<button class="icon" type="button" data-theme-switch aria-label="Switch between light and dark">◐</button>
</header>
<div class="frame">
<nav class="side" aria-label="Pages">${navigationList(layout.navigation, layout)}</nav>
<main id="content">
${crumbs(layout)}<article>
${articleHead(page, rendered)}${rendered.html}</article>
${around(layout)}</main>
${contents(rendered.headings)}</div>
${builtAt(layout.build)}<script src="${to(themeFile('search.js', layout.build))}"></script>
<script src="${to(themeFile('site.js', layout.build))}"></script>
</body>
</html>
`;
}

/** The address of the page on the published site, without `.html`. */
function canonical(origin: string, { url }: Page): string {
  return url === '/' ? `${origin}/` : origin + encodeURI(url);
}

export function layoutSitemap(origin: string, pages: readonly Page[]): string {
  const entries = pages.map(
    (page) => `  <url><loc>${escapeHtml(canonical(origin, page))}</loc></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}

function articleHead(page: Page, { headings }: Rendered): string {
  return headings.some(({ level }) => level === 1) ? '' : `<h1>${escapeHtml(page.title)}</h1>\n`;
}

function navigationList(nodes: readonly NavigationNode[], layout: Layout): string {
  if (nodes.length === 0) return '';
  const items = nodes.map((node) => {
    const here = node.page === layout.page ? ' aria-current="page"' : '';
    const label = node.page
      ? `<a href="${hrefTo(layout, layout.page.output, node.page.output)}"${here}>${escapeHtml(node.title)}</a>`
      : `<span class="group">${escapeHtml(node.title)}</span>`;
    return `<li>${label}${navigationList(node.children, layout)}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function trail(nodes: readonly NavigationNode[], page: Page): NavigationNode[] | undefined {
  for (const node of nodes) {
    if (node.page === page) return [node];
    const below = trail(node.children, page);
    if (below) return [node, ...below];
  }
  return undefined;
}

function crumbs(layout: Layout): string {
  const { navigation, page } = layout;
  const above = trail(navigation, page)?.slice(0, -1) ?? [];
  if (above.length === 0) return '';
  const parts = above.map((node) => {
    const title = escapeHtml(node.title);
    return `<span>${node.page ? `<a href="${hrefTo(layout, page.output, node.page.output)}">${title}</a>` : title}</span>`;
  });
  return `<div class="crumbs">${parts.join('')}</div>\n`;
}

function around(layout: Layout): string {
  const { page, previous, next } = layout;
  const card = (other: Page | undefined, kind: 'previous' | 'next') =>
    other
      ? `<a class="${kind}" rel="${kind === 'next' ? 'next' : 'prev'}" href="${hrefTo(layout, page.output, other.output)}"><small>${kind === 'next' ? 'Next' : 'Previous'}</small>${escapeHtml(other.title)}</a>`
      : '';
  return `<nav class="around" aria-label="Previous and next page">${card(previous, 'previous')}${card(next, 'next')}</nav>\n`;
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ level, id, text }) =>
      `<a class="l${level}" href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`,
  );
  return `<aside class="toc" aria-label="On this page"><p>On this page</p>${links.join('\n')}</aside>\n`;
}

function builtAt(build: Build | undefined): string {
  if (build === undefined) return '';
  const at = new Date(build.atMs).toISOString();
  return `<footer class="built">Built on <time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time></footer>\n`;
}

/**
 * Contains its style and icon: a server shows it at any depth, and a relative path would lead
 * elsewhere.
 */
export function layoutNotFound(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found · ${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${FAVICON_DATA}">
<style>${COLOURS}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);font:16px/1.7 ui-sans-serif,system-ui,sans-serif;text-align:center}
h1{font-size:4rem;margin:0;color:var(--accent)}a{color:var(--accent)}</style>
</head>
<body><main><h1>404</h1><p>${escapeHtml(title)} does not have this page.</p><p><a href="index.html">To the first page</a></p></main></body>
</html>
`;
}
