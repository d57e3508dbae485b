import { expect, test } from 'vitest';
import { repositoryOf } from '../../../src/steps/rollout/cluster.ts';

test.each([
  ['registry.example.com/acme/docs:latest', 'registry.example.com/acme/docs'],
  [
    `registry.example.com:5000/acme/docs@sha256:${'a'.repeat(64)}`,
    'registry.example.com:5000/acme/docs',
  ],
  [`registry.example.com/acme/docs:v1@sha256:${'a'.repeat(64)}`, 'registry.example.com/acme/docs'],
  ['localhost/docs', 'localhost/docs'],
  ['localhost:5000/docs', 'localhost:5000/docs'],
  ['nginx:1.29', 'docker.io/library/nginx'],
  ['acme/docs', 'docker.io/acme/docs'],
  ['docker.io/acme/docs:latest', 'docker.io/acme/docs'],
  ['index.docker.io/acme/docs:latest', 'docker.io/acme/docs'],
])('The image %s belongs to the repository %s', (reference, repository) => {
  expect(repositoryOf(reference)).toBe(repository);
});
