import { isLoopback } from '../http/hosts.ts';
import type { CompareWith, GuardInputs, PageDrop } from './inputs.ts';
import { asksForDestinations } from './read-destinations.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import * as values from './values.ts';
import { accept, type Parser, pageAddress, reject } from './values.ts';

const MAX_PAGES = 1_000_000;
const SIZE = { min: 1024, max: 4 * 1024 ** 3 };

/** What an export is compared with, and what keeps it from being published. */
export function readGuard(reader: InputReader, destination: ReadDestination): GuardInputs {
  const guard = {
    compareWith: reader.required('compare-with', compareWith(destination.workspace)) ?? ({ kind: 'none' } as const),
    minPages: reader.required('min-pages', values.integer({ min: 0, max: MAX_PAGES })) ?? 0,
    maxPageDrop: reader.optional('max-page-drop', pageDrop),
    requiredPages: reader.optional('required-pages', requiredPages(destination.workspace)),
    forbidLostAddresses: reader.required('forbid-lost-addresses', values.oneOf(['off', 'warn', 'fail'])) ?? 'off',
    maxSizeBytes: reader.optional('max-size', values.size(SIZE)),
    force: reader.required('force', values.boolean) ?? false,
  };
  const { kind } = guard.compareWith;
  if (kind === 'previous' && !asksForDestinations(reader)) {
    reader.problem(
      'compare-with: previous needs a destination of the link (to), whose state names the export that is live; or give the manifest of an earlier export',
    );
  }
  if (kind === 'none') {
    if (guard.forbidLostAddresses !== 'off') {
      reader.problem('forbid-lost-addresses is read only together with compare-with; write compare-with: previous');
    }
    if (guard.maxPageDrop !== undefined && !asksForDestinations(reader)) {
      reader.problem(
        'max-page-drop needs an earlier export: give a destination of the link (to), whose state names the one that is live, or compare-with',
      );
    }
  }
  return guard;
}

function compareWith(workspace: string): Parser<CompareWith> {
  return (text) => {
    if (text === 'none' || text === 'previous') return accept({ kind: text });
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
      const path = values.pathBelow(workspace)(text);
      return path.ok ? accept({ kind: 'file', path: path.value }) : path;
    }
    const url = fileAddress(text);
    return url.ok ? accept({ kind: 'address', url: url.value }) : url;
  };
}

const pageDrop: Parser<PageDrop> = (text) => {
  const percent = /^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(text)?.[1];
  if (percent !== undefined && Number(percent) <= 100) return accept({ unit: '%', most: Number(percent) });
  const pages = values.integer({ min: 0, max: MAX_PAGES })(text);
  return pages.ok
    ? accept({ unit: 'pages', most: pages.value })
    : reject(`a share such as 10%, 0% to 100%, or a number of pages`);
};

/** One file, or addresses; an address begins with a slash. */
function requiredPages(workspace: string): Parser<NonNullable<GuardInputs['requiredPages']>> {
  return (text) => {
    const isFile = !text.includes('\n') && !text.startsWith('/');
    if (!isFile) {
      const pages = values.lines(pageAddress)(text);
      return pages.ok ? accept({ pages: pages.value }) : pages;
    }
    if (text.includes('://'))
      return reject('addresses in the site, such as /guide/start, or the path of a file of them');
    const file = values.pathBelow(workspace)(text);
    return file.ok ? accept({ file: file.value }) : file;
  };
}

/** The https address of a file, or http to a loopback host. A query may be what lets the file be read. */
const fileAddress: Parser<string> = (value) => {
  const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return reject('an https address, or the path of a file');
  if (url.username !== '' || url.password !== '') return reject('an address without user name and password');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return reject('https (http is for a loopback host only)');
  return accept(url.href);
};
