import { parseUrl } from '../../ground/text/names.ts';

type Attributes = Readonly<Record<string, string>>;

/** GitHub's hosts of images: their addresses have tokens, or are those of its proxy. */
const IMAGE_HOST = /\.githubusercontent\.com$/;
const ATTACHMENT = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The address that the author of an image wrote; undefined if it is not known. `body`: the source. */
export function imageAddress(attribs: Attributes, body: string): string | undefined {
  return writtenAddress(attribs['data-canonical-src'] ?? attribs['src'] ?? '', body);
}

/** The address that GitHub shows, or the one that became an address of its image hosts. */
function writtenAddress(shown: string, body: string): string | undefined {
  if (!IMAGE_HOST.test(parseUrl(shown)?.hostname ?? '')) return shown;
  const id = ATTACHMENT.exec(shown)?.[0];
  const written = body.match(/https:\/\/[^\s<>"')\]?]+/g) ?? [];
  return written.find((address) =>
    id === undefined ? address === withoutQuery(shown) : address.includes(id),
  );
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*/s, '');
}

/** Such as `#4`, `acme/docs#4` and `@maya`. */
const REFERENCE = /^(?:[\w.-]+\/[\w.-]+#|GH-|[#@])(?:[\w.-]+\/)?([\w.-]+)$/;

/**
 * The address of a link; undefined if the text says it already, or if it leads to a place of the
 * same page or to GitHub's copy of an image. `body`: the source.
 */
export function linkAddress(href: string, text: string, body: string): string | undefined {
  if (href === '' || href.startsWith('#')) return undefined;
  const name = REFERENCE.exec(text)?.[1];
  if (name !== undefined && href.endsWith(`/${name}`)) return undefined;
  const address = writtenAddress(href, body);
  const bare = (one: string) => one.replace(/^(?:https?:\/\/|mailto:)|\/$/g, '');
  const isSaid = address === undefined || bare(address) === bare(text);
  // An image is a link to itself.
  return isSaid || text.includes(`](${address})`) ? undefined : address;
}

/** The text of a link to a commit with all digits; undefined if it does not name the commit. */
export function wholeCommit(href: string, text: string): string | undefined {
  const commit = /\/commits?\/([0-9a-f]{40})$/.exec(href)?.[1] ?? '';
  // Of another repository, its name stands in front.
  const digits = /(?:^|@)([0-9a-f]{7,40})$/.exec(text)?.[1];
  if (digits === undefined || !commit.startsWith(digits)) return undefined;
  return text.slice(0, -digits.length) + commit;
}
