import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { renderMarkdown } from '../../emulator/src/site/markdown.ts';
import { readPage } from '../../emulator/src/site/page.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

interface DocPage {
  /** Below docs, with `/`. */
  readonly path: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Without front matter. */
  readonly body: string;
  /** Without front matter and fenced code. */
  readonly prose: string;
}

export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(join(ROOT, folder), join(entry.parentPath, entry.name)).split(sep).join('/'),
    )
    .sort();
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^( *)(```+)[^\n]*\n[\s\S]*?^ *\2 *$/gm, '');
}

export function readPages(): DocPage[] {
  return filesBelow('docs')
    .filter((path) => path.endsWith('.md'))
    .map((path) => {
      const [, yaml = '', body = ''] =
        /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readText(`docs/${path}`)) ?? [];
      return { path, meta: readMeta(yaml), body, prose: withoutFences(body) };
    });
}

function readMeta(yaml: string): Record<string, unknown> {
  const value: unknown = parse(yaml);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function countWords(text: string): number {
  return text
    .replace(/^<!--.*-->$/gm, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function headings(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6} (.+?) *$/gm)].map(([, text = '']) => text);
}

/** The ids of a text's headings, as the emulator makes them; code hosts make the same. */
export function anchors(markdown: string): string[] {
  const site = { outputs: new Map<string, string>(), assets: new Set<string>() };
  return renderMarkdown(readPage('page.md', markdown), site).headings.map(({ id }) => id);
}

interface DocLink {
  readonly target: string;
  readonly isImage: boolean;
}

export function links(markdown: string): DocLink[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark, target = '']) => ({
    target,
    isImage: mark === '!',
  }));
}

/** Where a relative link of a file leads: the file below the checkout, and the fragment. */
export function follow(from: string, target: string): { file: string; fragment: string } {
  const [path = '', fragment = ''] = target.split('#');
  return {
    file: path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path)),
    fragment,
  };
}

export function isOutside(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(target);
}
