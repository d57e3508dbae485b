import { parseUrl } from '../../text/names.ts';

type Attributes = Readonly<Record<string, string>>;

/** GitHub's hosts of images: their addresses have tokens, or are those of its proxy. */
const IMAGE_HOST = /\.githubusercontent\.com$/;
const ATTACHMENT = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

function isOfImageHost(address: string): boolean {
  return IMAGE_HOST.test(parseUrl(address)?.hostname ?? '');
}

/** The address that the author of an image wrote; undefined if it is not known. `body`: the source. */
export function imageAddress(attribs: Attributes, body: string): string | undefined {
  const shown = attribs['data-canonical-src'] ?? attribs['src'] ?? '';
  if (!isOfImageHost(shown)) return shown;
  const id = ATTACHMENT.exec(shown)?.[0];
  if (id === undefined) return body.includes(shown) ? withoutQuery(shown) : undefined;
  const written = body.match(/https:\/\/[^\s<>"')\]?]+/g) ?? [];
  return written.find((address) => address.includes(id));
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*/s, '');
}

/**
 * The address of a link; undefined if the text says it already, or if it leads to a place of the
 * same page or to GitHub's copy of an image.
 */
export function linkAddress(href: string, text: string): string | undefined {
  if (href === '' || href.startsWith('#') || isOfImageHost(href)) return undefined;
  const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)|\/$/g, '');
  return bare(href) === bare(text) ? undefined : href;
}

/** The text of a link to a commit, with all digits if it has the first ones. */
export function commitOf(attribs: Attributes, text: string): string {
  const commit = /\/commits?\/([0-9a-f]{40})$/.exec(attribs['href'] ?? '')?.[1] ?? '';
  // Of another repository, its name stands in front.
  const digits = text.slice(text.lastIndexOf('@') + 1);
  if (digits === '' || !commit.startsWith(digits)) return text;
  return text.slice(0, -digits.length) + commit;
}
