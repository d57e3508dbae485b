import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ReaderName = 'tarfile' | 'zipfile' | 'gnutar';

/** What a reader makes of an archive: paths with the SHA-256 of their content, sorted; or why it gave up. */
export type Reading = { readonly files: readonly (readonly [string, string])[] } | { readonly error: string };

/** Why these readers cannot be asked on this machine; undefined where they can. */
export function missingReaders(): string | undefined {
  if (spawnSync('python3', ['-c', 'import tarfile, zipfile']).status !== 0) return 'python3 is not installed';
  const tar = spawnSync('tar', ['--version'], { encoding: 'utf8' });
  return tar.stdout?.includes('GNU tar') ? undefined : 'GNU tar is not installed';
}

/** Python's tarfile and zipfile, and GNU tar, in one process that lives as long as this object. */
export class ForeignReaders implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    this.#child = spawn('python3', [join(import.meta.dirname, 'reader.py')]);
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** One at a time: answers come in the order of the questions. */
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
