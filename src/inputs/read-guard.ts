import type { InputContext, InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { fits, reject } from '../values/values.ts';
import { asksForDestinations } from './read-destinations.ts';

const MAX_PAGES = 1_000_000;

/** What an export is compared with, and what keeps it from being published. */
export function readGuard(reader: InputReader, context: InputContext) {
  const guard = {
    compareWith:
      reader.required('compare-with', compareWith(context.workspace)) ??
      ({ kind: 'none' } as const),
    /** 0 or more. */
    minPages: reader.required('min-pages', values.integer(0, MAX_PAGES)) ?? 0,
    maxPageDrop: reader.optional('max-page-drop', pageDrop),
    requiredPages: reader.optional('required-pages', requiredPages(context.workspace)),
    forbidLostAddresses:
      reader.required('forbid-lost-addresses', values.oneOf(['off', 'warn', 'fail'])) ??
      ('off' as const),
    /** Of all files, unpacked. */
    maxSizeBytes: reader.optional('max-size', values.size),
    force: reader.required('force', values.boolean) ?? false,
  } as const;
  refuseUncompared(reader, guard);
  return guard;
}

/** What to write to name an earlier export, by the input that asks for one. */
interface EarlierAdvice {
  readonly previous: string;
  readonly pageDrop: string;
}

const EARLIER_OF_JOB: EarlierAdvice = {
  previous:
    'needs a destination of the link (to), whose state names the export that is live; or give the manifest of an earlier export',
  pageDrop:
    'give a destination of the link (to), whose state names the one that is live, or compare-with',
};
const EARLIER_OF_GIVEN: EarlierAdvice = {
  previous:
    'reads the state next to a link, and from has none: give the path of an earlier manifest',
  pageDrop: 'give compare-with the path of its manifest',
};

/** Each check of `guard` that needs an earlier export, and has none, is a problem. */
function refuseUncompared(
  reader: InputReader,
  guard: {
    readonly compareWith: { readonly kind: string };
    readonly forbidLostAddresses: string;
    readonly maxPageDrop: object | undefined;
  },
): void {
  const { kind } = guard.compareWith;
  if (kind === 'live') refuseWithLive(reader);
  const isGiven = reader.isGiven('from');
  const hasState = !isGiven && asksForDestinations(reader);
  let earlier = EARLIER_OF_JOB;
  if (isGiven) earlier = EARLIER_OF_GIVEN;
  if (kind === 'previous' && !hasState)
    reader.problem('compare-with', `compare-with: previous ${earlier.previous}`);
  if (kind !== 'none') return;
  if (guard.forbidLostAddresses !== 'off') {
    reader.problem(
      'forbid-lost-addresses',
      hasState
        ? 'forbid-lost-addresses is read only together with compare-with; write compare-with: previous'
        : 'forbid-lost-addresses is read only together with compare-with: write the manifest of an earlier export, such as compare-with: site.manifest.json',
    );
  }
  // The state in a destination has the number of pages of the live export.
  if (guard.maxPageDrop !== undefined && !hasState)
    reader.problem('max-page-drop', `max-page-drop needs an earlier export: ${earlier.pageDrop}`);
}

/** What the published site says of itself is not signed: it decides nothing. */
function refuseWithLive(reader: InputReader): void {
  if (!reader.isGiven('served-at') && !reader.isGiven('live-url')) {
    reader.problem(
      'compare-with',
      'compare-with: live needs the address of the published site; give served-at or live-url',
      { inputs: { 'served-at': '' } },
    );
  }
  reader.forbid(
    ['max-page-drop', 'forbid-lost-addresses'],
    'may not depend on what the published site says of itself (compare-with: live); give compare-with a file that you keep, or remove one of the two',
  );
}

/**
 * `previous`: the export that is live in the destination. `live`: the pages that the published site
 * lists. `file`: the absolute path of such a list, or of the manifest of an earlier export.
 */
function compareWith(workspace: string) {
  return (text: string) => {
    if (text === 'none' || text === 'previous' || text === 'live') return { kind: text } as const;
    return { kind: 'file', path: values.pathBelow(workspace)(text) } as const;
  };
}

/**
 * How many pages less than the export before it an export may have at most: a number, or a share
 * from 0% to 100% with at most two decimals.
 */
function pageDrop(text: string) {
  const percent = /^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(text)?.[1];
  const most = Number(percent ?? text);
  if (percent !== undefined && most <= 100) return { unit: '%', most } as const;
  if (fits(values.integer(0, MAX_PAGES), text)) return { unit: 'pages', most } as const;
  return reject('a share such as 10%, 0% to 100%, or a number of pages');
}

/**
 * Addresses and patterns, which begin with a slash, or the path of a file that has one a line.
 */
function requiredPages(workspace: string) {
  return (text: string) => {
    // A path below the workspace is that of a file, and no page has such an address.
    const isAddress = text.startsWith('/') && !text.startsWith(`${workspace}/`);
    if (isAddress || text.includes('\n'))
      return { pages: values.lines(values.pageAddress)(text) } as const;
    return { file: values.pathBelow(workspace)(text) } as const;
  };
}
