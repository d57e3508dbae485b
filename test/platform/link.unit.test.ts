import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import { exportBundle, readInstant } from '../../src/platform/contract.ts';
import { openExport } from '../../src/platform/export-api.ts';
import { CheckedLinks, checkBundleUrl, linkPolicy, linkSecrets } from '../../src/platform/link.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const CLOUD = linkPolicy('https://api.docs.example.com');
const LOCAL = linkPolicy('http://127.0.0.1:4000');
const NOW = Date.parse('2026-01-01T00:00:00Z');
const GOOD =
  'https://storage.example.com/bundles/a.tar.gz?X-Amz-Expires=3600&X-Amz-Signature=0123456789abcdef';

const accepts = (url: string, policy = CLOUD) => {
  try {
    return checkBundleUrl(url, policy) === url;
  } catch (error) {
    if (error instanceof CourierError && error.code === 'protocol') return false;
    throw error;
  }
};

describe('a bundle link', () => {
  it.each([
    GOOD,
    'https://s.example/a',
    'https://s.example:9000/a/b?x=1',
    'https://s.example/a%20b?a=b%3D&c=',
    'https://s.example/docs(1)/a(b).tar.gz?x=1',
  ])('The bundle link %s is accepted', (url) => {
    expect(accepts(url)).toBe(true);
  });

  it.each([
    ['http', 'http://storage.example.com/a'],
    ['a user name', 'https://a:b@storage.example.com/a'],
    ['an address', 'https://10.0.0.8/a'],
    ['an address in another notation', 'https://0x7f.1/a'],
    ['a decimal address', 'https://2130706433/a'],
    ['an IPv6 address', 'https://[fe80::1]/a'],
    ['the metadata service', 'https://169.254.169.254/latest'],
    ['loopback', 'https://localhost/a'],
    ['loopback, its name with the dot of the root', 'https://localhost./a'],
    ['another scheme', 'javascript:alert(1)'],
    ['9 KiB', `https://s.example/${'a'.repeat(9000)}`],
    ['a line end', 'https://s.example/a\n?x=1'],
    ['a tab', 'https://s.ex\tample/a'],
    ['a command substitution', 'https://s.example/$(id)'],
    ['a backtick', 'https://s.example/`id`'],
    ['a quote', "https://s.example/a'b"],
    ['a double quote', 'https://s.example/a"b'],
    ['a semicolon', 'https://s.example/a;id'],
    ['a pipe', 'https://s.example/a|id'],
    ['a space', 'https://s.example/a b'],
    ['a comma', 'https://s.example/a,b'],
    ['a bare word between ampersands', 'https://s.example/?a&./d.sh&env'],
    ['an ampersand before the query', 'https://s.example/a&b?x=1'],
    ['an equals sign before the query', 'https://s.example/a=b?x=1'],
    ['a round bracket in the query', 'https://s.example/a?x=(1)'],
    ['a round bracket in the host', 'https://s(1).example/a?x=1'],
    ['a square bracket in the path', 'https://s.example/a[1-9].tar.gz?x=1'],
    ['a fragment', 'https://s.example/a?x=1#y'],
    ['a backslash', 'https://s.example\\@evil.example/a'],
  ])('A bundle link with %s is refused', (_, url) => {
    expect(accepts(url)).toBe(false);
    expect(accepts(url, LOCAL)).toBe(/^https:\/\/(10\.|localhost|169|0x7f|2130)/.test(url));
  });

  it.each([
    ['https://s.example/a[1].tar.gz?x=1', '"["'],
    ['https://s.example/docs.tar.gz?X-Policy=*&Signature=x', '"*"'],
    ['https://s.example/docs.tar.gz?headers=host;date&sig=x', '";"'],
    ['https://s.example/docs.tar.gz?name=docs,v2.tar.gz', '","'],
    ['https://s.example/docs.tar.gz?name=a(1)', '"("'],
    ['https://s.example/docs.tar.gz?name=a?(1)', '"("'],
    ["https://s.example/it's.tar.gz?x=1", `"'"`],
    ['https://s.example/a b.tar.gz?x=1', 'U+0020'],
    ['https://s.example/a.tar.gz?x=1\n', 'U+000A'],
    ['https://s.example/München.tar.gz', 'U+00FC'],
  ])(
    'The refusal of the link %j names the character %s, and nothing else of the link',
    (url, character) => {
      const message = `The bundle link that the platform gave contains the character ${character}, `;
      expect(() => checkBundleUrl(url, CLOUD)).toThrow(message);
      expect(() => checkBundleUrl(url, CLOUD)).not.toThrow('s.example');
    },
  );

  it('A link whose characters are all encoded is taken as it came', () => {
    const url = 'https://s.example/docs.tar.gz?headers=host%3Bdate&policy=%2A&name=a%281%29';
    expect(checkBundleUrl(url, CLOUD)).toBe(url);
  });

  it('A bundle link may use http and loopback only if the platform does', () => {
    expect(accepts('http://127.0.0.1:4000/storage/a?x=1')).toBe(false);
    expect(accepts('http://127.0.0.1:4000/storage/a?x=1', LOCAL)).toBe(true);
    expect(accepts('http://storage.example.com/a', LOCAL)).toBe(false);
    expect(accepts('https://10.0.0.8/a', linkPolicy('https://10.0.0.7'))).toBe(true);
  });

  it.each([
    ['https://api.docs.example.com', false],
    ['https://8.8.8.8', false],
    ['https://[2606:4700::1111]', false],
    ['https://10.0.0.7', true],
    ['https://[fd00::7]', true],
    ['http://localhost:4000', true],
  ])(
    'For the platform at %s, whether a link may lead to a private address is %s',
    (baseUrl, isAllowed) => {
      expect(linkPolicy(baseUrl).allowPrivateHosts).toBe(isAllowed);
      expect(linkPolicy(baseUrl, true).allowPrivateHosts).toBe(true);
    },
  );

  it('A bundle link is refused or unchanged, and only & and ? of it, and round brackets in the path, are special to a shell', () => {
    const url = fc
      .string({ unit: fc.constantFrom(...'abc/?&=:@%.~-_+$`\'"; |\n\t\\#,<>()'), maxLength: 60 })
      .map((rest) => `https://s.example/${rest}`);
    const plain = /^https:\/\/s\.example\/[A-Za-z0-9\-._~/%+:@()]*(\?[A-Za-z0-9\-._~/%?&=+:@]*)?$/;
    fc.assert(fc.property(url, (text) => !accepts(text) || plain.test(text)));
  });

  it('A bundle link is never in the error', () => {
    expect(() => checkBundleUrl('http://s.example/?sig=canary', CLOUD)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('canary') }),
    );
  });

  it('A bundle link is masked as a whole and in its parts', () => {
    expect(linkSecrets(GOOD)).toEqual([GOOD, GOOD.split('?')[1], '0123456789abcdef']);
  });

  it.each([
    'auth=k7Gq2mZp',
    'hdnts=exp=1~acl=/*~hmac=9f8e7d6c',
    'code=k7Gq2mZp',
    'password=k7Gq2mZp',
    'verify=12345678-aB',
  ])('The value of a short query parameter is masked too: %s', (pair) => {
    const value = pair.slice(pair.indexOf('=') + 1);
    expect(linkSecrets(`https://s.example/a.tar.gz?size=12&${pair}&x=1`)).toContain(value);
  });

  const S3 =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20261129%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261129T091500Z&X-Amz-Expires=21600&X-Amz-SignedHeaders=content-type%3Bhost&response-content-disposition=attachment%3B%20filename%3Dbundle.tar.gz';
  it.each([
    ['S3', `${S3}&X-Amz-Signature=f00dcafe01234567`, ['f00dcafe01234567']],
    ['S3 with a session', `${S3}&X-Amz-Security-Token=IQoJb3Jp%2Bx01`, ['IQoJb3Jp+x01']],
    [
      'MinIO',
      'X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256&X-Amz-Date=20261129T091500Z&versionId=null&X-Amz-Signature=aabbccdd00112233',
      ['aabbccdd00112233'],
    ],
    [
      'GCS',
      'X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20261129T091500Z&generation=1732871700000000&X-Goog-SignedHeaders=host&X-Goog-Signature=00112233aabbccdd',
      ['00112233aabbccdd'],
    ],
    [
      'Azure',
      'sv=2024-11-04&st=2026-11-29T07%3A15%3A27Z&se=2026-11-29T13%3A15%3A27.000Z&spr=https&rsct=application%2Fgzip&rscd=attachment%3B%20filename%3D%22bundle.tar.gz%22&sr=b&sp=r&sig=k7Gq2mZp%2FaB%3D',
      ['k7Gq2mZp/aB='],
    ],
    [
      'CloudFront',
      'Expires=1796000000&Policy=eyJTdGF0ZW1lbnQi&Signature=aB3~dE5-fG7&Key-Pair-Id=K2JCJMDEHXQW5F',
      ['eyJTdGF0ZW1lbnQi', 'aB3~dE5-fG7', 'K2JCJMDEHXQW5F'],
    ],
    [
      'Alibaba',
      'x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20261129T091500Z&x-oss-additional-headers=content-encoding%3Bhost&x-oss-expires=86400000&x-oss-signature=0a1b2c3d4e5f6071',
      ['0a1b2c3d4e5f6071'],
    ],
    [
      'Tencent',
      'q-sign-algorithm=sha1&q-sign-time=1796000000%3B1796021600&q-key-time=1796000000%3B1796021600&q-header-list=content-length%3Bhost&q-signature=bfbfbfbf01010101',
      ['bfbfbfbf01010101'],
    ],
    ['Swift', 'temp_url_expires=2026-11-29T13:15:27Z&temp_url_sig=732fcac3', ['732fcac3']],
    ['a CDN with a host', 'host=d111111abcdef8.cloudfront.net&token=732fcac3', ['732fcac3']],
    [
      'a CDN that names the site',
      'site=docs.example.com&job=exp_0123456789abcdef0123&project=proj_0123456789abcdef&hdnts=exp=1~hmac=9f8e7d6c',
      ['exp=1~hmac=9f8e7d6c'],
    ],
  ])('Of a link of %s, only what makes it usable is masked', (_what, query, wanted) => {
    const url = `https://files.example.com/bundle.tar.gz?${query}`;
    const open = ['exp_0123456789abcdef0123', 'docs.example.com', 'proj_0123456789abcdef'];
    const secrets = linkSecrets(url, open).filter((part) => part !== url && part !== query);
    expect(secrets).toEqual(expect.arrayContaining(wanted));
    const credential = 'AKIAIOSFODNN7EXAMPLE/20261129/us-east-1/s3/aws4_request';
    const decoded = secrets.map((part) => decodeURIComponent(part));
    expect(decoded.filter((part) => !wanted.includes(part) && part !== credential)).toEqual([]);
  });

  it('Every query value of 16 characters or more that cannot be read is masked, encoded and decoded', () => {
    const secrets = linkSecrets(
      'https://s.example/a.tar.gz?z=0123456789%2Babcdef&short=0123456789',
    );
    expect(secrets).toEqual(expect.arrayContaining(['0123456789%2Babcdef', '0123456789+abcdef']));
    expect(secrets).not.toContain('0123456789');
  });
});

