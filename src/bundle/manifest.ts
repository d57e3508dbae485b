import { basename } from 'node:path';
import type { BundleFile } from './archive/sink.ts';

/** Where a bundle came from: goes into the manifest. */
export interface BundleOrigin {
  readonly domain: string | undefined;
  readonly jobId: string;
  /** The platform's last count. */
  readonly pageCount: number | undefined;
  /** When the export was made, as far as it is known. */
  readonly createdAt?: Date | undefined;
  /** What links of the site begin with: empty, or a path such as `/docs`; undefined: not known. */
  readonly basePath?: string | undefined;
}

interface ManifestInit {
  readonly bundlePath: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly format: string;
  readonly origin: BundleOrigin;
  readonly files: readonly BundleFile[];
  /** Of the archive, counted. */
  readonly pages: number;
  /** When the archive was downloaded. */
  readonly receivedAt: Date;
}

/** The manifest as JSON: files sorted by path, in bytes order, so that the same bundle gives the same list. */
export function formatManifest(init: ManifestInit): string {
  const { origin, files } = init;
  const manifest = {
    version: 1,
    site: origin.domain ?? null,
    exportJobId: origin.jobId,
    pages: origin.pageCount ?? init.pages,
    createdAt: origin.createdAt?.toISOString() ?? null,
    receivedAt: init.receivedAt.toISOString(),
    archive: { name: basename(init.bundlePath), format: init.format, bytes: init.bytes, sha256: init.sha256 },
    files: [...files]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256: sha256 ?? null })),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
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
