import type { Finding } from '../facts.ts';
import { ownText } from './copied-text.ts';
import { scanCss } from './css-scan.ts';
import type { FindingList } from './finding-list.ts';
import { scanPage, type TokenizerClass } from './page-scan.ts';
import type { Reference } from './reference.ts';
import { scanScript, scanWebManifest } from './script-scan.ts';
import { createSiteIndex, decode, type Target } from './site-index.ts';

export interface SiteCheckInit {
  readonly files: readonly string[];
  /** Loading from another host is an error there: no such host can be reached. */
  readonly isAirGapped: boolean;
  readonly findings: FindingList;
  readonly Tokenizer: TokenizerClass;
}

/** Looks at one file after the other; what needs all of them (fragments in other pages) comes at the end. */
export interface SiteCheck {
  file(path: string, text: string): void;
  finish(): void;
  readonly references: number;
}

/** How a file is looked at; undefined: not at all. */
export type FileKind = 'page' | 'image' | 'style' | 'script' | 'manifest';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.x?html?$/i, 'page'],
  [/\.svg$/i, 'image'],
  [/\.css$/i, 'style'],
  [/\.m?js$/i, 'script'],
  [/\.webmanifest$|(^|\/)manifest\.json$/i, 'manifest'],
];

export function kindOfFile(path: string): FileKind | undefined {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1];
}

// Far more than any site has; a bundle made to exhaust the memory is looked at up to there.
const MOST_FRAGMENTS = 200_000;
const MOST_IDS = 5_000_000;

export function createSiteCheck({ files, isAirGapped, findings, Tokenizer }: SiteCheckInit): SiteCheck {
  const index = createSiteIndex(files);
  // Fragments are kept as 32-bit sums: the ids of many thousand pages stay small in memory.
  const idsOfPage = new Map<string, Int32Array>();
  const wanted = new Map<
    string,
    { readonly page: string; readonly raw: string; readonly file: string; readonly sum: number }
  >();
  let references = 0;
  let idCount = 0;

  function judge(page: string, reference: Reference, base: string | undefined): void {
    references += 1;
    const target = index.resolve(reference.raw, page, base);
    if (target.kind === 'inside' && target.file !== undefined) wantFragment(page, reference, target);
    else {
      const finding = findingOf(target, { reference, isAirGapped, similar: index.similar });
      if (finding !== undefined) findings.add({ ...finding, page, target: reference.raw });
    }
  }

  function wantFragment(page: string, { raw, use }: Reference, target: Target & { kind: 'inside' }): void {
    // Text fragments and the routes of scripts are no ids.
    const fragment = target.fragment.split(':~:')[0] ?? '';
    if (use !== 'link' || fragment === '' || fragment === 'top' || /^[!/]/.test(fragment)) return;
    const { file } = target;
    if (file === undefined || kindOfFile(file) !== 'page') return;
    const key = `${file}#${fragment}`;
    if (wanted.has(key) || wanted.size >= MOST_FRAGMENTS) return;
    wanted.set(ownText(key), { page, raw: ownText(raw), file, sum: sumOf(decode(fragment) ?? fragment) });
  }

  function scan(path: string, text: string): readonly Reference[] {
    switch (kindOfFile(path)) {
      case 'style':
        return scanCss(text);
      case 'script':
        return scanScript(text);
      case 'manifest':
        return scanWebManifest(text);
      default:
        return [];
    }
  }

  return {
    get references() {
      return references;
    },
    file(path, text) {
      const kind = kindOfFile(path);
      if (kind !== 'page' && kind !== 'image') {
        for (const reference of scan(path, text)) judge(path, reference, undefined);
        return;
      }
      const { base, references: found, ids } = scanPage(Tokenizer, { text, isXml: kind === 'image' });
      idCount += ids.length;
      if (kind === 'page' && idCount <= MOST_IDS) idsOfPage.set(path, Int32Array.from(ids, sumOf));
      if (base !== undefined) judge(path, { raw: base, use: 'link', what: 'base' }, undefined);
      for (const reference of found) judge(path, reference, base);
    },
    finish() {
      for (const { page, raw, file, sum } of wanted.values()) {
        const ids = idsOfPage.get(file);
        if (ids === undefined || ids.includes(sum)) continue;
        findings.add({
          level: 'warning',
          kind: 'missing-fragment',
          page,
          target: raw,
          reason: `${file} has no such id`,
        });
      }
    },
  };
}

type Judged = Omit<Finding, 'page' | 'target'>;

interface Judging {
  readonly reference: Reference;
  readonly isAirGapped: boolean;
  readonly similar: (path: string) => string | undefined;
}

function findingOf(target: Target, { reference, isAirGapped, similar }: Judging): Judged | undefined {
  const { use, what } = reference;
  switch (target.kind) {
    case 'none':
      return undefined;
    case 'bad':
      return { level: 'error', kind: 'bad-address', reason: `the address of this ${what} cannot be read` };
    case 'local':
      return {
        level: use === 'link' ? 'warning' : 'error',
        kind: 'local-address',
        reason: `this ${what} leads to the reader's own disk`,
      };
    case 'outside':
      return outsideFinding(reference, target.host, isAirGapped);
    case 'inside':
      return insideFinding(reference, similar(target.path), target.path);
  }
}

// `<base>` to another host sends every relative address there.
function outsideFinding({ use, what }: Reference, host: string, isAirGapped: boolean): Judged | undefined {
  const level = isAirGapped ? 'error' : 'warning';
  if (what === 'base')
    return { level: 'error', kind: 'external-load', reason: `every relative address leads to ${host}` };
  switch (use) {
    case 'link':
      return undefined;
    case 'form':
      return { level: 'warning', kind: 'external-form', reason: `this form sends to ${host}` };
    case 'connect':
      return { level, kind: 'external-load', reason: `this ${what} opens a connection to ${host}` };
    case 'load':
      return { level, kind: 'external-load', reason: `this ${what} loads from ${host}` };
  }
}

function insideFinding({ use, what }: Reference, similar: string | undefined, path: string): Judged | undefined {
  // A folder without a page of its own is a fine base, and a form's target may be made by the host.
  if (what === 'base' || use === 'connect' || use === 'form') return undefined;
  if (similar !== undefined)
    return { level: 'error', kind: 'wrong-case', reason: `the file is named ${similar}: most hosts tell case apart` };
  if (use === 'load') return { level: 'error', kind: 'missing-asset', reason: `this ${what} is not in the bundle` };
  const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
  return { level: 'error', kind: 'broken-link', reason: `this ${what} leads to no page of the bundle${hint}` };
}

/** FNV-1a, 32 bits. */
function sumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum | 0;
}
