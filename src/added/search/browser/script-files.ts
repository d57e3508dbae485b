import { type Base, CALLED, IndexProblem, readBase, readTexts, type SectionText } from '../format.ts';
import { type Ranking, SearchIndex } from '../query.ts';

const FOLDER = 'search/';
const INCOMPLETE = 'The search index is damaged or incomplete.';

/** The value of each file, by the script element that loads it. */
const values = new Map<Element, unknown>();
Object.defineProperty(globalThis, CALLED, {
  value: (value: unknown) => {
    if (document.currentScript !== null) values.set(document.currentScript, value);
  },
});

/** Loads a file of the index as a script: from a `file:` address, browsers load nothing else. */
function load(name: string, id: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    // Files of an earlier index in the browser's cache do not fit.
    script.src = `${FOLDER}${name}.js${id === '' ? '' : `?${id}`}`;
    script.addEventListener('load', () => {
      // A file that is cut is not a script: it loads, and calls nothing.
      if (values.has(script)) resolve(values.get(script));
      else reject(new IndexProblem(INCOMPLETE));
      values.delete(script);
      script.remove();
    });
    script.addEventListener('error', () => reject(new IndexProblem('A file of the search index could not be loaded.')));
    document.head.append(script);
  });
}

/** The index of the site, loaded as far as queries need it. */
export class LoadedIndex {
  readonly #base: Base;
  readonly #index: SearchIndex;
  readonly #terms = new Map<number, Promise<void>>();
  readonly #texts = new Map<number, Promise<readonly SectionText[]>>();

  private constructor(base: Base) {
    this.#base = base;
    this.#index = new SearchIndex(base);
  }

  static async load(): Promise<LoadedIndex> {
    return new LoadedIndex(readBase(await load('index', '')));
  }

  /** Throws `IndexProblem`. */
  async rank(query: string): Promise<Ranking> {
    await Promise.all(this.#index.termFiles(query).map((file) => this.#loadTerms(file)));
    return this.#index.rank(query);
  }

  /** The sections by their numbers. Throws `IndexProblem`. */
  async sections(numbers: readonly number[]): Promise<ReadonlyMap<number, SectionText>> {
    const found = await Promise.all(
      numbers.map(async (section) => {
        const file = this.#index.textFile(section);
        const text = (await this.#loadTexts(file))[section - this.#index.firstSection(file)];
        if (text === undefined) throw new IndexProblem(INCOMPLETE);
        return [section, text] as const;
      }),
    );
    return new Map(found);
  }

  #loadTerms(file: number): Promise<void> {
    const known =
      this.#terms.get(file) ?? load(`terms-${file}`, this.#base.id).then((value) => this.#index.addTerms(value));
    this.#terms.set(file, known);
    // The next query tries it again.
    known.catch(() => this.#terms.delete(file));
    return known;
  }

  #loadTexts(file: number): Promise<readonly SectionText[]> {
    const known =
      this.#texts.get(file) ?? load(`texts-${file}`, this.#base.id).then((value) => readTexts(value, this.#base));
    this.#texts.set(file, known);
    known.catch(() => this.#texts.delete(file));
    return known;
  }
}

/** The address of a section, from the search page: the file of its page, which servers and `file:` addresses both find. */
export function addressOf({ path, id }: SectionText): string {
  const address = `../${path.split('/').map(encodeURIComponent).join('/')}`;
  return id === '' ? address : `${address}#${encodeURIComponent(id)}`;
}
