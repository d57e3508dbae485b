import { readFileSync } from 'node:fs';
import { CourierError } from '../errors.ts';

/** The file with the payload of the event, which the runner writes. It is read once. */
export class EventFile {
  readonly #path: string;
  #content: { readonly payload: unknown } | { readonly cause: unknown } | undefined;

  /** `path`: empty if the system has no such file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `config` if it cannot be read or is not JSON. Shape unknown: parse what you use. */
  payload(): unknown {
    const content = this.#read();
    if ('payload' in content) return content.payload;
    throw new CourierError({
      code: 'config',
      message: 'The event file that GITHUB_EVENT_PATH names cannot be read as JSON.',
      hint: 'Docs Courier runs as a step of a GitHub Actions workflow, which writes this file.',
      cause: content.cause,
    });
  }

  /** As `payload`; `{}` if it cannot be read. */
  payloadOrNothing(): unknown {
    const content = this.#read();
    return 'payload' in content ? content.payload : {};
  }

  #read() {
    this.#content ??= readJson(this.#path);
    return this.#content;
  }
}

function readJson(path: string): { readonly payload: unknown } | { readonly cause: unknown } {
  if (path === '') return { payload: {} };
  try {
    return { payload: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (cause) {
    return { cause };
  }
}
