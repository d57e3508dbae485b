import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { besideFile, replaceFile } from '../ground/confined-files.ts';
import { CourierError, configError, courierError, errnoOf, isMissing } from '../ground/errors.ts';
import { whyNoPath } from '../ground/text/paths.ts';

const MAX_LINK_BYTES = 64 * 1024;
const OTHER_TEXT = 'contains something else than one https address';
/** A link, also one of an emulator on this machine. */
const LINK = /^(?:https:\/\/|http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])[:/])\S+$/;

/**
 * A file that the user names for a result. Each write replaces the whole file in one step; to a
 * pipe or a device, the text is just written.
 */
export class ResultFile {
  readonly path: string;
  readonly #flag: string;
  /** The file is for the link: only its owner can read it, and it replaces only another link. */
  readonly #isForLink: boolean;
  readonly #kind: 'device' | 'file';

  /** Throws `config` if the file cannot be written. `flag`: the one that names it. */
  constructor(flag: string, path: string, cwd: string) {
    this.#flag = flag;
    this.#isForLink = flag === 'link-file';
    this.path = resolve(cwd, path);
    // undefined if the text can be meant as a path.
    const mustBe = whyNoPath(path);
    if (mustBe !== undefined) throw this.#unusable(`is not allowed; it must be ${mustBe}`);
    this.#kind = this.#kindOfWritable();
  }

  /**
   * Replaces the text of the file. If that fails, it throws `io` and the file stays as it was;
   * `config` if the file for the link has another text by now.
   */
  write(text: string): void {
    try {
      if (this.#kind === 'device') {
        writeFileSync(this.path, text);
        return;
      }
      if (this.#wouldLoseText()) throw this.#changedMeanwhile();
      replaceFile(realPath(this.path), text, this.#isForLink ? 0o600 : 0o644);
    } catch (cause) {
      // That of `#changedMeanwhile`.
      if (cause instanceof CourierError) throw cause;
      throw courierError(
        'io',
        `${this.path} of --${this.#flag} was not written: ${errnoOf(cause) ?? 'the reason is unknown'}.`,
        'Check that the disk is not full, and that you may write there.',
        { cause },
      );
    }
  }

  /** `device`: a pipe or a device, which is not replaced. Throws `config` if `write` would fail. */
  #kindOfWritable(): 'device' | 'file' {
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) throw this.#unusable('is a folder');
      if (stats !== undefined && !stats.isFile()) return 'device';
      if (this.#wouldLoseText()) throw this.#unusable(`${OTHER_TEXT}, so it is not replaced`);
      // To replace the file, `write` makes a file next to it: this tries whether it can.
      const probe = besideFile(realPath(this.path));
      writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
      rmSync(probe, { force: true });
      return 'file';
    } catch (error) {
      // One of those above.
      if (error instanceof CourierError) throw error;
      if (isMissing(error)) throw this.#unusable('is in a folder that does not exist');
      throw this.#unusable(`cannot be written (${errnoOf(error)})`);
    }
  }

  /**
   * True if the link would replace a text that is not a link: with a mistyped path, another file
   * would be lost.
   */
  #wouldLoseText(): boolean {
    if (!this.#isForLink || !existsSync(this.path)) return false;
    // No link is as long, and a large file need not be read to know that.
    if (statSync(this.path).size > MAX_LINK_BYTES) return true;
    const text = readFileSync(this.path, 'utf8').trim();
    return text !== '' && !LINK.test(text);
  }

  #unusable(why: string): CourierError {
    return configError(
      `--${this.#flag}: ${this.path} ${why}. Nothing was sent.`,
      'Give the path of a new file, in a folder that exists and that you may write to.',
    );
  }

  #changedMeanwhile(): CourierError {
    return configError(
      `--${this.#flag}: ${this.path} was changed during this run and ${OTHER_TEXT}, so the link was not written.`,
      'Give a path that only this command writes to, and run it again.',
    );
  }
}

/** The path that a symbolic link leads to, so that the file is replaced and not the link. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
