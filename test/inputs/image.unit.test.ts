import { expect, test } from 'vitest';
import { image } from '../../src/stores/registry/address.ts';
import { readStep } from './reading.ts';

test.each([
  [
    'registry.example.com/acme/docs:latest',
    { registry: 'registry.example.com', repository: 'acme/docs', tag: 'latest' },
  ],
  [
    'localhost:5000/docs:sha256-4a',
    { registry: 'localhost:5000', repository: 'docs', tag: 'sha256-4a' },
  ],
  [
    'localhost:5000/docs:v1.2_3-4',
    { registry: 'localhost:5000', repository: 'docs', tag: 'v1.2_3-4' },
  ],
  [
    'Registry.Example.com/acme/docs__a/b.c:1',
    { registry: 'registry.example.com', repository: 'acme/docs__a/b.c', tag: '1' },
  ],
  ['[::1]:5000/docs:x', { registry: '[::1]:5000', repository: 'docs', tag: 'x' }],
])('The image %s is accepted', (text, expected) => {
  expect(image(text)).toEqual({ scheme: 'image', ...expected });
});

test.each([
  ['https://registry.example.com/acme/docs:latest', 'without a scheme'],
  ['docker://registry.example.com/acme/docs:latest', 'without a scheme'],
  ['courier:secret@registry.example.com/acme/docs:latest', 'log in before this step'],
  [`registry.example.com/acme/docs@sha256:${'a'.repeat(64)}`, 'with a tag instead of a digest'],
  [
    `registry.example.com/acme/docs:latest@sha256:${'a'.repeat(64)}`,
    'with a tag instead of a digest',
  ],
  ['registry.example.com/Acme/docs:latest', 'with a repository in lower case'],
  ['registry.example.com/acme/docs', 'the tag is missing'],
  ['localhost:5000/docs', 'the tag is missing'],
  ['acme/docs:latest', 'with the host name of the registry first'],
  ['docs:latest', 'with the host name of the registry first'],
  ['registry.example.com/acme//docs:latest', 'a part of REPOSITORY'],
  ['registry.example.com/acme/../docs:latest', 'a part of REPOSITORY'],
  ['registry.example.com/acme/docs:', 'TAG has at most'],
  ['registry.example.com/acme/docs:.latest', 'TAG has at most'],
  [`registry.example.com/acme/docs:${'a'.repeat(123)}`, 'TAG has at most'],
  [`registry.example.com/acme/docs:sha256-${'a'.repeat(64)}`, 'choose another TAG'],
  [`registry.example.com/acme/docs:sha256-${'0'.repeat(64)}.sig`, 'choose another TAG'],
  ['registry.example.com/acme/docs:latest.state', 'does not end with .state'],
  ['registry.example.com/acme/docs:a b', 'REGISTRY/REPOSITORY:TAG'],
  ['registry.example.com/acme/docs?x=1:a', 'REGISTRY/REPOSITORY:TAG'],
])('The image %s is refused and the message says why', (text, why) => {
  expect(() => image(text)).toThrow(why);
});

test.each([
  ['image', 'courier:correct-horse-1@ghcr.io/acme/docs:latest'],
  ['image', 'courier:correct/horse@1@ghcr.io/acme/docs:latest'],
  ['live-url', 'ftp://courier:correct-horse-1@docs.example.com'],
])('A password in the address of %s is not shown: %s', (name, text) => {
  const read = () => readStep({ [name]: text });
  expect(read).toThrow(`${name}: the value is not allowed`);
  expect(read).not.toThrow(/correct|horse/);
});
