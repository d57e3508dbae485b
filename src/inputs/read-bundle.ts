import type { BundleInputs } from './inputs.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import * as values from './values.ts';

export function readBundle(reader: InputReader, destination: ReadDestination): BundleInputs {
  const path = values.pathBelow(destination.workspace);
  const bundle = {
    bundlePath: reader.optional('bundle-path', path),
    extractTo: reader.optional('extract-to', path),
    clean: reader.required('clean', values.boolean) ?? false,
    verify: reader.required('verify', values.oneOf(['off', 'report', 'strict', 'air-gapped'])) ?? 'report',
    allowPrivateHosts: reader.required('allow-private-hosts', values.boolean) ?? false,
  };
  if (!reader.isGiven('extract-to')) {
    reader.forbid(['verify'], 'is read only together with extract-to');
    if (!reader.isGiven('bundle-path'))
      reader.forbid(['clean'], 'is read only together with extract-to or bundle-path');
  }
  return bundle;
}
