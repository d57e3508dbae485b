/**
 * A file's name without its build hash: equal for the builds of one file, such as `assets/app.*.js`.
 *
 * Bundlers put a hash into a name so that new content has a new address. The rule: between separators (`.`, `-`, `_`), and
 * not the ending, 8 to 64 letters and digits with at least one of each. Words (`javascript`) and dates (`20261121`) are none.
 */
export function stableName(path: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const parts = name.split(/(?<=[.\-_])/);
  if (parts.length === 1) return path;
  const stable = parts.map((part, index) => (index === parts.length - 1 ? part : withoutHash(part)));
  return path.slice(0, slash) + stable.join('');
}

function withoutHash(part: string): string {
  const [, text = '', separator = ''] = /^(.*?)([.\-_]?)$/.exec(part) ?? [];
  return isHash(text) ? `*${separator}` : part;
}

function isHash(text: string): boolean {
  if (text.length < 8 || text.length > 64 || !/^[A-Za-z0-9]+$/.test(text)) return false;
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}
