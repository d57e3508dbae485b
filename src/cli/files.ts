import { randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CourierError, errnoOf, isMissing } from '../errors.ts';
import { isWindowsPathElsewhere } from '../text/names.ts';

/** A file that the user names for a result. Its text is replaced in one step; a pipe or a device is written to as it is. */
export class ResultFile {
  readonly path: string;
  readonly #flag: string;
  readonly #mode: number;
  readonly #isDevice: boolean;

  /** Throws `config` where it can never be written: before anything else happens. */
  constructor(flag: string, path: string, { cwd, mode = 0o644 }: { cwd: string; mode?: number | undefined }) {
    this.#flag = flag;
    this.#mode = mode;
    this.path = resolve(cwd, path);
    if (isWindowsPathElsewhere(path)) throw this.#unusable('is a path of Windows, and this is another system');
    this.#isDevice = this.#check();
  }

  /** Throws `io`. The file is then as it was. */
  write(text: string): void {
    try {
      if (this.#isDevice) writeFileSync(this.path, text);
      else replace(realPath(this.path), text, this.#mode);
    } catch (cause) {
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
      // Whether a file can be made next to it is known only once that is tried.
      const probe = join(dirname(realPath(this.path)), `.docs-courier.${randomBytes(8).toString('hex')}`);
      writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
      rmSync(probe, { force: true });
      return false;
    } catch (error) {
      if (error instanceof CourierError) throw error;
      throw this.#unusable(
        isMissing(error) ? 'is in a folder that does not exist' : `cannot be written (${errnoOf(error)})`,
      );
    }
  }

  #unusable(why: string): CourierError {
    return new CourierError({
      code: 'config',
      message: `--${this.#flag}: ${this.path} ${why}. Nothing was sent.`,
      hint: 'Give the path of a file in a folder that exists and that you may write to.',
    });
  }
}

function replace(path: string, text: string, mode: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode, flush: true });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Where a symbolic link leads, so that the file is replaced and not the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}
