import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { serveSite } from '../../src/cli/serve.ts';
import { addressOfPage, isPage } from '../../src/site/page-names.ts';
import type { Finding } from '../../src/site/verify/finding.ts';
import { readContent, scanPage } from '../../src/site/verify/page-scan.ts';
import { type Reference, scanCss, scanWebManifest } from '../../src/site/verify/references.ts';
import { scanScript } from '../../src/site/verify/script/scan-script.ts';
import { kindOfFile } from '../../src/site/verify/site-check.ts';
import { SiteIndex } from '../../src/site/verify/site-index.ts';
import type { BuiltSite } from './inspect.ts';
import { HIDDEN_WORDS } from './source.ts';

const PAGES = 10;
/** On a machine that does other work. */
const SLOWEST_MS = 300_000;
const WORD = /[\p{L}\p{N}]+/gu;

/** What Chromium and the product disagree about. */
export interface Disagreement {
  /** Addresses that Chromium asks for, and that the verification did not find. */
  readonly unknown: readonly string[];
  /** Addresses that the verification reports, and that Chromium never asks for. */
  readonly neverAsked: readonly string[];
  /** Words that a reader sees, and that the product does not read. */
  readonly lacks: readonly string[];
  /** Words that the product reads, and that are not on the page. */
  readonly invents: readonly string[];
}

/**
 * The visible texts of the content of a page, and all its texts, once its scripts have run.
 * What is left out is what docs/explanation/comparing-exports.md leaves out.
 */
const READ_WORDS = `(() => {
  const main = [...document.querySelectorAll('main, [role=main]')];
  const articles = [...document.querySelectorAll('article')];
  const regions = main.length > 0 ? main : articles.length > 0 ? articles : [document.body];
  const outside = regions[0] === document.body ? ', header, aside' : '';
  const skipped = 'nav, footer, svg, time, iframe, object, select, textarea, dialog, script, style, noscript, template' + outside;
  const visible = [];
  for (const region of regions) {
    const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const button = element.closest('button');
      const isContent = button === null || button.closest('h1, h2, h3, h4, h5, h6, dt, summary') !== null;
      const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      // Text for screen readers alone is in a square of one pixel.
      const { width, height } = element.getBoundingClientRect();
      const isSquare = width > 0 && width <= 1 && height <= 1;
      if (isShown && !isSquare && isContent && element.closest(skipped) === null) visible.push(node.data);
    }
  }
  const all = [document.documentElement.textContent];
  // A word may be in several nodes, and two nodes with nothing between them may have two words.
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) all.push(node.data);
  return { visible, all };
})()`;

/** Opens ten pages of a site in Chromium, and compares what it does with what the product reads. */
export async function compareWithBrowser(
  site: BuiltSite,
  findings: readonly Finding[],
  context: BrowserContext,
): Promise<Disagreement> {
  const known = knownAddresses(site);
  const asked = new Set<string>();
  const [lacks, invents] = [new Set<string>(), new Set<string>()];
  await using server = await serveSite({ folder: () => site.root, rules: [], port: 0 });
  const pages = choosePages(site);
  for (const path of pages) {
    const page = await context.newPage();
    await page.route('**/*', (route) => {
      const url = route.request().url();
      const isInside = url.startsWith(server.url);
      asked.add(isInside ? withoutQuery(url.slice(server.url.length + 1)) : url);
      return isInside ? route.continue() : route.abort();
    });
    await page.goto(`${server.url}${encodeURI(addressOfPage(path))}`, {
      waitUntil: 'networkidle',
      timeout: SLOWEST_MS,
    });
    const words: { visible: string[]; all: string[] } = await page.evaluate(READ_WORDS);
    await page.close();
    const seen = wordsOf(words.visible);
    const read = wordsOf(readContent(readFileSync(join(site.root, path))).blocks);
    const all = wordsOf(words.all);
    for (const word of seen) if (!read.has(word)) lacks.add(`${path}: ${word}`);
    for (const word of read) if (!all.has(word) && !seen.has(word)) invents.add(`${path}: ${word}`);
  }
  const opened = new Set(pages.map((path) => addressOfPage(path).slice(1)));
  const reported = findings.filter(
    ({ kind }) => kind === 'external-load' || kind === 'missing-asset',
  );
  return {
    unknown: [...asked].filter((one) => !opened.has(one) && !known.has(withoutQuery(one))),
    neverAsked: [...new Set(reported.map(({ target }) => target))].filter(
      (target) => ![...asked].some((url) => isSame(url, target)),
    ),
    lacks: [...lacks],
    invents: [...invents],
  };
}

/** The pages with the hidden words first, then the others in their order. */
function choosePages(site: BuiltSite): string[] {
  const pages = site.compared.paths.filter(isPage);
  const isChosen = (path: string) =>
    HIDDEN_WORDS.some(({ page }) => path.replace(/(?:\/index)?\.html$/, '').endsWith(page));
  const chosen = pages.filter(isChosen);
  return [...chosen, ...pages.filter((path) => !isChosen(path))].slice(0, PAGES);
}

function wordsOf(texts: readonly string[]): Set<string> {
  // Browsers and pages differ in characters that no one sees.
  const text = texts.join(' ').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return new Set(text.match(WORD));
}

/** Every address in every file of a site: a path in it, or a whole address of another host. */
function knownAddresses(site: BuiltSite): ReadonlySet<string> {
  const index = new SiteIndex(site.compared.paths, site.basePath);
  const known = new Set<string>();
  for (const path of site.compared.paths) {
    for (const { references, base } of [scanFile(site, path)]) {
      for (const { raw } of references) {
        const target = index.resolve(raw, path, base);
        known.add(target.kind === 'inside' ? target.path : raw);
        if (target.kind === 'inside' && target.file !== undefined) known.add(target.file);
      }
    }
  }
  return known;
}

interface Scanned {
  readonly references: readonly Reference[];
  readonly base: string | undefined;
}

function scanFile(site: BuiltSite, path: string): Scanned {
  const kind = kindOfFile(path);
  const nothing = { references: [], base: undefined };
  if (kind === undefined) return nothing;
  const text = readFileSync(join(site.root, path), 'utf8');
  if (kind === 'page') return scanPage(text, { scan: scanScript });
  if (kind === 'image') return scanPage(text, { isXml: true, scan: scanScript });
  if (kind === 'style') return { ...nothing, references: scanCss(text) };
  if (kind === 'manifest') return { ...nothing, references: scanWebManifest(text) };
  return { ...nothing, references: scanScript(text) };
}

function withoutQuery(address: string): string {
  return decodeURI(address.replace(/[?#].*$/s, ''));
}

function isSame(url: string, target: string): boolean {
  return url === target || withoutQuery(url) === withoutQuery(target.replace(/^\//, ''));
}
