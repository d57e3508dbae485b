import { resolve } from 'node:path';
import type { Address } from '../stores/kinds.ts';
import { type InputReader, RESULT_FILES } from '../values/reader.ts';

/** A file that a run writes, apart from the bundle. */
export interface OutputFile {
  /** The input or flag that names it. */
  readonly input: string;
  /** Absolute. */
  readonly path: string;
}

/** The links and states in files, and the files of results that the command line was asked for. */
export function readOutputFiles(
  reader: InputReader,
  addresses: readonly Address[],
  workspace: string,
): readonly OutputFile[] {
  const links = addresses.flatMap((address) => {
    const [input, plain] = address.scheme === 'command' ? ['state', address.state] : ['to', address];
    if (plain.scheme !== 'file') return [];
    const state = { input, path: `${plain.path}.state.json` };
    return input === 'state' ? [state] : [{ input, path: plain.path }, state];
  });
  const results = RESULT_FILES.map((input) => ({ input, path: reader.text(input) })).filter(({ path }) => path !== '');
  return [...links, ...results.map(({ input, path }) => ({ input, path: resolve(workspace, path) }))];
}
