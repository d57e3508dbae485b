import { createHash } from 'node:crypto';

/**
 * The files of default branches, as a forge's contents API returns them. GitHub and Gitea return
 * the same.
 */
export class BranchFiles {
  readonly #files = new Map<string, Map<string, string>>();

  /** Replaces what was at the path before. */
  set(repository: string, path: string, text: string): void {
    const key = repository.toLowerCase();
    const files = this.#files.get(key) ?? new Map<string, string>();
    this.#files.set(key, files.set(path, text));
  }

  /** The newest commit of the default branch: another one after each change. */
  commit(repository: string): string {
    const files = [...(this.#files.get(repository.toLowerCase()) ?? [])];
    return createHash('sha1')
      .update(`${repository.toLowerCase()}\n${JSON.stringify(files)}`)
      .digest('hex');
  }

  /** undefined: the file does not exist at that commit or branch. */
  contents(
    repository: string,
    path: string,
    ref: string,
    branch: string,
  ): Record<string, unknown> | undefined {
    const text = this.#files.get(repository.toLowerCase())?.get(path);
    if (text === undefined || (ref !== branch && ref !== this.commit(repository))) return undefined;
    const bytes = Buffer.from(text);
    const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    // GitHub's base64 has line breaks.
    const content = bytes.toString('base64').replace(/.{60}/g, '$&\n');
    return {
      type: 'file',
      name: path.split('/').at(-1),
      path,
      sha,
      size: bytes.length,
      encoding: 'base64',
      content,
    };
  }

  clear(): void {
    this.#files.clear();
  }
}
