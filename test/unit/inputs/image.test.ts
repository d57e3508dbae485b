import { expect, test } from 'vitest';
import { image } from '../../../src/inputs/parse-image.ts';
import { readInputs } from '../../../src/inputs/read.ts';

test.each([
  ['ghcr.io/acme/docs:latest', { registry: 'ghcr.io', repository: 'acme/docs', tag: 'latest' }],
  ['localhost:5000/docs:v1.2_3-4', { registry: 'localhost:5000', repository: 'docs', tag: 'v1.2_3-4' }],
  ['GHCR.io/acme/docs__a/b.c:1', { registry: 'ghcr.io', repository: 'acme/docs__a/b.c', tag: '1' }],
  ['[::1]:5000/docs:x', { registry: '[::1]:5000', repository: 'docs', tag: 'x' }],
])('The image %s is accepted', (text, expected) => {
  expect(image(text)).toEqual({ ok: true, value: { scheme: 'image', ...expected } });
});

test.each([
  ['https://ghcr.io/acme/docs:latest', 'without a scheme'],
  ['docker://ghcr.io/acme/docs:latest', 'without a scheme'],
  ['courier:secret@ghcr.io/acme/docs:latest', 'log in before this step'],
  [`ghcr.io/acme/docs@sha256:${'a'.repeat(64)}`, 'with a tag instead of a digest'],
  [`ghcr.io/acme/docs:latest@sha256:${'a'.repeat(64)}`, 'with a tag instead of a digest'],
  ['ghcr.io/Acme/docs:latest', 'write ghcr.io/acme/docs:latest'],
  ['ghcr.io/acme/docs', 'the tag is missing'],
  ['localhost:5000/docs', 'the tag is missing'],
  ['acme/docs:latest', 'with the host name of the registry first'],
  ['docs:latest', 'with the host name of the registry first'],
  ['ghcr.io/acme//docs:latest', 'a part of REPOSITORY'],
  ['ghcr.io/acme/../docs:latest', 'a part of REPOSITORY'],
  ['ghcr.io/acme/docs:', 'TAG has at most'],
  ['ghcr.io/acme/docs:.latest', 'TAG has at most'],
  [`ghcr.io/acme/docs:${'a'.repeat(123)}`, 'TAG has at most'],
  ['ghcr.io/acme/docs:latest.state', 'does not end with .state'],
  ['ghcr.io/acme/docs:a b', 'REGISTRY/REPOSITORY:TAG'],
  ['ghcr.io/acme/docs?x=1:a', 'REGISTRY/REPOSITORY:TAG'],
])('The image %s is refused and the message says why', (text, why) => {
  const parsed = image(text);
  expect(parsed.ok ? 'accepted' : parsed.allowed).toContain(why);
});

test('A refresh with an image is refused, and the message says that an image does not expire', () => {
  const given: Readonly<Record<string, string>> = {
    mode: 'refresh',
    'base-url': 'https://api.docs.example.com',
    'admin-api-key': 'svc_canary-admin-key',
    to: 'file:link.txt',
    image: 'ghcr.io/acme/docs:latest',
  };
  const source = { value: (name: string) => given[name] ?? '', unknownNames: () => [] };
  const read = () => readInputs(source, { repository: 'acme/docs', workspace: '/workspace' });
  expect(read).toThrow('image: a refresh needs no image, since an image does not expire; remove it');
});
