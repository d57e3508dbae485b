import { readFileSync } from 'node:fs';
import { configError } from '../ground/errors.ts';

/** The file with the payload of the event, which the runner writes. It is read once. */
export class EventFile {
  readonly #path: string;
  #content: { readonly payload: unknown; readonly fault?: unknown } | undefined;

  /** `path`: empty if the system has no such file. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The payload, of which no field is checked. Throws `config` if the file cannot be read or is not
   * JSON.
   */
  payload(): unknown {
    const { payload, fault } = this.#readOnce();
    if (fault === undefined) return payload;
    throw configError(
      'The event file that GITHUB_EVENT_PATH names cannot be read as JSON.',
      'Docs Courier runs as a step of a GitHub Actions workflow, which writes this file.',
      { cause: fault },
    );
  }

  /** As `payload`; `{}` if it cannot be read. */
  payloadOrNothing(): unknown {
    return this.#readOnce().payload;
  }

  #readOnce() {
    this.#content ??= readJson(this.#path);
    return this.#content;
  }
}

/** `fault`: why the file could not be read; the payload is `{}` then. */
function readJson(path: string): { readonly payload: unknown; readonly fault?: unknown } {
  // On a system without events, nothing is wrong.
  if (path === '') return { payload: {} };
  try {
    return { payload: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (fault) {
    return { payload: {}, fault };
  }
}
