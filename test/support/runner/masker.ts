/**
 * Replaces secrets in texts like the runner's masker: each value in every form that the runner
 * derives from it.
 */
export interface Masker {
  add(value: string): void;
  mask(text: string): string;
}

export function createMasker(): Masker {
  const forms = new Set<string>();
  return {
    add(value) {
      if (value === '') return;
      for (const form of [value, ...deriveForms(value)]) if (form !== '') forms.add(form);
    },
    mask: (text) => replaceRanges(text, mergeRanges(findRanges(text, forms))),
  };
}

/** The encoders that actions/runner registers in its HostContext. */
function deriveForms(value: string): string[] {
  return [
    ...base64Forms(value),
    value.replaceAll("'", "''"),
    JSON.stringify(value).slice(1, -1),
    escapeUriData(value),
    escapeXml(value),
    value.length > 8 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : '',
  ];
}

/**
 * Base64 looks different at each of the three positions in a group of three bytes; the runner
 * leaves out up to two bytes at the start. Padding is cut like in later runners, which also add the
 * URL-safe alphabet.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const rest = bytes.length > shift ? bytes.subarray(shift) : bytes;
    const text = rest.toString('base64');
    const bare = text.replace(/=+$/, '');
    return [text, bare, rest.toString('base64url')];
  });
}

// .NET's Uri.EscapeDataString keeps the unreserved characters of RFC 3986; encodeURIComponent keeps
// five more.
function escapeUriData(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// .NET's SecurityElement.Escape.
function escapeXml(value: string): string {
  const names: Record<string, string> = {
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
    '&': '&amp;',
  };
  return value.replace(/[<>"'&]/g, (character) => names[character] ?? character);
}

type Range = readonly [start: number, end: number];

function findRanges(text: string, forms: ReadonlySet<string>): Range[] {
  const ranges: Range[] = [];
  for (const form of forms) {
    // Overlapping matches count too: the search continues one character after the last one.
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      ranges.push([at, at + form.length]);
  }
  return ranges.sort((a, b) => a[0] - b[0]);
}

/** Adjacent ranges become one, so two adjacent secrets are shown as one `***`. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])];
    else merged.push(range);
  }
  return merged;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let from = 0;
  for (const [start, end] of ranges) {
    shown += `${text.slice(from, start)}***`;
    from = end;
  }
  return shown + text.slice(from);
}
