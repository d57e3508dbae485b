/**
 * What a file does with an address: `link` waits for a reader, `load` is fetched by itself, `connect` opens a connection
 * ahead of time, `form` sends what a reader typed.
 */
export type Use = 'link' | 'load' | 'connect' | 'form';

export interface Reference {
  /** As it stands in the file, entities decoded. */
  readonly raw: string;
  readonly use: Use;
  /** What kind of thing it is, for the message: `script`, `image`, `style sheet`. */
  readonly what: string;
}

/** The addresses in a `srcset`: candidates separated by commas, each an address and perhaps a width or density. */
export function readSrcset(text: string): string[] {
  // An address may hold a comma (data URLs do), but not at its end; what stands in brackets belongs to the descriptor.
  const found: string[] = [];
  const candidate = /[\s,]*([^\s,](?:[^\s]*[^\s,])?)(,?)([^,(]*(?:\([^)]{0,200}\))?[^,]*)/gy;
  for (let match = candidate.exec(text); match !== null && match[1] !== undefined; match = candidate.exec(text)) {
    found.push(match[1]);
    if (match[2] !== '') candidate.lastIndex -= (match[3] ?? '').length;
  }
  return found;
}

/** The address in the `content` of `<meta http-equiv="refresh">`; undefined: the page only loads itself again. */
export function readRefresh(content: string): string | undefined {
  const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(content.trim());
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
}
