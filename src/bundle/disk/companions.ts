/** The files next to an archive: `docs.tar.gz` has `docs.tar.gz.manifest.json` and `docs.tar.gz.sha256`. Next to a folder is its manifest. */
export function companionsOf(path: string): { readonly manifest: string; readonly checksums: string } {
  return { manifest: `${path}.manifest.json`, checksums: `${path}.sha256` };
}

/** Lines as `sha256sum --check` reads them; a name with a backslash or a line end is escaped as sha256sum does. */
export function formatChecksums(sums: readonly { readonly name: string; readonly sha256: string }[]): string {
  return sums
    .map(({ name, sha256 }) => {
      const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
      return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
    })
    .join('');
}
