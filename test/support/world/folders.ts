import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The folders of one run, in a new folder that is removed at the end. */
export class Folders implements Disposable {
  /** Contains `workspace` and `temp`. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'docs-courier-test-')));
  readonly workspace = join(this.root, 'workspace');
  readonly runnerTemp = join(this.root, 'temp');
  #events = 0;

  constructor() {
    mkdirSync(this.workspace);
    mkdirSync(this.runnerTemp);
  }

  /** Writes a file below the workspace and returns its absolute path. */
  write(path: string, text: string): string {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Writes the payload of an event like the runner for a step; returns the path of the file. */
  writeEvent(payload: unknown): string {
    this.#events += 1;
    const file = join(this.root, `event-${this.#events}.json`);
    writeFileSync(file, JSON.stringify(payload));
    return file;
  }

  /** Every path below both folders, relative to `root`. */
  list(): string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !['workspace', 'temp'].includes(path) && !/^event-\d+\.json$/.test(path))
      .sort();
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
