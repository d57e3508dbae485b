import { resolve } from 'node:path';
import { type Address, kindOf } from '../stores/kinds.ts';
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
  const links = addresses.flatMap((address): readonly OutputFile[] => {
    if (address.scheme === 'image') return [];
    if (address.scheme !== 'command') return filesOf('to', kindOf(address).files());
    // The command has the link, so only the state is in a file.
    const [, ...state] = kindOf(address.state).files();
    return filesOf('state', state);
  });
  const results = RESULT_FILES.map((input) => ({ input, path: reader.text(input) })).filter(
    ({ path }) => path !== '',
  );
  return [
    ...links,
    ...results.map(({ input, path }) => ({ input, path: resolve(workspace, path) })),
  ];
}

function filesOf(input: string, paths: readonly string[]): readonly OutputFile[] {
  return paths.map((path) => ({ input, path }));
}
