import { unsafe } from './errors.ts';
import type { ArchiveLimits } from './limits.ts';
import { type EntryKind, foldName, judgeName, type NameRules } from './names.ts';

/** What an archive says about one of its entries; only these two kinds are ever taken. */
interface ArchiveEntry {
  /** As the archive gives it. */
  readonly name: string;
  readonly kind: EntryKind;
  readonly sizeBytes: number;
}

interface Taken {
  readonly path: string;
  readonly kind: EntryKind;
  /** False for a folder that exists only because of a file in it. */
  hasEntry: boolean;
}

/** Decides about every entry of one archive, in the order in which they come. */
export class Admission {
  readonly #rules: NameRules;
  readonly #limits: ArchiveLimits;
  readonly #taken = new Map<string, Taken>();
  #entries = 0;
  #files = 0;
  #totalBytes = 0;
  #namesBytes = 0;
  #lastParent = '';

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.#limits = rules.limits;
  }

  get files(): number {
    return this.#files;
  }

  /** Of the sizes that the archive declares. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** The path to write to; undefined for the root folder, which exists already. Throws `unsafe-archive`. */
  admit(entry: ArchiveEntry): string | undefined {
    this.#count(entry);
    const verdict = judgeName(entry.name, entry.kind, this.#rules);
    if (!verdict.ok) throw unsafe(verdict.reason, entry.name);
    if (verdict.path === '') return undefined;
    this.#takeParents(verdict.path);
    this.#take(verdict.path, entry.kind, true);
    return verdict.path;
  }

  #count({ name, kind, sizeBytes }: ArchiveEntry): void {
    const { entries, fileBytes, totalBytes } = this.#limits;
    this.#entries += 1;
    if (this.#entries > entries) throw unsafe(`it holds more than ${entries} entries`);
    if (sizeBytes > fileBytes) throw unsafe(`the file is larger than ${fileBytes} bytes`, name);
    if (kind === 'directory' && sizeBytes !== 0) throw unsafe('a folder has content', name);
    if (kind === 'file') this.#files += 1;
    this.#totalBytes += sizeBytes;
    if (this.#totalBytes > totalBytes) throw unsafe(`it unpacks to more than ${totalBytes} bytes`);
  }

  #takeParents(path: string): void {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent === '' || parent === this.#lastParent) return;
    for (let at = parent.indexOf('/'); at !== -1; at = parent.indexOf('/', at + 1)) {
      this.#take(parent.slice(0, at), 'directory', false);
    }
    this.#take(parent, 'directory', false);
    this.#lastParent = parent;
  }

  #take(path: string, kind: EntryKind, hasEntry: boolean): void {
    const key = foldName(path);
    const other = this.#taken.get(key);
    if (other === undefined) {
      this.#namesBytes += path.length * 2;
      if (this.#namesBytes > this.#limits.namesBytes) throw unsafe('its names are too long all together');
      this.#taken.set(key, { path, kind, hasEntry });
      return;
    }
    if (other.path !== path) throw unsafe(`some file systems take its name for "${other.path}"`, path);
    if (other.kind !== kind) throw unsafe('it is both a file and a folder', path);
    if (hasEntry && (other.hasEntry || kind === 'file')) throw unsafe('it is in the archive twice', path);
    other.hasEntry ||= hasEntry;
  }
}