describe('a timestamp of unknown format', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.123456+02:00', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01 12:00:00+0200', '2026-03-01T10:00:00.000Z'],
    [1772366400, '2026-03-01T12:00:00.000Z'],
    [1772366400000, '2026-03-01T12:00:00.000Z'],
    ['1772366400', '2026-03-01T12:00:00.000Z'],
    ['1772366400.5', '2026-03-01T12:00:00.500Z'],
    ['1772366400250.75', '2026-03-01T12:00:00.250Z'],
    [1772366400.125, '2026-03-01T12:00:00.125Z'],
    ['2026-03-01T12:00Z', '2026-03-01T12:00:00.000Z'],
  ])('The timestamp %j is %s', (raw, iso) => {
    expect(readInstant(raw)?.toISOString()).toBe(iso);
  });

  it.each([
    '9999-12-31T23:59:59-23:59',
    '2026-03-01T12:00:00',
    '2026-03-01',
    'tomorrow',
    '',
    '12.5',
    '1772366400.',
    '20260301.120000',
    12,
    -1,
    Number.NaN,
    null,
    {},
    [],
    true,
    '2026-13-45T99:00:00Z',
    '2026-02-30T00:00:00Z',
    'Mon, 30 Feb 2026 00:00:00 GMT',
  ])('The value %j is not a timestamp', (raw) => {
    expect(readInstant(raw)).toBeUndefined();
  });
});

