/**
 * The files next to an archive: `docs.tar.gz` has `docs.tar.gz.manifest.json` and
 * `docs.tar.gz.sha256`. Next to a folder is its manifest.
 */
export function companionsOf(path: string): {
  readonly manifest: string;
  readonly checksums: string;
} {
  return { manifest: `${path}.manifest.json`, checksums: `${path}.sha256` };
}

/**
 * A line as `sha256sum --check` reads it. Names with a backslash or a line end would need an
 * escape; they cannot be a destination.
 */
export function formatChecksum(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}
