import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';

const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;
/** The hash of a script or style in an attribute `integrity`, a policy or a table of scripts. */
const HASH = /\bsha(?:256|384|512)-[A-Za-z0-9+/]{42,86}={0,2}/g;

/** The hashes of scripts and styles that have changed: from the former hash to the present one. */
export class ChangedHashes {
  readonly #now = new Map<string, string>();

  /** `before` is the content in the export, `after` the present one. */
  add(before: Buffer, after: Buffer): void {
    for (const algorithm of ALGORITHMS)
      this.#now.set(hashOf(before, algorithm), hashOf(after, algorithm));
  }

  /** As `add`, for a text of a page in Latin-1. */
  addText(before: string, after: string): void {
    this.add(Buffer.from(before, 'latin1'), Buffer.from(after, 'latin1'));
  }

  /** The text with the present hashes. */
  renew(text: string): string {
    if (this.#now.size === 0) return text;
    return text.replace(HASH, (former) => this.#latest(former));
  }

  // A script may change once more, when the hash of another one in it has changed.
  #latest(former: string): string {
    let latest = former;
    for (;;) {
      const next = this.#now.get(latest);
      if (next === undefined || next === latest) return latest;
      latest = next;
    }
  }
}

function hashOf(content: Buffer, algorithm: (typeof ALGORITHMS)[number]): string {
  return `${algorithm}-${hash(algorithm, content, 'base64')}`;
}
