import type { Reference } from './reference.ts';

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
// One pass: what is imported, what is a name space (a name, never fetched), and every other url() or image-set() string.
const ADDRESS =
  /@(import|namespace)\s+(?:[\w-]+\s+)?(?:url\(\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"');]+))|url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))|(?:image-set\(|,)\s*(?:"([^"\n]*)"|'([^'\n]*)')\s+(?=[\d.]+(?:x|dp))/gi;
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi;

/** Every address that a style sheet, a `style` element or a `style` attribute fetches. */
export function scanCss(css: string): Reference[] {
  if (!/url\(|@import|image-set\(/i.test(css)) return [];
  const found: Reference[] = [];
  for (const match of css.replace(COMMENT, ' ').matchAll(ADDRESS)) {
    const [, rule, ...groups] = match;
    const raw = groups.find((group) => group !== undefined);
    if (raw === undefined || rule?.toLowerCase() === 'namespace') continue;
    found.push({
      raw: unescapeCss(raw),
      use: 'load',
      what: rule === undefined ? 'file of a style' : 'imported style sheet',
    });
  }
  return found;
}

function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, hex: string | undefined, char: string | undefined) => {
    const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
    return code === undefined ? (char ?? '') : code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
