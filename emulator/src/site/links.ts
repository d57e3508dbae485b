import { posix } from 'node:path';

/** The content of a site: Markdown path to HTML path, and its assets. */
export interface SiteMap {
  readonly outputs: ReadonlyMap<string, string>;
  readonly assets: ReadonlySet<string>;
  /**
   * Links in the site begin with this prefix; undefined: they are relative, so pages also work from
   * `file://`.
   */
  readonly basePath?: string | undefined;
}

export type LinkTarget =
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'inside'; readonly href: string }
  /** Within the page, or data in the address itself. */
  | { readonly kind: 'own'; readonly href: string }
  /** Inside the site, but missing. Left unchanged, so a check of the site finds it. */
  | { readonly kind: 'missing'; readonly href: string };

/** The target of a link or an image in the rendered site. */
export function resolveLink(site: SiteMap, source: string, href: string): LinkTarget {
  if (href.startsWith('//')) return { kind: 'outside', href: `https:${href}` };
  if (/^data:/i.test(href)) return { kind: 'own', href };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: 'outside', href };
  if (href.startsWith('#') || href === '') return { kind: 'own', href: href === '' ? '#' : href };
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const target = findTarget(site, source, decode(path));
  if (target === undefined) return { kind: 'missing', href };
  const from = site.outputs.get(source) ?? source;
  return { kind: 'inside', href: hrefTo(site, from, target) + rest.replace(/^\?[^#]*/, '') };
}

function findTarget(site: SiteMap, source: string, path: string): string | undefined {
  const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(source), path);
  const full = posix.normalize(joined).replace(/\/$/, '').replace(/^\.$/, '');
  const folder = full === '' ? '' : `${full}/`;
  const stems = [full, `${folder}index`, `${folder}README`, full.replace(/\.html$/, '')];
  const pages = [full, ...stems.flatMap((stem) => [`${stem}.md`, `${stem}.mdx`])];
  const page = pages.map((name) => site.outputs.get(name)).find((output) => output !== undefined);
  if (page !== undefined) return page;
  if (site.assets.has(full)) return full;
  return full === '' ? 'index.html' : undefined;
}

/** The reference from one file of the site to another. */
export function hrefTo({ basePath }: Pick<SiteMap, 'basePath'>, from: string, to: string): string {
  return basePath === undefined ? relativeHref(from, to) : `${basePath}/${escapePath(to)}`;
}

function escapePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A relative reference that also works from `file://`: always to a file, never to a folder. */
export function relativeHref(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to) || posix.basename(to);
  const escaped = escapePath(path);
  return escaped.includes(':') ? `./${escaped}` : escaped;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
