import { resolve } from 'node:path';
import { whyNotInContainer } from '../../ground/text/paths.ts';
import type { PlainKind } from '../kind.ts';
import { FILE_FORMS, type FileAddress, formatAddress, parseFile, STATE_SUFFIX } from './address.ts';

export const file: PlainKind<FileAddress> = {
  forms: FILE_FORMS,
  queries: [],
  parse: parseFile,
  format: formatAddress,
  keys: (address) => [formatAddress(address), `${formatAddress(address)}${STATE_SUFFIX}`],
  shorten: (address, context) => ({
    ...address,
    path: resolve(context.workspace, address.path),
  }),
  whyNot: (address, context) => {
    const mustBe = whyNotInContainer(address.path, context.workspace);
    return mustBe && `must be ${mustBe}`;
  },
  files: (address) => [address.path, `${address.path}${STATE_SUFFIX}`],
  open: async (address, opening) => {
    const { FileStore } = await import('./store.ts');
    return new FileStore(address.path, opening.run.workspace);
  },
};
