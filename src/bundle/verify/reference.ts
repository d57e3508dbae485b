import { parseSrcset } from 'srcset';

/**
 * What a file does with an address: `link` waits for a reader, `load` is fetched by itself, `connect` opens a connection
 * ahead of time, `form` sends what a reader typed.
 */
export type Use = 'link' | 'load' | 'connect' | 'form';

export interface Reference {
  /** As the file gives it, entities decoded. */
  readonly raw: string;
  readonly use: Use;
  /** What kind of thing it is, for the message: `script`, `image`, `style sheet`. */
  readonly what: string;
}

/** The addresses in a `srcset`; candidates with a wrong descriptor count too, since browsers differ in what they bear. */
export function readSrcset(text: string): string[] {
  return parseSrcset(text, { strict: false }).map(({ url }) => url);
}

/** The address in the `content` of `<meta http-equiv="refresh">`; undefined: the page only loads itself again. */
export function readRefresh(content: string): string | undefined {
  const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(content.trim());
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
}
