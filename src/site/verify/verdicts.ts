import { RULES_FILE } from '../redirects/rules.ts';
import type { Judged } from './finding.ts';
import type { Reference } from './references.ts';

// What is said of a reference that is wrong: level, kind and words.

/**
 * True for what need not be in the bundle: the host may serve what a connection or a form leads to,
 * and a base may be a folder without a page.
 */
export function mayBeMissing({ use, what }: Reference): boolean {
  return what === 'base' || use === 'connect' || use === 'form';
}

export function error(kind: Judged['kind'], reason: string): Judged {
  return { level: 'error', kind, reason };
}

export function warning(kind: Judged['kind'], reason: string): Judged {
  return { level: 'warning', kind, reason };
}

/** For what could not be read; undefined for an address. */
export function findingOfUnread(
  { use, what }: Reference,
  isAirGapped: boolean,
): Judged | undefined {
  if (use === 'invalid')
    return warning('unreadable', `this ${what} is not JavaScript, so browsers do not run it`);
  if (use !== 'unread') return undefined;
  if (what !== 'script')
    return error('bad-address', `this ${what} contains too many others to be read`);
  const judge = isAirGapped ? error : warning;
  return judge('unreadable', 'this script could not be read, so what it loads is not known');
}

export function deadRule(address: string): Judged {
  const reason = `the rule for ${address} in ${RULES_FILE} leads to nothing in the bundle`;
  return error('broken-link', reason);
}

export function otherForm(file: string): Judged {
  const reason = `the name of ${file} has the same letters in another Unicode form (NFC and NFD), which most hosts distinguish`;
  return warning('other-form', reason);
}

// A link may lead to another part of the same host, unless its file is in the bundle: then only the
// base path is missing. What is loaded has to be in the bundle.
export function outsideBaseFinding(
  reference: Reference,
  file: string | undefined,
): Judged | undefined {
  const { use, what } = reference;
  if (mayBeMissing(reference)) return undefined;
  const kind = use === 'load' ? 'missing-asset' : 'broken-link';
  if (file !== undefined) return error(kind, `this ${what} leads to ${file} without the base path`);
  if (use !== 'load') return undefined;
  return error(kind, `this ${what} leads outside of the base path of the site`);
}

export function outsideFinding(
  { use, what }: Reference,
  host: string,
  isAirGapped: boolean,
): Judged | undefined {
  // `<base>` to another host sends every relative address there.
  if (what === 'base') return error('external-load', `every relative address leads to ${host}`);
  // Links may lead anywhere: nothing is sent or fetched until a reader follows one.
  if (use === 'link') return undefined;
  if (use === 'form') return warning('external-form', `this form sends to ${host}`);
  const does = use === 'load' ? 'loads from' : 'opens a connection to';
  const judge = isAirGapped ? error : warning;
  return judge('external-load', `this ${what} ${does} ${host}`);
}

export function missingFinding(
  { use, what }: Reference,
  similar: string | undefined,
  path: string,
): Judged {
  if (similar !== undefined)
    return error('wrong-case', `the file is named ${similar}, and most hosts distinguish case`);
  if (use === 'load') return error('missing-asset', `this ${what} is not in the bundle`);
  const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
  return error('broken-link', `this ${what} leads to no page of the bundle${hint}`);
}
