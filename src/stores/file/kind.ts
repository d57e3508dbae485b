import { resolve } from 'node:path';
import { whyNotInContainer } from '../../text/paths.ts';
import type { AddressForm, Kind } from '../kind.ts';
import { FILE_FORMS, type FileAddress, formatAddress, parseFile, STATE_SUFFIX } from './address.ts';

export const file: Kind<FileAddress> & AddressForm<FileAddress> = {
  forms: FILE_FORMS,
  queries: [],
  parse: parseFile,
  format: formatAddress,
  keys: (address) => [formatAddress(address), `${formatAddress(address)}${STATE_SUFFIX}`],
  shorten: ({ scheme, path }, { workspace }) => ({ scheme, path: resolve(workspace, path) }),
  whyNot: ({ path }, { workspace }) => {
    const no = whyNotInContainer(path, workspace);
    return no && `must be ${no}`;
  },
  files: ({ path }) => [path, `${path}${STATE_SUFFIX}`],
  open: async ({ path }, { run }) => {
    const { FileStore } = await import('./store.ts');
    return new FileStore(path, run.workspace);
  },
};
