import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { cancelled } from '../../ground/clock.ts';
import { isSameOrBelow, shownPath, userFolders } from '../../ground/confined-files.ts';
import { CourierError, configError, errnoOf } from '../../ground/errors.ts';
import { firstLines } from '../../ground/text/amounts.ts';
import { shownName } from '../../ground/text/credentials.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { Admission, ARCHIVE_LIMITS } from '../archive/admission.ts';
import { type BundleFile, type EntrySink, HashSink } from '../archive/sink.ts';
import { type ComparedSite, makeComparedSite } from '../compare/compared-site.ts';
import type { Disk } from '../disk/disk.ts';
import { TreeWriter } from '../disk/tree-writer.ts';
import { isHtml, isOfMac } from '../page-names.ts';
import type { BundleFacts } from '../summary.ts';
import type { Transferred } from '../transfer.ts';
import type { PageReader } from '../verify/site-check.ts';
import { GivenReader } from './given-reader.ts';
import { isPrivate, readGiven } from './read-given.ts';

/** The run that a site is given to, as far as its paths go. */
interface Place {
  readonly kind: string;
  readonly workspace: string;
}

/** What is taken of what is given. */
interface Taken {
  /** The folder with the site; empty if it is at the top. */
  readonly folder: string;
  /** Paths below `folder`. */
  readonly files: readonly BundleFile[];
  /** What the viewer of the archive needs, and the site does not. */
  readonly leftOut: readonly string[];
}

/**
 * A site that is there already, as the input `from` names it. It is read twice: once to know what
 * it contains, and once to copy it. A copy that differs from what was read first is refused.
 */
export class GivenSite {
  readonly kind = 'given';
  /** As people know its path. */
  readonly name: string;
  /** A digest over the names and bytes of the files: the same for an archive and a folder. */
  readonly id: string;
  /** The size of its files. */
  readonly bytes: number;
  readonly leftOut: readonly string[];
  readonly #path: string;
  readonly #folder: string;

  private constructor(path: string, name: string, taken: Taken) {
    this.#path = path;
    this.name = name;
    this.id = digestOf(taken.files);
    this.bytes = taken.files.reduce((sum, file) => sum + file.bytes, 0);
    this.leftOut = taken.leftOut;
    this.#folder = taken.folder;
  }

  /** Reads what is there, and writes nothing. Throws `config` if it cannot be taken. */
  static async open(path: string, place: Place, signal: AbortSignal): Promise<GivenSite> {
    const name = plainLine(shownName(shownPath(path, place.workspace)), 300);
    try {
      checkPlace(path, place);
      const sink = new ListingSink();
      await readInto(sink, path, signal);
      return new GivenSite(path, name, choose(sink));
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      throw explain(error, name);
    }
  }

  /** Looks for what is wrong with such a site alone. */
  reader(site: ComparedSite): PageReader {
    return new GivenReader(site);
  }

