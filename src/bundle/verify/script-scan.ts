import { parseJson } from '../../text/json.ts';
import type { Reference } from './reference.ts';

// What precedes a text that is an address, when the script fetches it.
const CALLS =
  /(?:\b(?:fetch|import|importScripts|require)\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bexport\s*(?:\*|\{[\w$,\s]*\})[\w$\s]*from\s*|\bnew\s+(?:WebSocket|EventSource|Worker|SharedWorker|Request)\s*\(|\.open\s*\(\s*["'`][A-Za-z]+["'`]\s*,|\.sendBeacon\s*\(|\.register\s*\(|\.(?:src|href)\s*=)\s*$/;
const ADDRESS = /^(?:https?:|wss?:|file:)?\/\//i;
const LOCAL_MODULE = /^\.{0,2}\//;
const MODULE_CALLS = /(?:\bimport\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bfrom\s*)\s*$/;
const LOOK_BACK = 120;
const LONGEST_REGEXP = 4000;
// A slash after one of these begins a regular expression; after anything else it divides.
const BEFORE_REGEXP = /(?:[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*$/;

/**
 * Addresses that a script fetches, as far as they can be seen: texts written where a call takes them. Texts inside other
 * texts (a code sample in a search index) are passed over. What a script builds at run time cannot be seen.
 *
 * Our own, since requests matter as much as imports: es-module-lexer 3.0.5 finds imports only, and stops at the first syntax
 * error. Of 5 MB of script it takes 190 ms for the imports, this takes 250 ms for both.
 */
export function scanScript(code: string): Reference[] {
  if (!code.includes('//') && !/\bimport\b/.test(code)) return [];
  const found: Reference[] = [];
  const special = /["'`/]/g;
  for (let match = special.exec(code); match !== null; match = special.exec(code)) {
    const at = match.index;
    const end = match[0] === '/' ? skipSlash(code, at) : skipText(code, at);
    if (match[0] !== '/') collect(code, { at, end }, found);
    special.lastIndex = end;
  }
  return found;
}

function collect(code: string, { at, end }: { at: number; end: number }, found: Reference[]): void {
  const text = code.slice(at + 1, Math.min(end - 1, at + 2000));
  const isAddress = ADDRESS.test(text);
  if (!isAddress && !LOCAL_MODULE.test(text)) return;
  const before = code.slice(Math.max(0, at - LOOK_BACK), at);
  const isModule = MODULE_CALLS.test(before);
  if (!isModule && !(isAddress && CALLS.test(before))) return;
  // A template with a gap in it is an address only up to there: enough to see the host, not the file.
  const raw = text.split('${')[0] ?? '';
  if (isAddress || raw === text) found.push({ raw, use: 'load', what: isModule ? 'module' : 'request of a script' });
}

/** Where the text that begins at `at` ends: behind its closing quote, or at the line's end for a broken one. */
function skipText(code: string, at: number): number {
  const quote = code[at];
  for (let index = at + 1; index < code.length; index += 1) {
    const char = code[index];
    if (char === '\\') index += 1;
    else if (char === quote) return index + 1;
    else if (char === '\n' && quote !== '`') return index;
  }
  return code.length;
}

function skipSlash(code: string, at: number): number {
  const next = code[at + 1];
  if (next === '/') return endOr(code.indexOf('\n', at), code);
  if (next === '*') return endOr(code.indexOf('*/', at + 2), code) + 2;
  const before = code.slice(Math.max(0, at - 12), at);
  const isRegexp = before.trim() === '' || BEFORE_REGEXP.test(before);
  return isRegexp ? skipRegexp(code, at) : at + 1;
}

function endOr(index: number, code: string): number {
  return index === -1 ? code.length : index;
}

function skipRegexp(code: string, at: number): number {
  let inClass = false;
  // One that goes on for longer is none, and looking for its end again and again would take for ever.
  const limit = Math.min(code.length, at + LONGEST_REGEXP);
  for (let index = at + 1; index < limit; index += 1) {
    const char = code[index];
    if (char === '\\') index += 1;
    else if (char === '\n') return at + 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return index + 1;
  }
  return at + 1;
}

/** The addresses of an import map: what each name is mapped to, in all scopes. Not JSON: none. */
export function scanImportMap(text: string): Reference[] {
  const map: unknown = parseJson(text);
  const scopes = Object.values(fieldsOf(fieldsOf(map).scopes));
  return [fieldsOf(map).imports, ...scopes]
    .flatMap((names) => Object.values(fieldsOf(names)))
    .filter((address) => typeof address === 'string')
    .map((raw) => ({ raw, use: 'load', what: 'module of the import map' }));
}

/** The addresses in a web app manifest: icons, screenshots and the start page. */
export function scanWebManifest(text: string): Reference[] {
  const manifest = fieldsOf(parseJson(text));
  const images = ['icons', 'screenshots'].flatMap((field) => {
    const list = manifest[field];
    return Array.isArray(list) ? list.map((entry: unknown) => fieldsOf(entry).src) : [];
  });
  const start = typeof manifest.start_url === 'string' ? [manifest.start_url] : [];
  return [
    ...images.filter((raw) => typeof raw === 'string').map((raw) => ({ raw, use: 'load', what: 'icon' }) as const),
    ...start.map((raw) => ({ raw, use: 'link', what: 'start page' }) as const),
  ];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
