import type { SourcePage } from '../source.ts';

export interface SiteOptions {
  /** Below which path the site is published, such as `/documentation`; empty for the top. */
  readonly basePath: string;
}

/** A program that makes a site of the pages. Its packages are in `packages.yml`, by its name. */
export interface Generator {
  readonly name: string;
  /** The files of a project, by path. */
  readonly files: (
    pages: readonly SourcePage[],
    options: SiteOptions,
  ) => ReadonlyMap<string, string | Buffer>;
  /** The program in the folder of installed programs, with its arguments. */
  readonly build: readonly string[];
  /** The folder with the site. */
  readonly output: string;
}

/** Sections of the navigation: the first folder of an id. */
export function sectionsOf(pages: readonly SourcePage[], language: 'en' | 'de') {
  const sections = new Map<string, SourcePage[]>();
  for (const page of pages.filter((one) => one.language === language)) {
    const section = page.id.replace(/^de\//, '').split('/').slice(0, -1).join('/');
    sections.set(section, [...(sections.get(section) ?? []), page]);
  }
  return sections;
}
