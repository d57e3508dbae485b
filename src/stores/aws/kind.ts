import type { AddressForm, Kind, Opening } from '../kind.ts';
import {
  type AwsAddress,
  formatAddress,
  PARAMETER_FORMS,
  parseAws,
  SECRET_FORMS,
} from './address.ts';
import type { AwsInputs } from './inputs.ts';

interface AwsOpening extends Opening {
  readonly credentials: { readonly aws?: AwsInputs | undefined };
}

const aws: Kind<AwsAddress, AwsOpening> = {
  format: formatAddress,
  keys: (address) => [
    formatAddress(address),
    formatAddress({ ...address, name: `${address.name}_state` }),
  ],
  shorten: (address, { run }) => {
    const own = run?.env['AWS_REGION'] || run?.env['AWS_DEFAULT_REGION'];
    return address.region === own?.trim() ? { ...address, region: undefined } : address;
  },
  open: async (address, { credentials, idToken, run, http, clock, log }) => {
    const { AwsStore } = await import('./store.ts');
    return new AwsStore({
      address,
      credentials: credentials.aws ?? { role: undefined },
      idToken: (audience) => idToken('aws', audience),
      env: run.env,
      http,
      clock,
      mask: (secret) => log.mask(secret),
      warn: (text) => log.warning(text),
    });
  },
};

export const secretsManager: typeof aws & AddressForm<AwsAddress> = {
  ...aws,
  forms: SECRET_FORMS,
  queries: ['region'],
  parse: (parts, forms) => parseAws('aws-sm', parts, forms),
};

export const parameterStore: typeof aws & AddressForm<AwsAddress> = {
  ...aws,
  forms: PARAMETER_FORMS,
  queries: ['region'],
  parse: (parts, forms) => parseAws('aws-ssm', parts, forms),
};
