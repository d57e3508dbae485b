import { whyNoPath } from '../../text/paths.ts';
import { reject } from '../../values/values.ts';
import { decodePart, type Parts } from '../address-parts.ts';

export interface FileAddress {
  readonly scheme: 'file';
  /** As given, or absolute once it was resolved. */
  readonly path: string;
}

export const FILE_FORMS = 'file:PATH, a path on this machine; %, ? and # in it are written %25, %3F and %23';

export function parseFile({ path: text }: Parts, forms: string): FileAddress {
  const why = whyNoPath(text);
  if (why !== undefined) return reject(`file:PATH; PATH is ${why}; a \\ in a name is written %5C`);
  const path = decodePart(text.replace(/^\/\/(?=\/)/, ''));
  if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path)) return reject(forms);
  return { scheme: 'file', path };
}

export function formatAddress({ path }: FileAddress): string {
  return `file:${path.replace(/[%?#]/g, encodeURIComponent)}`;
}
