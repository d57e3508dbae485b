import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/inputs/parse-address.ts';
import { formatAddress } from '../../src/stores/kinds.ts';

function parsed(text: string) {
  const result = parseAddress(text);
  if (!result.ok) throw new Error(`not accepted: ${result.allowed}`);
  return result.value;
}

function refusal(text: string): string {
  const result = parseAddress(text);
  return result.ok ? `accepted: ${JSON.stringify(result.value)}` : result.allowed;
}

const github = { scheme: 'github', name: 'DOCS_URL' } as const;

describe('an address of a destination', () => {
  test.each([
    ['github:secret/DOCS_URL', { ...github, scope: 'repository', repository: undefined }],
    [
      'github:env/prod%2Feu%20west/DOCS_URL',
      { ...github, scope: 'environment', repository: undefined, environment: 'prod/eu west' },
    ],
    ['github:org/acme/DOCS_URL', { ...github, scope: 'organization', organization: 'acme' }],
    ['github:repo/acme/site/DOCS_URL', { ...github, scope: 'repository', repository: 'acme/site' }],
    [
      'github:repo/acme/site/env/prod/DOCS_URL',
      { ...github, scope: 'environment', repository: 'acme/site', environment: 'prod' },
    ],
    [
      'gitea:repo/acme/site/DOCS_URL',
      { scheme: 'gitea', scope: 'repository', repository: 'acme/site', name: 'DOCS_URL' },
    ],
    [
      'gitea:org/acme/DOCS_URL',
      { scheme: 'gitea', scope: 'organization', organization: 'acme', name: 'DOCS_URL' },
    ],
    [
      'gitlab:project/42/DOCS_URL',
      { scheme: 'gitlab', scope: 'project', id: '42', name: 'DOCS_URL', environment: undefined },
    ],
    [
      'gitlab:group/acme%2Fdocs/DOCS_URL?environment=review%2F*',
      {
        scheme: 'gitlab',
        scope: 'group',
        id: 'acme/docs',
        name: 'DOCS_URL',
        environment: 'review/*',
      },
    ],
    [
      'gitlab:project/42/DOCS_URL?server=https://gitlab.example.com/sub&environment=prod%26eu',
      {
        scheme: 'gitlab',
        scope: 'project',
        id: '42',
        name: 'DOCS_URL',
        server: 'https://gitlab.example.com/sub',
        environment: 'prod&eu',
      },
    ],
    [
      'gitea:org/acme/DOCS_URL?server=https://gitea.example.com',
      {
        scheme: 'gitea',
        scope: 'organization',
        organization: 'acme',
        name: 'DOCS_URL',
        server: 'https://gitea.example.com',
      },
    ],
    [
      'aws-ssm:/docs/url?region=eu-west-1',
      { scheme: 'aws-ssm', name: '/docs/url', region: 'eu-west-1' },
    ],
    ['file:a%23b%3Fc', { scheme: 'file', path: 'a#b?c' }],
    [
      'github:env/eu west: a+b/DOCS_URL',
      {
        ...github,
        scope: 'environment',
        repository: undefined,
        environment: 'eu west: a+b',
      },
    ],
    ['k8s:docs/bundle#url', { scheme: 'k8s', namespace: 'docs', secret: 'bundle', key: 'url' }],
    [
      'vault:secret/team/docs#url',
      { scheme: 'vault', mount: 'secret', path: 'team/docs', key: 'url' },
    ],
    ['vault:kv%2Fteam/docs#url', { scheme: 'vault', mount: 'kv/team', path: 'docs', key: 'url' }],
    ['aws-sm:docs/bundle', { scheme: 'aws-sm', name: 'docs/bundle' }],
    [
      'aws-sm:arn:aws:secretsmanager:eu-west-1:123456789012:secret:docs-a1b2c3',
      {
        scheme: 'aws-sm',
        name: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:docs-a1b2c3',
      },
    ],
    ['aws-ssm:/docs/url', { scheme: 'aws-ssm', name: '/docs/url' }],
    ['file:link.txt', { scheme: 'file', path: 'link.txt' }],
    ['file:///var/lib/docs/100%25', { scheme: 'file', path: '/var/lib/docs/100%' }],
  ])('The address %s is read, and written as text it is the same destination', (text, expected) => {
    const address = parsed(text);
    expect(address).toEqual(expected);
    expect(parsed(formatAddress(address))).toEqual(expected);
  });

  test.each([
    [
      'github:org/acme/DOCS_URL?visibility=selected&repositories=site,acme/app,42',
      { visibility: 'selected', repositories: ['site', 'acme/app', '42'] },
      'github:org/acme/DOCS_URL',
    ],
    [
      'github:org/acme/DOCS_URL?visibility=private',
      { visibility: 'private' },
      'github:org/acme/DOCS_URL',
    ],
    [
      'k8s:docs/bundle?context=docs/api:6443/kube:admin#url',
      { context: 'docs/api:6443/kube:admin' },
      'k8s:docs/bundle#url',
    ],
  ])(
    'The query of %s says how to reach the destination, and is not a part of it',
    (text, expected, destination) => {
      const address = parsed(text);
      expect(address).toMatchObject(expected);
      expect(formatAddress(address)).toBe(destination);
    },
  );

  test.each([
    ['DOCS_URL', 'github:secret/NAME'],
    ['', 'github:secret/NAME'],
    ['githb:secret/DOCS_URL', 'did you mean github:?'],
    ['GitHub:secret/DOCS_URL', 'did you mean github:?'],
    ['gcp:docs', 'github, gitea, gitlab, k8s, vault, aws-sm, aws-ssm, file'],
    ['github:secret/docs-url', 'capital letters'],
    ['github:secret/GITHUB_URL', 'GITHUB_'],
    ['github:secret', 'github:secret/NAME'],
    ['github:secret/A/B', 'github:secret/NAME'],
    ['github:secret/env/production/A', 'github:secret/NAME'],
    ['github:env/../NAME', 'github:env/ENVIRONMENT/NAME'],
    ['github:env/%2e%2e/NAME', 'github:env/ENVIRONMENT/NAME'],
    ['github:env//NAME', 'github:env/ENVIRONMENT/NAME'],
    ['github:repo/acme/../NAME', 'github:repo/OWNER/REPO/NAME'],
    ['github:repo/acme/site/envs/prod/NAME', 'env/ENVIRONMENT'],
    ['github:env/%zz/NAME', 'github:env/ENVIRONMENT/NAME'],
    ['gitlab:project/42', 'gitlab:project/ID/NAME'],
    ['gitlab:project/42/NAME?scope=x', 'takes ?server= and ?environment='],
    ['gitlab:project/42/NAME?enviroment=x', 'did you mean ?environment=?'],
    ['gitlab:project/42/NAME?environment=a&protected=1', 'takes ?server= and ?environment='],
    ['gitlab:project/42/NAME?environment=a&environment=b', 'one value for ?environment='],
    ['gitlab:project/42/NAME?environment=', 'one value for ?environment='],
    [
      'gitlab:project/42/NAME?server=http://gitlab.example.com',
      'https (http is for a loopback host only)',
    ],
    [
      'gitlab:project/42/NAME?server=https://a:b@gitlab.example.com',
      'without user name and password',
    ],
    ['gitea:org/acme/NAME?server=https://gitea.example.com/api/v1', 'without /api/v1'],
    ['gitea:org/acme/NAME?environment=a', 'takes ?server='],
    ['github:secret/NAME?visibility=all', 'only a secret of an organization'],
    ['github:org/acme/NAME?visibility=some', '?visibility=all, private or selected'],
    ['github:org/acme/NAME?repositories=a', '?visibility=all, private or selected'],
    ['github:org/acme/NAME?visibility=all&repositories=a', '?visibility=selected&repositories=A,B'],
    [
      'github:org/acme/NAME?visibility=selected&repositories=a/b/c',
      'each a name, owner/name or an id',
    ],
    ['vault:secret/docs?context=a#url', 'takes no query'],
    ['k8s:docs/bundle#a?context=b', 'k8s:NAMESPACE/SECRET#KEY'],
    ['aws-sm:docs?region=Frankfurt', 'a region of AWS'],
    ['aws-sm:docs?region=evil.example.com/x', 'a region of AWS'],
    [
      'aws-sm:arn:aws:secretsmanager:eu-west-1:123456789012:secret:a?region=eu-west-2',
      'it names the region',
    ],
    ['aws-ssm:/docs#a', 'aws-ssm:/PATH'],
    ['file:a?b', 'takes no query'],
    ['file:a#b', '%23'],
    ['k8s:docs/bundle', 'k8s:NAMESPACE/SECRET#KEY'],
    ['k8s:docs/bundle#a#b', 'k8s:NAMESPACE/SECRET#KEY'],
    ['k8s:Docs/bundle#a', 'k8s:NAMESPACE/SECRET#KEY'],
    ['k8s:docs/..%2Fbundle#a', 'k8s:NAMESPACE/SECRET#KEY'],
    ['k8s:docs/bundle#..', 'k8s:NAMESPACE/SECRET#KEY'],
    ['vault:secret#url', 'vault:MOUNT/PATH#KEY'],
    ['vault:secret/../sys#url', 'vault:MOUNT/PATH#KEY'],
    ['vault:secret/%2e%2e%2Fsys#url', 'vault:MOUNT/PATH#KEY'],
    ['vault:a%2F..%2Fb/docs#url', 'vault:MOUNT/PATH#KEY'],
    ['vault:secret/docs', 'vault:MOUNT/PATH#KEY'],
    ['aws-ssm:docs/url', 'aws-ssm:/PATH'],
    ['aws-ssm:/AWS/docs', 'does not begin with /aws or /ssm'],
    ['aws-sm:docs link', 'aws-sm:NAME'],
    ['aws-sm:', 'aws-sm:NAME'],
    ['file:', 'file:PATH'],
    ['file://host/share', 'file:PATH'],
    ['file:a%00b', 'file:PATH'],
    ['file:docs/', 'file:PATH'],
    ['file:100%', '%25'],
  ])('The address %j is refused, and the error shows what is allowed', (text, allowed) => {
    expect(refusal(text)).toContain(allowed);
  });

  test('The names of a file, of its state and of its folders have at most 255 bytes', () => {
    const most = 'x'.repeat(255);
    for (const path of ['é'.repeat(117), `${most}/link`])
      expect(parsed(`file:${path}`)).toEqual({ scheme: 'file', path });
    const allowed =
      'the name of the file has at most 234 bytes, since files such as NAME.state.7.json are next to it, and that of a folder at most 255';
    for (const path of [`out/${'x'.repeat(235)}`, '%C3%A9'.repeat(118), `${most}x/link`]) {
      expect(refusal(`file:${path}`)).toContain(allowed);
    }
  });

  test.each([
    'vault:https://ci:hunter2@vault.example.com/secret#url',
    'github:octocat:hunter2@github.com/secret/NAME',
    'gitlab:https://oauth2:hunter2@gitlab.com/project/1/NAME',
  ])('An address with a user name and password is refused without repeating them', (text) => {
    expect(refusal(text)).toContain('credentials have own inputs');
    expect(refusal(text)).not.toContain('hunter2');
  });

  test('Every accepted address is the same destination after it is written as text', () => {
    const part = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .map(encodeURIComponent);
    const texts = fc.oneof(
      part.map((one) => `github:env/${one}/NAME`),
      fc.tuple(part, part, part).map(([a, b, c]) => `vault:${a}/${b}#${c}`),
      fc.string().map((path) => `file:${path}`),
      fc.tuple(part, part).map(([a, b]) => `gitlab:project/${a}/NAME?environment=${b}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const first = parseAddress(text);
        if (first.ok) expect(parsed(formatAddress(first.value))).toEqual(first.value);
      }),
      { numRuns: 500 },
    );
  });
});
