import { expect, test } from 'vitest';
import { signedHeaders } from '../../../src/stores/aws/request.ts';

// Requests and signatures that AWS publishes: awslabs/aws-c-auth,
// tests/aws-signing-test-suite/v4/<name>/header-signed-request.txt, with the keys, the region and
// the time from its context.json.
const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
  expiresAtMs: undefined,
};
const AT = Date.parse('2015-08-30T12:36:00Z');
const STS_TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

test.each([
  {
    name: 'post-vanilla',
    signed: 'host;x-amz-date',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-sts-header-before',
    token: STS_TOKEN,
    signed: 'host;x-amz-date;x-amz-security-token',
    signature: '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  },
  {
    name: 'post-x-www-form-urlencoded',
    headers: {
      'content-length': '13',
      'content-type': 'application/x-www-form-urlencoded',
      'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
    },
    body: 'Param1=value1',
    signed: 'content-length;content-type;host;x-amz-content-sha256;x-amz-date',
    signature: 'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
  },
])('The request $name is signed as AWS signs it', async (vector) => {
  const { headers = {}, body = '', token, signed, signature } = vector;
  const url = new URL('https://example.amazonaws.com/');
  const request = { method: 'POST', url, headers, body, service: 'service', region: 'us-east-1' };
  const found = await signedHeaders(request, { ...KEYS, sessionToken: token }, AT);
  expect(found['x-amz-date']).toBe('20150830T123600Z');
  expect(found['x-amz-security-token']).toBe(token);
  expect(found['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${signed}, Signature=${signature}`,
  );
});
