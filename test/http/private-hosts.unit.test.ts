import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  isPrivateAddress,
  literalRefusal,
  PRIVATE_ADDRESS,
  publicLookup,
} from '../../src/http/hosts.ts';

describe('a private address', () => {
  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    'not an address',
  ])('The address %s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '140.82.112.3',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
  ])('The address %s is not private', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  // https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry,
  // with their first and last address, and the addresses right outside of them: undefined if
  // another range or the end of all addresses is there.
  it.each([
    ['this network', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
    ['private use', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['shared address space', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['private use', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['IETF protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['documentation (TEST-NET-1)', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['AS112-v4', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
    ['AMT', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
    ['6to4 relay anycast', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['private use', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    [
      'direct delegation AS112 service',
      '192.175.48.0',
      '192.175.48.255',
      '192.175.47.255',
      '192.175.49.0',
    ],
    ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    [
      'documentation (TEST-NET-2)',
      '198.51.100.0',
      '198.51.100.255',
      '198.51.99.255',
      '198.51.101.0',
    ],
    ['documentation (TEST-NET-3)', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
    ['reserved', '240.0.0.0', '255.255.255.255', undefined, undefined],
    [
      'local-use IPv4/IPv6 translation',
      '64:ff9b:1::',
      '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
      undefined,
      '64:ff9b:2::',
    ],
    ['discard-only', '100::', '100::ffff:ffff:ffff:ffff', 'ff:ffff::', undefined],
    ['dummy prefix', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff', undefined, '100:0:0:2::'],
    [
      'IETF protocol assignments',
      '2001::',
      '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
      '2000:ffff::',
      '2001:200::',
    ],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:ffff::', undefined, undefined],
    ['port control protocol anycast', '2001:1::1', '2001:1::3', undefined, undefined],
    ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['AMT', '2001:3::', '2001:3:ffff::', undefined, undefined],
    ['AS112-v6', '2001:4:112::', '2001:4:112:ffff::', undefined, undefined],
    ['ORCHID', '2001:10::', '2001:1f:ffff::', undefined, undefined],
    ['ORCHIDv2', '2001:20::', '2001:2f:ffff::', undefined, undefined],
    ['drone remote ID', '2001:30::', '2001:3f:ffff::', undefined, undefined],
    [
      'documentation',
      '2001:db8::',
      '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:db7:ffff::',
      '2001:db9::',
    ],
    [
      'direct delegation AS112 service',
      '2620:4f:8000::',
      '2620:4f:8000:ffff::',
      '2620:4f:7fff::',
      '2620:4f:8001::',
    ],
    ['documentation', '3fff::', '3fff:fff:ffff:ffff::', '3ffe:ffff::', '3fff:1000::'],
    ['segment routing SIDs', '5f00::', '5f00:ffff:ffff::', '5eff:ffff::', '5f01::'],
    ['unique local', 'fc00::', 'fdff:ffff::', 'fbff:ffff::', 'fe00::'],
    ['link-local', 'fe80::', 'febf:ffff::', 'fe7f:ffff::', undefined],
    ['former site-local', 'fec0::', 'feff:ffff::', undefined, undefined],
    ['multicast', 'ff00::', 'ffff:ffff::', undefined, undefined],
  ])(
    'The special-purpose range for %s, %s to %s, is private, and only it',
    (_, first, last, before, behind) => {
      expect(isPrivateAddress(first)).toBe(true);
      expect(isPrivateAddress(last)).toBe(true);
      for (const outside of [before, behind])
        if (outside !== undefined) expect(isPrivateAddress(outside)).toBe(false);
    },
  );

  it('A private address as the host of a URL is refused in every spelling', () => {
    for (const host of ['127.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:7f00:1]', '10.0.0.1']) {
      expect(literalRefusal(new URL(`https://${host}/a`))).toMatchObject({ code: PRIVATE_ADDRESS });
    }
    expect(literalRefusal(new URL('https://1.1.1.1/a'))).toBeUndefined();
    expect(literalRefusal(new URL('https://storage.example.com/a'))).toBeUndefined();
  });
});

describe('the resolver for addresses from outside', () => {
  const resolver =
    (...addresses: string[]): LookupFunction =>
    (_, __, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const resolve = (lookup: LookupFunction, all: boolean) =>
    new Promise((done) =>
      lookup('storage.example.com', { all }, (error, found) => done(error ?? found)),
    );

  it('The resolver returns the public addresses of a name, and refuses a name without any', async () => {
    const mixed = publicLookup(resolver('10.0.0.1', '1.1.1.1', '::1'));
    expect(await resolve(mixed, true)).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await resolve(mixed, false)).toBe('1.1.1.1');
    expect(await resolve(publicLookup(resolver('169.254.169.254', 'fd00::1')), true)).toMatchObject(
      {
        code: PRIVATE_ADDRESS,
      },
    );
  });

  it("The resolver passes on the system's error for a name that does not resolve", async () => {
    const failing: LookupFunction = (_, __, done) =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    expect(await resolve(publicLookup(failing), true)).toMatchObject({ code: 'ENOTFOUND' });
  });
});
