import { expect, test } from 'vitest';
import { checkPreviewUrl } from '../../../src/publish/update/preview-address.ts';
import { makeUpdateInputs } from '../../support/make-inputs.ts';

const PUBLIC = makeUpdateInputs({ baseUrl: 'https://api.docs.example.com' });

test.each([
  'https://acme-docs-new.preview.example.com',
  'https://preview.example.com/a-b_c/?v=1&x=2',
])('The address %s of a preview is passed on as it came', (address) => {
  expect(checkPreviewUrl(address, PUBLIC)).toBe(address);
});

test.each([
  'http://127.0.0.1:8080/',
  'https://localhost/',
  'https://10.0.0.7/',
  'https://93.184.216.34/',
])('The address %s of a preview is an error if base-url is public', (address) => {
  expect(() => checkPreviewUrl(address, PUBLIC)).toThrow(
    expect.objectContaining({ code: 'protocol' }),
  );
});

test('An IP address of a preview is accepted with allow-private-hosts, and never without https', () => {
  const inside = { ...PUBLIC, allowPrivateHosts: true };
  expect(checkPreviewUrl('https://10.0.0.7/', inside)).toBe('https://10.0.0.7/');
  expect(() => checkPreviewUrl('http://10.0.0.7/', inside)).toThrow('is not https');
});
