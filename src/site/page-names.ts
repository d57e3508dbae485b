/**
 * True for the attributes of files that a Mac adds to an archive. They never belong to the site,
 * whatever their name ends in.
 */
export function isOfMac(path: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\._[^/]*$)/.test(path);
}

/** Whether a file is one that browsers show as a page. */
export function isHtml(path: string): boolean {
  return /\.x?html?$/i.test(path) && !isOfMac(path);
}

/** What generators call the page that hosts show for an unknown address, of each language. */
const NOT_FOUND = /^(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(?:404|_?not[-_]?found)(?:\/index)?\.x?html?$/i;

/** Whether it is a page of documentation: the page for what is not found is not one. */
export function isPage(path: string): boolean {
  return isHtml(path) && !NOT_FOUND.test(path);
}

/**
 * The address under which hosts serve a page of the archive: `guide/start.html` as `/guide/start`,
 * `index.html` as `/`.
 */
export function addressOfPage(file: string): string {
  // The slash is added first: if it was added last, V8 would copy the text at its first comparison.
  const address = `/${file}`.replace(/(?:\/index)?(?:\.x?html?)?$/i, '');
  // Nothing is left of `/index.html`.
  return address || '/';
}