/**
 * A platform with bundles that expire after these numbers of seconds in turn, and with a clock that
 * is off by `skewMs`.
 */
function makeMaker(lifetimes: readonly (number | undefined)[], { skewMs = 0, extra = {} } = {}) {
  const clock = fakeClock({ now: NOW });
  const log = recordingLog();
  let calls = 0;
  const never = () => Promise.reject(new Error('not asked for in this test'));
  const platform: PlatformClient = {
    startExport: never,
    getExportJob: never,
    startUpdate: never,
    getUpdateStatus: never,
    getAgentJob: never,
    createAgentJob: never,
    sendAgentMessage: never,
    search: never,
    async createBundle() {
      const life = lifetimes[Math.min(calls, lifetimes.length - 1)];
      calls += 1;
      const expiresAt =
        life === undefined ? undefined : new Date(NOW + skewMs + life * 1000).toISOString();
      const value = exportBundle.parse({ bundleUrl: `${GOOD}${calls}`, expiresAt, ...extra });
      return { value, serverTimeMs: clock.now() + skewMs };
    },
  };
  const maker = new CheckedLinks({
    api: openExport({ platform, source: { domain: 'd', projectId: undefined } }),
    jobId: 'j',
    baseUrl: 'https://api.docs.example.com',
    clock,
    log,
    signal: new AbortController().signal,
  });
  return { maker, log, calls: () => calls };
}

