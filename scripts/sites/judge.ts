import type { BrowserContext } from 'playwright-core';
import type { Comparison } from '../../src/site/compare/comparison.ts';
import type { Finding } from '../../src/site/verify/finding.ts';
import { compareWithBrowser } from './browser.ts';
import { buildSite } from './cache.ts';
import type { Lists } from './differences.ts';
import type { Generator } from './generators/generator.ts';
import { runFrom } from './given.ts';
import { type BuiltSite, compare, findMissed, openSite, type Scratch, verify } from './inspect.ts';
import { findMoved } from './move.ts';
import { CHANGED_PAGE, type Change, RENAMED_PAGE, readSource } from './source.ts';

/** What is found about the sites of one generator; each list should be empty. */
export interface Judged {
  readonly lists: Lists;
  readonly pages: number;
  /** What a run from the folder of the site made of it. */
  readonly given: string;
}

/** Builds the sites of a generator, and compares what the product says with what is true. */
export async function judge(
  generator: Generator,
  context: BrowserContext,
  scratch: Scratch,
): Promise<Judged> {
  const site = buildAs(generator, 'a', 'none');
  const again = buildAs(generator, 'elsewhere/again', 'none');
  const word = buildAs(generator, 'word', 'word');
  const renamed = buildAs(generator, 'renamed', 'renamed');
  const below = buildAs(generator, 'below', 'none', '/documentation');
  const moved = buildAs(generator, 'moved', 'none', '/handbook');
  const findings = await verify(site, scratch, { isAirGapped: true });
  const disagreement = await compareWithBrowser(site, findings, context);
  const verified = await verify(site, scratch);
  const given = await runFrom(site, scratch);
  return {
    pages: site.compared.pageCount,
    given: given.facts,
    lists: {
      errors: errorsOf(verified),
      from: [...given.problems, ...onlyIn(given.findings, verified)],
      'errors below a path': errorsOf(await verify(below, scratch)),
      moved: await findMoved(below, moved, context, scratch),
      again: differencesOfTwins(await compare(site, again, scratch)),
      word: differencesOfWord(await compare(site, word, scratch)),
      renamed: differencesOfRenamed(await compare(site, renamed, scratch)),
      search: await findMissed(site, scratch),
      unknown: disagreement.unknown,
      'never asked': disagreement.neverAsked,
      lacks: disagreement.lacks,
      invents: disagreement.invents,
    },
  };
}

function buildAs(generator: Generator, folder: string, change: Change, basePath = ''): BuiltSite {
  const root = buildSite({ generator, pages: readSource(change), folder, basePath });
  return openSite(folder, root, basePath);
}

function errorsOf(findings: Awaited<ReturnType<typeof verify>>): string[] {
  return findings
    .filter(({ level }) => level === 'error')
    .map(({ kind, page, target }) => `${kind}: ${target} in ${page}`);
}

/** The findings that the verification alone does not have. */
function onlyIn(findings: readonly Finding[], verified: readonly Finding[]): string[] {
  const lineOf = ({ kind, page, target }: Finding) => `${kind}: ${target} in ${page}`;
  const known = new Set(verified.map(lineOf));
  return findings.map(lineOf).filter((line) => !known.has(line));
}

type Compared = Comparison & { readonly isSame: boolean };

/** Two builds of one source differ in nothing. */
function differencesOfTwins(compared: Compared): string[] {
  const { added = 0, removed = 0, changed = 0 } = compared.assets ?? {};
  const files = added + removed + changed;
  return [
    ...differencesOfPages(compared, () => false),
    ...(files > 0 ? [`${added} files added, ${removed} removed, ${changed} changed`] : []),
    ...(compared.isSame ? [] : ['the fingerprints differ']),
  ];
}

/** One page has changed, and perhaps its copy in another language. */
function differencesOfWord(compared: Compared): string[] {
  const isRight = (what: string, path: string) =>
    what === 'changed' && path.endsWith(`/${CHANGED_PAGE}`);
  const isFound = compared.changed.some(({ path }) => path === `/${CHANGED_PAGE}`);
  return [
    ...differencesOfPages(compared, isRight),
    ...(isFound ? [] : [`/${CHANGED_PAGE} is not among the changed pages`]),
  ];
}

/** One page has moved, and its copies in other languages have. */
function differencesOfRenamed(compared: Compared): string[] {
  const isRight = (what: string, path: string) =>
    what === 'moved' && path.endsWith(`/${RENAMED_PAGE.from}`);
  const isFound = compared.moved.some(
    ({ from, to }) => from === `/${RENAMED_PAGE.from}` && to === `/${RENAMED_PAGE.to}`,
  );
  return [
    ...differencesOfPages(compared, isRight),
    ...(isFound ? [] : [`/${RENAMED_PAGE.from} has not moved to /${RENAMED_PAGE.to}`]),
  ];
}

/** One line for each page that is not the same, but for those that should not be. */
function differencesOfPages(
  { added, removed, changed, moved }: Compared,
  isRight: (what: string, path: string) => boolean,
): string[] {
  const pages = [
    ...added.map(({ path }) => ['added', path] as const),
    ...removed.map(({ path }) => ['removed', path] as const),
    ...changed.map(({ path }) => ['changed', path] as const),
    ...moved.map(({ from }) => ['moved', from] as const),
  ];
  return pages
    .filter(([what, path]) => !isRight(what, path))
    .map(([what, path]) => `${path} ${what}`);
}
