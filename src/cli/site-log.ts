import type { AnnotationPlace, Log } from '../log.ts';

/** The log of one of many sites: what went wrong with its name before it; progress is for debugging only. */
export class SiteLog implements Log {
  readonly #log: Log;
  readonly #site: string;

  constructor(log: Log, site: string) {
    this.#log = log.part();
    this.#site = site;
  }

  info(message: string): void {
    this.debug(message);
  }

  table(): void {
    // Tables of sites that run side by side would be mixed up.
  }

  debug(message: string): void {
    this.#log.debug(`${this.#site}: ${message}`);
  }

  notice(message: string, place?: AnnotationPlace): void {
    this.#log.notice(`${this.#site}: ${message}`, place);
  }

  warning(message: string, place?: AnnotationPlace): void {
    this.#log.warning(`${this.#site}: ${message}`, place);
  }

  error(message: string, place?: AnnotationPlace): void {
    this.#log.error(`${this.#site}: ${message}`, place);
  }

  block(title: string, text: string): void {
    this.#log.block(`${this.#site}: ${title}`, text);
  }

  // Groups of sites that run side by side would be mixed up.
  group<T>(_title: string, body: () => Promise<T>): Promise<T> {
    return body();
  }

  mask(secret: string): void {
    this.#log.mask(secret);
  }

  part(): Log {
    return new SiteLog(this.#log, this.#site);
  }

  readonly redact = (text: string): string => this.#log.redact(text);
}
