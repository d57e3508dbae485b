import { describe, expect, it } from 'vitest';
import { certificateAdvice } from '../../src/http/certificates.ts';
import { isTlsFailure, isUnreachable, systemCodes } from '../../src/http/codes.ts';

const coded = (code: string, options?: ErrorOptions) =>
  Object.assign(new Error('no text is read', options), { code });

describe('the system codes of an error', () => {
  it('System codes are found in causes and in the members of an AggregateError, at any depth', () => {
    const both = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]);
    const outer = coded('ERR_OUTER', { cause: new Error('between', { cause: both }) });
    expect(systemCodes(outer)).toEqual(['ERR_OUTER', 'ECONNREFUSED', 'ENETUNREACH']);
  });

  it('A value that is not an error has no system codes, and circular causes end', () => {
    expect(systemCodes('ECONNREFUSED')).toEqual([]);
    expect(systemCodes({ code: 'ECONNREFUSED' })).toEqual([]);
    const circle = coded('EPIPE');
    circle.cause = circle;
    expect(new Set(systemCodes(circle))).toEqual(new Set(['EPIPE']));
  });

  it.each([
    ['ECONNREFUSED', true, false],
    ['ENOTFOUND', true, false],
    ['EAI_AGAIN', true, false],
    ['ECONNRESET', false, false],
    ['CERT_HAS_EXPIRED', false, true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false, true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, true],
  ])('The code %s means: never connected %s, certificate problem %s', (code, unreachable, tls) => {
    expect([isUnreachable(code), isTlsFailure([code])]).toEqual([unreachable, tls]);
  });
});

it.each([
  ['CERT_HAS_EXPIRED', 'has expired: who runs it has to renew it'],
  ['CERT_NOT_YET_VALID', 'the clock of this machine is behind'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'is for another name. Write the name of the certificate in base-url',
  ],
  ['CERT_REVOKED', 'was revoked'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'may require a client certificate'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'offers only versions of TLS'],
  ['ERR_SSL_DH_KEY_TOO_SMALL', 'offers only versions of TLS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'For a private authority set NODE_EXTRA_CA_CERTS.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'For a private authority set NODE_EXTRA_CA_CERTS.'],
])('The advice about the code %s names its cause: %s', (code, words) => {
  const at = {
    host: 'api.example.com',
    addressSetting: 'base-url',
    trust: 'set NODE_EXTRA_CA_CERTS',
  };
  const advice = certificateAdvice([code], at);
  expect(advice).toContain(words);
  expect(advice).toMatch(
    /^(The certificate of )?api\.example\.com .*Checking is never switched off\.$/,
  );
});
