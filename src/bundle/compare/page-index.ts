/** One page of an export, as the comparison needs it. Titles come from pages: whoever shows one has to escape it. */
export interface PageEntry {
  /** Its address in the site, such as `/guide/start`. */
  readonly path: string;
  readonly title: string;
  /** Of what a reader sees, equal for equal content. Of the whole file where nothing but a manifest is known. */
  readonly fingerprint: string;
  /** Where the page sends its readers at once (meta refresh): an address of the site. Such a page is a redirect and no page. */
  readonly redirect?: string | undefined;
}

export interface AssetEntry {
  /** In the archive. */
  readonly path: string;
  readonly sha256: string;
}

/** What one export holds. */
export interface PageIndex {
  readonly jobId: string;
  readonly pages: readonly PageEntry[];
  readonly assets: readonly AssetEntry[];
  /** By rules of the bundle, from the address of a page that is gone to where it leads. */
  readonly redirects?: ReadonlyMap<string, string> | undefined;
}

/** The address under which hosts serve a page of the archive: `guide/start.html` as `/guide/start`, `index.html` as `/`. */
export function addressOfPage(file: string): string {
  const path = file.replace(/\.x?html?$/i, '').replace(/(^|\/)index$/i, '');
  return `/${path}`;
}