  /** Copies what is taken into an empty folder. Throws `config` if it has changed since. */
  async copy(folder: string, disk: Disk, signal: AbortSignal): Promise<Transferred> {
    const writer = new TreeWriter(folder, disk, { hashesFiles: true });
    try {
      const sink = new TakingSink(writer, this.#folder, new Set(this.leftOut));
      await readInto(sink, this.#path, signal);
      const { files } = writer;
      const sha256 = digestOf(files);
      if (sha256 !== this.id) throw new Refusal('changed while it was read');
      const downloaded = { bytes: this.bytes, sha256, resumed: 0 };
      return { format: 'folder', files, downloaded, leftOut: this.leftOut };
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      throw explain(error, this.name);
    } finally {
      writer.close();
    }
  }

  /** Packs the files as they are in the folder now; the facts of the archive. */
  async pack(init: PackInit): Promise<Pick<BundleFacts, 'format' | 'bytes' | 'sha256'>> {
    const { writeLayer } = await import('../image/layer.ts');
    const files = init.files.map(({ path }) => ({
      path,
      bytes: statSync(`${init.root}/${path}`).size,
    }));
    const { size, digest } = await writeLayer({ ...init, files, onProgress: () => undefined });
    return { format: 'tar.gz', bytes: size, sha256: digest.replace('sha256:', '') };
  }
}

interface PackInit {
  /** The archive that is written. */
  readonly path: string;
  readonly root: string;
  /** Paths below `root`. */
  readonly files: readonly BundleFile[];
  readonly signal: AbortSignal;
}

/** Throws `Refusal` for a path outside the workspace, and for the workspace itself. */
function checkPlace(path: string, place: Place): void {
  const real = realpathSync(path);
  const workspace = realpathSync(place.workspace);
  if (isSameOrBelow(workspace, real))
    throw new Refusal('is the working folder or a folder around it');
  const name = basename(real);
  const isHidden = isPrivate(name) || (statSync(real).isDirectory() && isPrivate(`${name}/`));
  if (isHidden) throw new Refusal('is hidden');
  const [folder] = userFolders(path, place);
  if (!isSameOrBelow(real, realpathSync(folder.path))) throw new Refusal('is not in the workspace');
}

async function readInto(sink: EntrySink, path: string, signal: AbortSignal): Promise<void> {
  // A login such as that in `.npmrc` is refused wherever the copy goes.
  const admission = new Admission({ limits: ARCHIVE_LIMITS, inWorkspace: true });
  const refused: string[] = [];
  const onRefused = (entry: string, why: string) => {
    refused.push(`${plainLine(entry, 100)} ${why}`);
  };
  await readGiven(path, { sink, admission, signal, onRefused });
  if (refused.length > 0) throw refusedError(refused);
}

const SHOWN = 5;

function refusedError(refused: readonly string[]): Refusal {
  const shown = firstLines([...refused].sort(), SHOWN, '');
  return new Refusal(
    `has what no site needs: ${shown.join('; ')}. Remove it, or name the built site alone`,
  );
}

/** What only the viewer of the platform's command-line export needs. */
const VIEWER: ReadonlySet<string> = new Set(['serve.js', 'Start Docs.command', 'Start Docs.bat']);

/** Chooses what is taken. Throws `config` if there is something that no site has. */
function choose({ files: listed, loadsViewer }: ListingSink): Taken {
  const site = makeComparedSite(
    '',
    listed.filter((file) => !isOfMac(file.path)),
  );
  const isLeftOut = ({ path }: BundleFile) =>
    VIEWER.has(path) && !(loadsViewer && path === 'serve.js');
  const leftOut = site.files.filter(isLeftOut).map((file) => file.path);
  leftOut.sort();
  const files = site.files.filter((file) => !isLeftOut(file));
  if (files.length === 0) throw new Refusal('has no file of a site in it');
  const hidden = listed.filter((file) => isPrivate(file.path));
  if (hidden.length > 0)
    throw refusedError(hidden.map((file) => `${plainLine(file.path, 100)} is hidden`));
  if (files.every((file) => isArchive(file.path))) {
    const inside = plainLine(files[0]?.path ?? '', 100);
    throw new Refusal(`has only an archive in it, ${inside}: unpack it, and name what is in it`);
  }
  return { folder: site.folder, files, leftOut };
}

function isArchive(path: string): boolean {
  return /\.(?:zip|tar|tgz|tar\.gz)$/i.test(path);
}

/** Equal for equal names and bytes, in whatever order they come. */
function digestOf(files: readonly BundleFile[]): string {
  const lines = files.map((file) => JSON.stringify([file.path, file.sha256]));
  return hash('sha256', lines.sort().join('\n'), 'hex');
}

/** Lists what is there, and notes whether a page loads the script that is named like the viewer. */
class ListingSink extends HashSink {
  loadsViewer = false;
  #isPage = false;

  constructor() {
    super({ hashesFiles: true });
  }

  override begin(path: string): void {
    super.begin(path);
    this.#isPage = isHtml(path);
  }

  override append(piece: Buffer): void {
    super.append(piece);
    this.#look(piece);
  }

  override appendLast(piece: Buffer): void {
    super.appendLast(piece);
    this.#look(piece);
  }

  #look(piece: Buffer): void {
    if (!this.#isPage || !piece.includes('serve.js')) return;
    const text = piece.toString('latin1');
    this.loadsViewer ||= /\ssrc=["']?(?:[^"'\s>]{0,200}\/)?serve\.js/i.test(text);
  }
}

/** Passes on what is taken of a site, with its paths below the folder of the site. */
class TakingSink implements EntrySink {
  readonly #sink: EntrySink;
  readonly #start: string;
  readonly #leftOut: ReadonlySet<string>;
  #isTaken = false;

  constructor(sink: EntrySink, folder: string, leftOut: ReadonlySet<string>) {
    this.#sink = sink;
    this.#start = folder && posix.join(folder, '/');
    this.#leftOut = leftOut;
  }

  get files(): readonly BundleFile[] {
    return this.#sink.files;
  }

  /** Folders come with their files. */
  directory(): void {}

  begin(path: string): void {
    const below = path.slice(this.#start.length);
    this.#isTaken = path.startsWith(this.#start) && !this.#leftOut.has(below) && !isOfMac(path);
    if (this.#isTaken) this.#sink.begin(below);
  }

  append(piece: Buffer): void {
    if (this.#isTaken) this.#sink.append(piece);
  }

  appendLast(piece: Buffer): void {
    if (this.#isTaken) this.#sink.appendLast(piece);
  }
}

/** What is wrong with the site that is given, as the end of a sentence about it. */
class Refusal extends Error {
  override name = 'Refusal';
}

/** The error of a run that cannot take this site. An error of the disk that is written to stays. */
function explain(error: unknown, name: string): unknown {
  const problem = problemOf(error);
  if (problem === undefined) return error;
  return configError(
    `from: ${name} ${problem}. Nothing was written.`,
    {
      text: 'Name the folder with the built site, or a .zip, .tar.gz or .tar of it, in the workspace:',
      inputs: { from: '' },
    },
    { inputs: ['from'], cause: error },
  );
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof CourierError)) return problemOfFile(errnoOf(error));
  if (error.code === 'protocol') return 'is neither a folder nor an archive';
  // An error of the disk that is written to, or a signal.
  if (error.code === 'io' || error.code === 'cancelled') return undefined;
  return `cannot be taken: ${error.message.replace(/\.$/, '')}`;
}

function problemOfFile(errno: string | undefined): string | undefined {
  if (errno === 'ENOENT') return 'does not exist';
  return errno && `cannot be read (${errno})`;
}
