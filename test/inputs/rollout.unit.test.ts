import { expect, it } from 'vitest';
import { type Given, problemOf, readExport } from './reading.ts';

const read = (given: Given) => readExport(given).rollout;

const K8S = 'k8s:docs/link#url';

it('A rollout of an image names its volume or container, and its namespace where to has no Secret', () => {
  const image = 'registry.example.com/acme/docs:latest';
  expect(read({ image, rollout: 'k8s:docs/deployment/docs#site' })).toMatchObject({
    workloads: [{ kind: 'deployment', name: 'docs', image: 'site' }],
    namespace: 'docs',
    destinations: [],
  });
  expect(read({ image, to: K8S, rollout: 'deployment/docs\ndeployment/docs#site' })).toMatchObject({
    workloads: [
      { kind: 'deployment', name: 'docs' },
      { kind: 'deployment', name: 'docs', image: 'site' },
    ],
    namespace: 'docs',
  });
  const credentials = {
    image,
    kubeconfig: '/kube/config',
    rollout: 'k8s:docs/deployment/docs#site',
  };
  expect(read(credentials)).toBeDefined();
});

it('A rollout lists workloads in the namespace of the Secret, one per line', () => {
  expect(read({ to: K8S })).toBeUndefined();
  expect(
    read({ to: K8S, rollout: 'deployment/docs\n statefulset/docs.v2 \n\ndaemonset/edge' }),
  ).toEqual({
    workloads: [
      { kind: 'deployment', name: 'docs' },
      { kind: 'statefulset', name: 'docs.v2' },
      { kind: 'daemonset', name: 'edge' },
    ],
    namespace: 'docs',
    destinations: [{ scheme: 'k8s', namespace: 'docs', secret: 'link', key: 'url' }],
    timeoutMs: 600_000,
    onFailure: 'fail',
  });
  const destinations = `${K8S}\nfile:link\nk8s:docs/other#url`;
  const more = { 'rollout-timeout': '90s', 'on-rollout-failure': 'undo' };
  expect(read({ to: destinations, rollout: 'deployment/docs', ...more })).toMatchObject({
    destinations: [{ secret: 'link' }, { secret: 'other' }],
    timeoutMs: 90_000,
    onFailure: 'undo',
  });
});

it.each<[string, Given, string]>([
  [
    'without a k8s: destination',
    { to: 'file:link', rollout: 'deployment/docs' },
    'rollout needs a k8s: address in to',
  ],
  ['without any destination', { rollout: 'deployment/docs' }, 'rollout needs a k8s: address in to'],
  [
    'of two namespaces',
    { to: `${K8S}\nk8s:web/link#url`, rollout: 'deployment/docs' },
    'these are named: docs, web; use a step for each',
  ],
  ['of an image without one', { to: K8S, rollout: 'deployment/docs#site' }, 'give the input image'],
  [
    'of an image without a namespace',
    { image: 'registry.example.com/acme/docs:latest', rollout: 'deployment/docs#site' },
    'write k8s:NAMESPACE/deployment/NAME#VOLUME',
  ],
  [
    'of a link without a Secret',
    { image: 'registry.example.com/acme/docs:latest', rollout: 'k8s:docs/deployment/docs' },
    'rollout needs a k8s: address in to',
  ],
  [
    'of two namespaces',
    {
      image: 'registry.example.com/acme/docs:latest',
      to: K8S,
      rollout: 'k8s:web/deployment/docs#site',
    },
    'these are named: docs, web',
  ],
  ['with an invalid volume', { to: K8S, rollout: 'deployment/docs#Site' }, 'each deployment/NAME'],
  ['without a kind', { to: K8S, rollout: 'docs' }, 'each deployment/NAME'],
  ['of an unknown kind', { to: K8S, rollout: 'pod/docs' }, 'statefulset/NAME or daemonset/NAME'],
  [
    'of several on one line',
    { to: K8S, rollout: 'deployment/a, statefulset/b' },
    'one entry a line',
  ],
  ['with a namespace', { to: K8S, rollout: 'docs/deployment/docs' }, 'each deployment/NAME'],
  ['with an invalid name', { to: K8S, rollout: 'deployment/../secrets' }, 'each deployment/NAME'],
  [
    'twice',
    { to: K8S, rollout: 'deployment/a\ndeployment/a' },
    'rollout names deployment/a twice; name it once',
  ],
  [
    'without time',
    { to: K8S, rollout: 'deployment/a', 'rollout-timeout': '0s' },
    'rollout-timeout must be 1s or more',
  ],
  [
    'by its options alone',
    { to: K8S, 'rollout-timeout': '5m' },
    'rollout-timeout is read only together with rollout',
  ],
  [
    'by its options alone',
    { to: K8S, 'on-rollout-failure': 'undo' },
    'on-rollout-failure is read only together',
  ],
  [
    'with another way to fail',
    { to: K8S, rollout: 'deployment/a', 'on-rollout-failure': 'stop' },
    'fail, undo',
  ],
])('A rollout is refused %s', (_, given, problem) => {
  expect(problemOf(given)).toContain(problem);
});
