import type { Kind, PlainKind } from '../kind.ts';
import {
  type AwsAddress,
  formatAddress,
  PARAMETER_FORMS,
  parseAws,
  SECRET_FORMS,
} from './address.ts';
import type { AwsInputs } from './inputs.ts';

interface Credentials {
  readonly aws?: AwsInputs | undefined;
}

const aws: Kind<AwsAddress, Credentials> = {
  format: formatAddress,
  // The link and its state: no other link may use either of them.
  keys: (address) => [
    formatAddress(address),
    formatAddress({ ...address, name: `${address.name}_state` }),
  ],
  // Without the region if the run would use the same one.
  shorten: (address, context) => {
    const env = context.run?.env;
    const runRegion = env?.['AWS_REGION'] || env?.['AWS_DEFAULT_REGION'];
    if (address.region !== runRegion?.trim()) return address;
    return { ...address, region: undefined };
  },
  open: async (address, opening) => {
    const { AwsStore } = await import('./store.ts');
    return new AwsStore({
      ...opening,
      address,
      role: opening.credentials.aws?.role,
      idToken: (audience) => opening.idToken('aws', audience),
      env: opening.run.env,
    });
  },
};

export const secretsManager: PlainKind<AwsAddress, Credentials> = {
  ...aws,
  forms: SECRET_FORMS,
  queries: ['region'],
  parse: (parts) => parseAws('aws-sm', parts, SECRET_FORMS),
};

export const parameterStore: PlainKind<AwsAddress, Credentials> = {
  ...aws,
  forms: PARAMETER_FORMS,
  queries: ['region'],
  parse: (parts) => parseAws('aws-ssm', parts, PARAMETER_FORMS),
};
