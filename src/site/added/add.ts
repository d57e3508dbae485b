import { hash } from 'node:crypto';
import { configError } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { AddedPart } from '../../values/values.ts';
import type { BundleFile } from '../archive/sink.ts';
import type { ComparedSite } from '../compare/compared-site.ts';
import { systemDisk } from '../disk/disk.ts';
import { TreeWriter } from '../disk/tree-writer.ts';
import type { PageReader } from '../pages.ts';
import type { AddedFile } from './file.ts';
import type { StampFacts } from './stamp/stamp.ts';

/** What the files of a part are made of. */
interface Making {
  readonly site: ComparedSite;
  /** The folder with its files. */
  readonly root: string;
  /** True if the site was verified, so that its broken links are known. */
  readonly isVerified: boolean;
  /** About the export, for the stamp. */
  readonly facts: StampFacts;
  readonly signal: AbortSignal;
}

interface PartMaker {
  /** Reads the pages of the site before the files are made. */
  reader?(site: ComparedSite): PageReader;
  files(making: Making): Promise<readonly AddedFile[]>;
  /** What a person should know of these files. */
  readonly note?: string | undefined;
}

/** Each part is loaded only if it is asked for. */
const PARTS: Readonly<Record<AddedPart, () => Promise<PartMaker>>> = {
  search: async () => {
    const { SiteSearch } = await import('./search/search-files.ts');
    const search = new SiteSearch();
    return {
      reader: () => search,
      files: async () => search.files(),
      get note() {
        return search.note;
      },
    };
  },
  manifest: async () => {
    const { PageManifest } = await import('./manifest/manifest.ts');
    return new PageManifest();
  },
  stamp: async () => {
    const { stampFiles } = await import('./stamp/stamp.ts');
    return { files: (making) => stampFiles(making.site, making.facts, making.signal) };
  },
};

/**
 * What is added to one site. It is opened before the pages of the site are read, so that they are
 * read once for all purposes.
 */
export class Addition {
  readonly #parts: readonly PartMaker[];

  private constructor(parts: readonly PartMaker[]) {
    this.#parts = parts;
  }

  static async open(names: readonly AddedPart[]): Promise<Addition> {
    return new Addition(await Promise.all(names.map((name) => PARTS[name]())));
  }

  /** What takes part in the pass over the pages of the site. */
  readers(site: ComparedSite): readonly PageReader[] {
    return this.#parts.flatMap((part) => part.reader?.(site) ?? []);
  }

  /** What a person should know of the files, once they are written. */
  get notes(): readonly string[] {
    return this.#parts.flatMap((part) => part.note ?? []);
  }

  /**
   * Makes the files of all parts and writes them into the folder of the unpacked site. Gives them
   * as they were written. No file of the platform is changed: throws `config` if the site has a
   * file at one of our paths, before anything is written.
   */
  async write(making: Making): Promise<readonly BundleFile[]> {
    assertFree(making.site.paths);
    // A later run knows by the hashes which files of the folder it may replace.
    const writer = new TreeWriter(making.root, systemDisk, { hashesFiles: true });
    try {
      for (const part of this.#parts) {
        for (const { path, content } of await part.files(making)) {
          // A fault of this program: any other path may have a file of the platform.
          if (!isOurs(path)) throw new TypeError(`${path} is not one of our paths`);
          writer.begin(path);
          // The same bytes, not copied, as the only piece of the file.
          writer.appendLast(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
        }
      }
    } finally {
      writer.close();
    }
    return writer.files;
  }
}

/**
 * True for a path at which files are added. A site may not have a file there, in upper or lower
 * case: many file systems ignore case.
 */
function isOurs(path: string): boolean {
  return /^docs-courier(?:(?:\.manifest)?\.json$|\/)/iu.test(path);
}

/** Throws `config` if the site has a file where files are added. */
function assertFree(paths: readonly string[]): void {
  // A file with the name of our folder, which is not at one of our paths, would be in its way.
  const taken = paths.find((path) => isOurs(path) || /^docs-courier$/iu.test(path));
  if (taken === undefined) return;
  throw configError(
    `add: the site has ${plainLine(taken, 200)} already, at a path where add puts its files. Nothing was published.`,
    'add never replaces a file of the platform. Rename docs-courier in the documentation, or remove add.',
  );
}

/**
 * A text that changes if an image has to be made again: the fingerprint of the content and, if
 * parts are added, of their names too, and of the address at which it is served. So an image
 * without a stamp is not kept if a stamp (the file that says which export a site is) is asked for.
 */
export function fingerprintWith(content: string, parts: readonly string[]): string {
  if (parts.length === 0) return content;
  return hash('sha256', JSON.stringify([content, ...[...parts].sort()]), 'hex');
}
