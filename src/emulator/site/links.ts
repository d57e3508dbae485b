import { posix } from 'node:path';

/** What a site holds: Markdown path to HTML path, and the assets that go with it. */
export interface SiteMap {
  readonly outputs: ReadonlyMap<string, string>;
  readonly assets: ReadonlySet<string>;
}

export type LinkTarget =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'inside'; readonly href: string }
  /** Within the page, or data in the address itself. */
  | { readonly kind: 'own'; readonly href: string }
  | { readonly kind: 'missing' };

/** Where a link or an image in one page leads once the site is rendered. */
export function resolveLink(site: SiteMap, source: string, href: string): LinkTarget {
  if (href.startsWith('//')) return { kind: 'outside', href: `https:${href}` };
  if (/^data:/i.test(href)) return { kind: 'own', href };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: 'outside', href };
  if (href.startsWith('#') || href === '') return { kind: 'own', href: href === '' ? '#' : href };
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const target = findTarget(site, source, decode(path));
  if (target === undefined) return { kind: 'missing' };
  const from = site.outputs.get(source) ?? source;
  return { kind: 'inside', href: relativeHref(from, target) + rest.replace(/^\?[^#]*/, '') };
}

function findTarget(site: SiteMap, source: string, path: string): string | undefined {
  const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(source), path);
  const full = posix.normalize(joined).replace(/\/$/, '').replace(/^\.$/, '');
  const folder = full === '' ? '' : `${full}/`;
  const pages = [full, `${full}.md`, `${folder}index.md`, `${folder}README.md`, full.replace(/\.html$/, '.md')];
  const page = pages.map((name) => site.outputs.get(name)).find((output) => output !== undefined);
  if (page !== undefined) return page;
  if (site.assets.has(full)) return full;
  return full === '' ? 'index.html' : undefined;
}

/** A relative reference that works from `file://` too: it always names a file, never a folder. */
export function relativeHref(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to) || posix.basename(to);
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return escaped.includes(':') ? `./${escaped}` : escaped;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
