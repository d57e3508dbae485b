import { scanPage } from './page-scan.ts';
import { SiteIndex } from './site-index.ts';

/** The paths below which the platform publishes a site that is not at the top of its host. */
const PREFIXES = ['/docs', '/documentation'] as const;

/** The page that a reader of the site sees first; undefined where there is none. */
export function findEntryPage(files: readonly string[], basePath: string | undefined): string | undefined {
  const prefixes = basePath === undefined ? PREFIXES : [basePath];
  const pages = ['index.html', ...prefixes.map((prefix) => `${prefix.slice(1)}/index.html`)];
  return pages.find((page) => files.includes(page));
}

/**
 * What links in the site begin with before its own paths; empty for nothing. `given`: as asked for; where nothing was, the
 * platform uses the deployment's own, which shows in the links of the entry page.
 */
export function findBasePath(
  files: readonly string[],
  given: string | undefined,
  entry: { readonly page: string; readonly text: string } | undefined,
): string {
  // The archive has the prefix in its own paths: then links and files agree as they are.
  if (entry !== undefined && entry.page !== 'index.html') return '';
  if (given !== undefined || entry === undefined) return given ?? '';
  const { references, base } = scanPage(entry.text, false);
  const score = (prefix: string) => {
    const index = new SiteIndex(files, prefix);
    return references.filter(({ raw }) => {
      const target = index.resolve(raw, entry.page, base);
      return target.kind === 'inside' && target.file !== undefined;
    }).length;
  };
  const candidates = ['', ...PREFIXES].map((prefix) => ({ prefix, hits: score(prefix) }));
  return candidates.reduce((best, candidate) => (candidate.hits > best.hits ? candidate : best)).prefix;
}
