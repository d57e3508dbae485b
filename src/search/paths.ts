function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone percent sign: the path is compared as it is.
    return path;
  }
}

/**
 * A document's path or address in the form in which two of them compare: without scheme, host, query, fragment, trailing
 * slash and `.html` (so `/guide/`, `/guide.html`, `/guide/index.html` and `https://docs.example.com/guide#top` are one page),
 * percent-decoded, with one leading slash. Case stays as given: paths differ by case on most hosts.
 */
export function normalisePath(path: string): string {
  const bare = path
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '');
  const segments = decode(bare)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  const last = segments.pop()?.replace(/\.html$/, '');
  if (last !== undefined && last !== '' && last !== 'index') segments.push(last);
  return `/${segments.join('/')}`;
}
