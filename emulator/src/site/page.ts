import { parse } from 'yaml';
import * as z from 'zod/mini';
import { withoutComments } from './comments.ts';
import { plainMdx } from './mdx.ts';
import { isPagePath, type SourceFiles } from './source.ts';

interface PageMeta {
  readonly version: string | undefined;
  readonly language: string | undefined;
  readonly tags: readonly string[];
  /** Groups of readers that may see the page; empty: everyone. */
  readonly groups: readonly string[];
  /** Position among its siblings; pages without one come last. */
  readonly order: number;
  readonly description: string | undefined;
}

export interface Page {
  /** Path of the Markdown file below the site's root. */
  readonly source: string;
  /** Path of the HTML file in the bundle. */
  readonly output: string;
  /** As search shows it: `/how-to/refresh`, `/` for the entry page. */
  readonly url: string;
  readonly title: string;
  readonly meta: PageMeta;
  /** Markdown without front matter and comments. */
  readonly body: string;
}

const text = z.pipe(z.union([z.string(), z.number()]), z.transform(String));
const frontMatter = z.object({
  title: z.optional(text),
  order: z.optional(z.number()),
  description: z.optional(text),
  version: z.optional(text),
  language: z.optional(text),
  tags: z.optional(z.union([z.array(text), text])),
  tag: z.optional(text),
  groups: z.optional(z.union([z.array(text), text])),
});

/** Every page of a site; an invalid front matter is an error that contains the file. */
export function readPages(files: SourceFiles): Page[] {
  const decoder = new TextDecoder();
  return [...files]
    .filter(([path]) => isPagePath(path))
    .map(([path, bytes]) => readPage(path, decoder.decode(bytes)));
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/;

export function readPage(source: string, markdown: string): Page {
  const fence = FENCED.exec(markdown);
  const text = withoutComments(fence ? markdown.slice(fence[0].length) : markdown);
  const body = /\.mdx$/i.test(source) ? plainMdx(text) : text;
  const { title, tags, tag, groups, order, ...rest } = readFrontMatter(source, fence?.[1] ?? '');
  const tagList = readList(tags);
  const output = outputPath(source);
  return {
    source,
    output,
    url: `/${output.replace(/(^|\/)index\.html$|\.html$/, '')}`.replace(/(.)\/$/, '$1'),
    title: title ?? firstHeading(body) ?? humanise(source),
    meta: {
      version: rest.version,
      language: rest.language,
      description: rest.description,
      tags: tag === undefined ? tagList : [...tagList, tag],
      groups: readList(groups),
      order: order ?? Number.POSITIVE_INFINITY,
    },
    body,
  };
}

function readList(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : (value ?? []);
}

function readFrontMatter(source: string, yaml: string): z.infer<typeof frontMatter> {
  try {
    return frontMatter.parse(parse(yaml) ?? {});
  } catch (cause) {
    throw new Error(`The front matter of ${source} cannot be read.`, { cause });
  }
}

/** A README is its folder's index, as code hosts show it. */
function outputPath(source: string): string {
  return source
    .replace(/(^|\/)(readme|index)\.(md|mdx|markdown)$/i, '$1index.html')
    .replace(/\.(md|mdx|markdown)$/i, '.html');
}

function firstHeading(body: string): string | undefined {
  const withoutCode = body.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const line = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(withoutCode);
  // As plain text: without marks, and of a link only its words.
  return line?.[1]?.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1');
}

export function humanise(path: string): string {
  const parts = path.replace(/\.\w+$/, '').split('/');
  const name = parts.findLast((part) => !/^(index|readme)$/i.test(part)) ?? 'Home';
  const words = name.replace(/^\d+[-_]/, '').replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
