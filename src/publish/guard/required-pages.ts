import { parse } from 'node:path';
import picomatch from 'picomatch';
import type { ComparedSite } from '../../bundle/compare/compared-site.ts';
import type { CiRun } from '../../ci/port.ts';
import { readConfinedFile } from '../../confined-files.ts';
import { CourierError } from '../../errors.ts';
import type { GuardInputs } from '../../inputs/inputs.ts';
import { pageAddress } from '../../inputs/values.ts';
import { plainLine } from '../../text/escape.ts';
import type { GuardGround } from './guard.ts';

const MAX_LIST_BYTES = 1024 * 1024;

/** The pages that an export must have: addresses, and patterns of which each must fit one page at least. */
export class RequiredPages {
  readonly #addresses: readonly string[];

  /** Throws `config` where the file is not there, or is no list of addresses. */
  static async read(required: NonNullable<GuardInputs['requiredPages']>, run: CiRun): Promise<RequiredPages> {
    return new RequiredPages('pages' in required ? required.pages : await readList(required.file, run));
  }

  private constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** Files that are no pages count too: a site may need its `/sitemap.xml`. */
  missingIn({ pages, files }: ComparedSite): NonNullable<GuardGround['missing']> {
    const all = [...pages.keys(), ...[...files.keys()].map((path) => `/${path}`)];
    const there = new Set(all);
    const missing = this.#addresses.filter((address) => {
      if (there.has(plain(address))) return false;
      if (!/[*?[{]/.test(address)) return true;
      const fits = picomatch(address, { dot: true });
      return !all.some((one) => fits(one));
    });
    return { of: this.#addresses.length, pages: missing };
  }
}

async function readList(path: string, run: CiRun): Promise<readonly string[]> {
  const folder =
    run.kind === 'local' ? { name: 'disk', path: parse(path).root } : { name: 'workspace', path: run.workspace };
  const text = await readConfinedFile({ path, input: 'required-pages', folders: [folder], maxBytes: MAX_LIST_BYTES });
  if (text === undefined) throw refusal(`there is no file ${plainLine(path, 300)}`);
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  const wrong = lines.findIndex((line) => line !== '' && !pageAddress(line).ok);
  if (wrong >= 0) throw refusal(`line ${wrong + 1} is no address of a page: ${plainLine(lines[wrong] ?? '', 100)}`);
  const pages = lines.filter((line) => line !== '');
  if (pages.length === 0) throw refusal(`${plainLine(path, 300)} names no page`);
  return pages;
}

function refusal(problem: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `required-pages: ${problem}. Nothing was started.`,
    hint: 'Give addresses in the site, one a line, such as /guide/start or /api/**, or the path of a file of them.',
  });
}

/** As hosts serve it: `/guide/` and `/guide/index.html` are `/guide`. */
function plain(address: string): string {
  const bare = decodeLoosely(address)
    .replace(/\.x?html?$/i, '')
    .replace(/\/index$/i, '/');
  return bare.length > 1 ? bare.replace(/\/+$/, '') || '/' : bare;
}

function decodeLoosely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