describe('making links', () => {
  it('A link is masked before it is passed on', async () => {
    const { maker, log } = makeMaker([3600]);
    const link = await maker.fresh();
    expect(log.masks).toContain(link.url);
    expect(link.expiresAt?.getTime()).toBe(NOW + 3_600_000);
  });

  it('Another link is created if the first has expired or expires too soon', async () => {
    const { maker, calls } = makeMaker([-5, 30, 3600]);
    expect((await maker.fresh()).expiresAt?.getTime()).toBe(NOW + 3_600_000);
    expect(calls()).toBe(3);
  });

  it('Another link is created if the first expires before a slow download of that size would end', async () => {
    const size = { extra: { sizeBytes: 600 * 1024 ** 2 } };
    const short = makeMaker([650, 3600], size);
    await short.maker.fresh();
    expect(short.calls()).toBe(2);
    const long = makeMaker([670, 3600], size);
    await long.maker.fresh();
    expect(long.calls()).toBe(1);
  });

  it('A run creates at most three links', async () => {
    const { maker, calls } = makeMaker([-5]);
    await expect(maker.fresh()).rejects.toMatchObject({ code: 'protocol' });
    expect(calls()).toBe(3);
    await expect(maker.fresh()).rejects.toMatchObject({ code: 'protocol' });
    expect(calls()).toBe(3);
  });

  it('A short-lived link is used with a warning if there is no better one', async () => {
    const { maker, log } = makeMaker([30]);
    await maker.fresh();
    expect(log.text('warning')).toContain('expires in 30 s');
  });

  it('A link without a readable expiry is used with a warning', async () => {
    const { maker, log } = makeMaker([undefined]);
    expect((await maker.fresh()).expiresAt).toBeUndefined();
    expect(log.text('warning')).toContain('expires-at stays empty');
  });

  it("The platform's clock counts if the local one is wrong", async () => {
    const { maker, log, calls } = makeMaker([120], { skewMs: -15 * 60_000 });
    await maker.fresh();
    expect(calls()).toBe(1);
    expect(log.text('warning')).toContain('differs from the platform');
  });

  it.each([0, -5, 1.5, 1e15, '12'])('A size of %s is ignored with a warning', async (sizeBytes) => {
    const { maker, log } = makeMaker([3600], { extra: { sizeBytes } });
    expect((await maker.fresh()).sizeBytes).toBeUndefined();
    expect(log.text('warning')).toContain('is ignored');
  });
});
