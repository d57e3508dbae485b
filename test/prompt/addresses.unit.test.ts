import { expect, test } from 'vitest';
import { hideCredentials } from '../../src/ground/text/hide-credentials.ts';
import { imageAddress } from '../../src/prompt/shown/addresses.ts';
import { readShown } from '../../src/prompt/shown/read.ts';
import { readMarkdown } from '../support/shown.ts';

const ID = '0b2f1c9e-7a51-4c55-9d3c-1f2e3d4c5b6a';
const PRIVATE = `https://private-user-images.githubusercontent.com/1/2-${ID}.png?jwt=eyJhbGciOiJIUzI1NiJ9.e30.x`;
const ATTACHMENT = `https://github.com/user-attachments/assets/${ID}`;

test.each([
  ['of an attachment of a private repository', `![a](${ATTACHMENT})`, `![](${ATTACHMENT})`],
  ['through the proxy', '![a](https://a.example/b.png)', '![](https://a.example/b.png)'],
  [
    'in a link',
    `[![a](${ATTACHMENT})](https://a.example/c)`,
    `[![](${ATTACHMENT})](https://a.example/c)`,
  ],
  ['in HTML', `<img src="${ATTACHMENT}" alt="x">`, `![](${ATTACHMENT})`],
])('Of an image the original address is sent: %s', (_name, body, text) => {
  expect(readMarkdown(body).text).toBe(text);
});

test.each([
  ['the source has it', `see <img src=${ATTACHMENT}>`, ATTACHMENT],
  ['the source has it with a query', `![](${ATTACHMENT}?raw=1)`, ATTACHMENT],
  ['the source does not have it', 'no image', undefined],
  ['the source has the address of the host', PRIVATE, PRIVATE.replace(/\?.*/, '')],
])('Of an address with a token, the query is never sent: %s', (_name, body, address) => {
  expect(imageAddress({ src: PRIVATE }, body)).toBe(address);
});

test.each([
  PRIVATE,
  `${ATTACHMENT}?jwt=short`,
  'https://camo.githubusercontent.com/0a1b/2c3d?token=1',
  'https://user-images.githubusercontent.com/1/2.png?x=1#y',
])('Wherever the address %s is written, its query is hidden', (address) => {
  expect(hideCredentials(`see ${address} here`)).toBe(
    `see ${address.replace(/\?.*/, '[credential removed]')} here`,
  );
});

test('A film has its address, and a picture that GitHub has drawn has none', () => {
  const html = `<video src="${PRIVATE}" class="d-block"></video><img class="emoji" alt=":shipit:" src="https://github.githubassets.com/x.png">`;
  expect(readShown({ body: ATTACHMENT, html }).text).toBe(`![](${ATTACHMENT}):shipit:`);
});
