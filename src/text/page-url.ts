/** The address of a page of a site that is published; undefined where the site's own address is not known. */
export type ToPageUrl = (path: string) => string | undefined;

/** Addresses below `siteUrl`: each part of a path is encoded, so that none can lead to another host. */
export function pageUrls(siteUrl: string | undefined): ToPageUrl {
  if (siteUrl === undefined || !/^https?:\/\//.test(siteUrl) || !URL.canParse(siteUrl)) return () => undefined;
  const root = new URL(siteUrl).href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return (path) => `${root}/${path.split('/').filter(isName).map(encode).join('/')}`;
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..';
}

// A lone half of a surrogate pair has no encoding.
function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
