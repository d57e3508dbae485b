import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ReaderName =
  | 'tarfile'
  | 'zipfile'
  | 'gnutar'
  | 'libarchive'
  | 'libarchive-pipe'
  | 'unzip';

/** The result of a reader: sorted paths with the SHA-256 of their content, or its error. */
export type Reading =
  | { readonly files: readonly (readonly [string, string])[] }
  | { readonly error: string };

/** Why these readers are not available on this machine; undefined if they are. */
export function missingReaders(): string | undefined {
  if (spawnSync('python3', ['-c', 'import tarfile, zipfile']).status !== 0)
    return 'python3 is not installed';
  const tar = spawnSync('tar', ['--version'], { encoding: 'utf8' });
  return tar.stdout?.includes('GNU tar') ? undefined : 'GNU tar is not installed';
}

// CMake reads archives with libarchive too, but not from a pipe.
const PROGRAMS: Readonly<Record<ReaderName, readonly string[]>> = {
  tarfile: [],
  zipfile: [],
  gnutar: [],
  libarchive: ['bsdtar', 'cmake'],
  'libarchive-pipe': ['bsdtar'],
  unzip: ['unzip'],
};

/** Those of the readers that are on this machine. */
export function installed(readers: readonly ReaderName[]): readonly ReaderName[] {
  return readers.filter((reader) => {
    const programs = PROGRAMS[reader];
    return (
      programs.length === 0 ||
      programs.some((program) => spawnSync(program, ['--help']).error === undefined)
    );
  });
}

/** All of these readers, in one process that lives as long as this object. */
export class ForeignReaders implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    this.#child = spawn('python3', [join(import.meta.dirname, 'reader.py')]);
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** One at a time: replies arrive in the order of the requests. */
  async read(reader: ReaderName, archive: Buffer): Promise<Reading> {
    this.#child.stdin.write(`${reader} ${archive.length}\n`);
    this.#child.stdin.write(archive);
    const answer = await this.#answers.next();
    if (answer.done) throw new Error('the foreign readers have ended');
    return JSON.parse(answer.value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await ended;
  }
}
