import { BROKEN, CALLED, IndexProblem, type SectionText } from '../format.ts';

const FOLDER = 'search/';

/** The value of each file, by the script element that loads it: `CALLED` gets it from the file. */
const values = new Map<Element, unknown>();
Object.defineProperty(globalThis, CALLED, {
  value: (value: unknown) => {
    if (document.currentScript !== null) values.set(document.currentScript, value);
  },
});

/**
 * Loads a file of the index as a script: from a `file:` address, browsers load nothing else. Throws
 * `IndexProblem`.
 */
export function loadScript(name: string, id: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    // With the id, the browser takes no file of an earlier index from its cache. The first file,
    // which names the id, is loaded without it.
    script.src = `${FOLDER}${name}.js${id === '' ? '' : `?${id}`}`;
    script.addEventListener('load', () => {
      // A file that is cut is not a script: it loads, and calls nothing.
      if (values.has(script)) resolve(values.get(script));
      else reject(new IndexProblem(BROKEN));
      values.delete(script);
      script.remove();
    });
    script.addEventListener('error', () =>
      reject(new IndexProblem('A file of the search index could not be loaded.')),
    );
    document.head.append(script);
  });
}

/**
 * The address of a section, from the search page: the file of its page, which servers and `file:`
 * addresses both find.
 */
export function addressOf({ path, id }: SectionText): string {
  const address = `../${path.split('/').map(encodeURIComponent).join('/')}`;
  return id === '' ? address : `${address}#${encodeURIComponent(id)}`;
}
