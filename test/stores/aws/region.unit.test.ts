import { describe, expect, test } from 'vitest';
import { endpointOf, partitionOf, regionOf } from '../../../src/stores/aws/request.ts';

test.each([
  ['eu-central-1', 'aws', 'https://secretsmanager.eu-central-1.amazonaws.com'],
  ['cn-north-1', 'aws-cn', 'https://secretsmanager.cn-north-1.amazonaws.com.cn'],
  ['us-gov-west-1', 'aws-us-gov', 'https://secretsmanager.us-gov-west-1.amazonaws.com'],
  ['eusc-de-east-1', 'aws-eusc', 'https://secretsmanager.eusc-de-east-1.amazonaws.eu'],
  ['us-iso-east-1', 'aws-iso', 'https://secretsmanager.us-iso-east-1.c2s.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'https://secretsmanager.us-isob-east-1.sc2s.sgov.gov'],
  ['us-isof-south-1', 'aws-iso-f', 'https://secretsmanager.us-isof-south-1.csp.hci.ic.gov'],
  ['eu-isoe-west-1', 'aws-iso-e', 'https://secretsmanager.eu-isoe-west-1.cloud.adc-e.uk'],
])('The region %s belongs to the partition %s', (region, partition, address) => {
  expect([partitionOf(region).id, endpointOf('secretsmanager', region, {})]).toEqual([
    partition,
    address,
  ]);
});

describe('the address of a service', () => {
  const of = (env: Readonly<Record<string, string>>) => endpointOf('ssm', 'us-gov-west-1', env);

  test('The address of a service is what the variables of the SDKs say', () => {
    expect(of({ AWS_USE_FIPS_ENDPOINT: 'true' })).toBe(
      'https://ssm-fips.us-gov-west-1.amazonaws.com',
    );
    const both = {
      AWS_ENDPOINT_URL: 'https://aws.example.com/',
      AWS_ENDPOINT_URL_SSM: 'https://ssm.example.com',
    };
    expect(of(both)).toBe('https://ssm.example.com');
    expect(of({ AWS_ENDPOINT_URL: both.AWS_ENDPOINT_URL })).toBe('https://aws.example.com');
    expect(of({ ...both, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' })).toContain('amazonaws.com');
    expect(of({ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' })).toBe('http://127.0.0.1:4566');
  });

  test.each(['http://aws.example.com', 'https://user:password@aws.example.com', 'nothing'])(
    'An unencrypted or password-bearing service address is refused: %s',
    (address) => {
      expect(() => of({ AWS_ENDPOINT_URL: address })).toThrow(
        expect.objectContaining({
          code: 'config',
          message: expect.not.stringContaining('password@'),
        }),
      );
    },
  );
});

const DOCS = { scheme: 'aws-sm', name: 'docs' } as const;

test('A region comes from the ARN, from the address, and from the environment, in this order', () => {
  const env = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' };
  const arn = 'arn:aws:secretsmanager:us-east-2:123456789012:secret:docs-abcdef';
  expect(regionOf({ scheme: 'aws-sm', name: arn, region: 'eu-central-1' }, env)).toBe('us-east-2');
  expect(regionOf({ ...DOCS, region: 'eu-central-1' }, env)).toBe('eu-central-1');
  expect(regionOf(DOCS, env)).toBe('eu-west-1');
  expect(regionOf(DOCS, { AWS_DEFAULT_REGION: 'eu-west-2' })).toBe('eu-west-2');
});

test.each([{}, { AWS_REGION: 'evil.example.com/' }, { AWS_REGION: 'Frankfurt' }])(
  'Without a valid region (%j) nothing is sent',
  (env) => {
    expect(() => regionOf(DOCS, env)).toThrow(
      expect.objectContaining({
        code: 'config',
        hint: expect.objectContaining({ inputs: { to: 'aws-sm:docs?region=REGION' } }),
      }),
    );
  },
);
