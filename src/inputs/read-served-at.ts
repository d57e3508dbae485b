import { withoutSlash } from '../ground/text/names.ts';
import { BASE_PATHS, type BasePath } from '../platform/contract.ts';
import type { InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { type Parser, reject } from '../values/values.ts';

/** The address at which readers open the copy. */
export interface ServedAt {
  /** Of its start page, with a slash at the end. */
  readonly url: string;
  /** Empty for the top of a host, or such as `/handbook`. */
  readonly path: string;
}

const EXAMPLE = 'https://acme.github.io/handbook/';

// The path is written into pages, scripts, style sheets and data: none of these characters has to
// be escaped in any of them.
const servedAtAddress: Parser<ServedAt> = (text) => {
  const url = values.webAddress(
    text,
    `the address of the start page of the copy, such as ${EXAMPLE}`,
  );
  if (/[?#]/.test(text)) return reject('an address without query and fragment');
  if (/[^\x00-\x7f]/.test(text)) return reject('an address in ASCII');
  if (/\/index\.x?html?$/i.test(url.pathname))
    return reject('the address of the start page without index.html');
  const written = /^https?:\/\/[^/]+(.*)$/i.exec(text)?.[1] ?? '';
  // A browser would resolve `..` and leave out some of these characters.
  const isPlain = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/.test(written);
  if (!isPlain)
    return reject('an address whose path has letters, digits and . _ ~ - between single slashes');
  const path = withoutSlash(url.pathname);
  return { url: `${url.origin}${path}/`, path };
};

/** The inputs that deliver a copy whose addresses can be exchanged. */
const COPIES = ['extract-to', 'image'] as const;

/** Where readers open the copy; undefined: the site keeps its addresses, or the input is wrong. */
export function readServedAt(reader: InputReader): ServedAt | undefined {
  const servedAt = reader.optional('served-at', servedAtAddress);
  if (servedAt === undefined || basePathOf(servedAt) !== undefined) return servedAt;
  // Of a given site, the archive is packed last, with these addresses.
  if (reader.isGiven('from')) return servedAt;
  // What leads to the platform's archive: its addresses stay, so they would not be the verified ones.
  const other = (['to', 'bundle-path'] as const).find((name) => reader.isGiven(name));
  if (other === undefined) return servedAt;
  const kept = COPIES.find((name) => reader.isGiven(name)) ?? 'extract-to';
  const text = `served-at has the path ${servedAt.path}, which is not in the platform's archive, and ${other} delivers that archive`;
  reader.problem('served-at', text, {
    text: `Remove ${other}, which a separate step without served-at can deliver, and write:`,
    inputs: { [kept]: reader.text(kept) },
  });
  return servedAt;
}

/** A path that the platform itself can prefix; undefined: another one. */
function basePathOf({ path }: ServedAt): BasePath | undefined {
  return BASE_PATHS.find((one) => one === path);
}

/** What the platform is asked to prefix, so that the path of `served-at` can take its place. */
export function basePathFor(servedAt: ServedAt): BasePath {
  return basePathOf(servedAt) ?? '/documentation';
}

/** Reports a `live-url` that is another address than that of the copy. */
export function checkLiveUrl(
  reader: InputReader,
  servedAt: ServedAt | undefined,
  liveUrl: string | undefined,
): void {
  if (servedAt === undefined || liveUrl === undefined) return;
  if (`${liveUrl}/` === servedAt.url) return;
  reader.problem(
    'live-url',
    `live-url is ${liveUrl}, and served-at is ${servedAt.url}: both are the address at which readers open the copy`,
    { inputs: { 'live-url': servedAt.url } },
  );
}
