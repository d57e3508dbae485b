import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPrivateAddress, literalRefusal, PRIVATE_ADDRESS, publicLookup } from '../../../src/http/hosts.ts';

describe('a private address', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2'.replace('3fff:fdd2', 'f5ff:fffe'),
    'not an address',
  ])('The address %s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '140.82.112.3',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
  ])('The address %s is not private', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

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
    new Promise((done) => lookup('storage.example.com', { all }, (error, found) => done(error ?? found)));

  it('The resolver returns the public addresses of a name, and refuses a name without any', async () => {
    const mixed = publicLookup(resolver('10.0.0.1', '1.1.1.1', '::1'));
    expect(await resolve(mixed, true)).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await resolve(mixed, false)).toBe('1.1.1.1');
    expect(await resolve(publicLookup(resolver('169.254.169.254', 'fd00::1')), true)).toMatchObject({
      code: PRIVATE_ADDRESS,
    });
  });

  it("The resolver passes on the system's error for a name that does not resolve", async () => {
    const failing: LookupFunction = (_, __, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    expect(await resolve(publicLookup(failing), true)).toMatchObject({ code: 'ENOTFOUND' });
  });
});
