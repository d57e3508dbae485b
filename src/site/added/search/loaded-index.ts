import {
  type Base,
  BROKEN,
  IndexProblem,
  readBase,
  readTexts,
  type SectionText,
} from './format.ts';
import { type Ranking, SearchIndex } from './query.ts';

/**
 * Gives the value of a file of the index by its name, such as `terms-0`. `id`: that of the index,
 * which its first file names; empty for the first file.
 */
type LoadFile = (name: string, id: string) => Promise<unknown>;

/** How many files of texts stay in memory. */
const MAX_TEXTS = 32;

/**
 * The index of a site, loaded as far as queries need it: by the search page, and by a run that
 * searches a folder.
 */
export class LoadedIndex {
  readonly #load: LoadFile;
  readonly #base: Base;
  readonly #index: SearchIndex;
  readonly #terms = new Map<number, Promise<void>>();
  readonly #texts = new Map<number, Promise<readonly SectionText[]>>();

  private constructor(load: LoadFile, base: Base) {
    this.#load = load;
    this.#base = base;
    this.#index = new SearchIndex(base);
  }

  /** Throws `IndexProblem` if the first file is not that of an index of this version. */
  static async open(load: LoadFile): Promise<LoadedIndex> {
    return new LoadedIndex(load, readBase(await load('index', '')));
  }

  /** Throws `IndexProblem`. */
  async rank(query: string): Promise<Ranking> {
    await Promise.all(this.#index.termFiles(query).map((file) => this.#loadTerms(file)));
    return this.#index.rank(query);
  }

  /** A section by its number. Throws `IndexProblem`. */
  async section(number: number): Promise<SectionText> {
    const firsts = this.#base.texts;
    const file = firsts.findLastIndex((first) => first <= number);
    const sections = await this.#loadTexts(file);
    const text = sections[number - (firsts[file] ?? 0)];
    // The file has fewer sections than the first file says.
    if (text === undefined) throw new IndexProblem(BROKEN);
    return text;
  }

  #loadTerms(file: number): Promise<void> {
    const read = () =>
      this.#load(`terms-${file}`, this.#base.id).then((value) => this.#index.addTerms(value));
    return remembered(this.#terms, file, read);
  }

  #loadTexts(file: number): Promise<readonly SectionText[]> {
    // All are forgotten at once: what the next results need is read again.
    if (this.#texts.size >= MAX_TEXTS && !this.#texts.has(file)) this.#texts.clear();
    const read = () =>
      this.#load(`texts-${file}`, this.#base.id).then((value) => readTexts(value, this.#base));
    return remembered(this.#texts, file, read);
  }
}

/**
 * Gives what was read before, or is being read for another query, or reads it. After a failure, the
 * next query reads it again.
 */
function remembered<T>(
  known: Map<number, Promise<T>>,
  file: number,
  read: () => Promise<T>,
): Promise<T> {
  const reading = known.get(file) ?? read();
  known.set(file, reading);
  reading.catch(() => known.delete(file));
  return reading;
}
