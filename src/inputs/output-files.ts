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

/**
 * The files with links and their states, which say which export a link is of, and the files of
 * results that the command line was asked for.
 */
export function readOutputFiles(
  reader: InputReader,
  addresses: readonly Address[],
  workspace: string,
): readonly OutputFile[] {
  const outputFiles: OutputFile[] = [];
  for (const address of addresses) {
    // An image is pushed, and is not a file.
    if (address.scheme === 'image') continue;
    const isCommand = address.scheme === 'command';
    const files = kindOf(isCommand ? address.state : address).files();
    const input = isCommand ? 'state' : 'to';
    // A command gets the link, so of the two files only the second, the state, is written.
    const written = isCommand ? files.slice(1) : files;
    for (const path of written) outputFiles.push({ input, path });
  }
  for (const input of RESULT_FILES) {
    const path = reader.text(input);
    if (path !== '') outputFiles.push({ input, path: resolve(workspace, path) });
  }
  return outputFiles;
}
