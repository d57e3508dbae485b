import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { besideFile, replaceFile } from '../confined-files.ts';
import { CourierError, errnoOf, isMissing } from '../errors.ts';
import { whyNoPath } from '../text/paths.ts';

const MAX_LINK_BYTES = 64 * 1024;
const OTHER = 'contains something else than one https address';
/** Also of an emulator on this machine. */
const LINK = /^(?:https:\/\/|http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])[:/])\S+$/;

/**
 * A file that the user names for a result. Its text is replaced in one step; a pipe or a device is
 * written to as it is.
 */
export class ResultFile {
  readonly path: string;
  readonly #flag: string;
  /** It has the link: only its owner can read it, and only a link is replaced. */
  readonly #hasLink: boolean;
  readonly #isDevice: boolean;

  /** Throws `config` where it can never be written: before anything else happens. */
  constructor(flag: string, path: string, cwd: string, hasLink = false) {
    this.#flag = flag;
    this.#hasLink = hasLink;
    this.path = resolve(cwd, path);
    const no = whyNoPath(path);
    if (no !== undefined) throw this.#unusable(`is not allowed; it must be ${no}`);
    this.#isDevice = this.#check();
  }

  /** Throws `io`. The file is then as it was. */
  write(text: string): void {
    try {
      if (this.#isDevice) writeFileSync(this.path, text);
      else {
        if (this.#hasOther()) throw this.#changed();
        replaceFile(realPath(this.path), text, this.#hasLink ? 0o600 : 0o644);
      }
    } catch (cause) {
      if (cause instanceof CourierError) throw cause;
      throw new CourierError({
        code: 'io',
        message: `${this.path} of --${this.#flag} was not written: ${errnoOf(cause) ?? 'the reason is unknown'}.`,
        hint: 'Check that the disk is not full, and that you may write there.',
        cause,
      });
    }
  }

  #check(): boolean {
    try {
      const found = statSync(this.path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw this.#unusable('is a folder');
      if (found !== undefined && !found.isFile()) return true;
      if (this.#hasOther()) throw this.#unusable(`${OTHER}, so it is not replaced`);
      // Whether a file can be made next to it is known only once that is tried.
      const probe = besideFile(realPath(this.path));
      writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
      rmSync(probe, { force: true });
      return false;
    } catch (error) {
      if (error instanceof CourierError) throw error;
      if (isMissing(error)) throw this.#unusable('is in a folder that does not exist');
      throw this.#unusable(`cannot be written (${errnoOf(error)})`);
    }
  }

  /**
   * Whether a link would replace something that is not a link: a mistyped path must not cost the
   * file at it.
   */
  #hasOther(): boolean {
    if (!this.#hasLink || !existsSync(this.path)) return false;
    if (statSync(this.path).size > MAX_LINK_BYTES) return true;
    const text = readFileSync(this.path, 'utf8').trim();
    return text !== '' && !LINK.test(text);
  }

  #unusable(why: string): CourierError {
    return new CourierError({
      code: 'config',
      message: `--${this.#flag}: ${this.path} ${why}. Nothing was sent.`,
      hint: 'Give the path of a new file, in a folder that exists and that you may write to.',
    });
  }

  #changed(): CourierError {
    return new CourierError({
      code: 'config',
      message: `--${this.#flag}: ${this.path} was changed during this run and ${OTHER}, so the link was not written.`,
      hint: 'Give a path that only this command writes to, and run it again.',
    });
  }
}

/** Where a symbolic link leads, so that the file is replaced and not the link. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
