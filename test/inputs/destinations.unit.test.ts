import { describe, expect, it } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { formatAddress } from '../../src/stores/kinds.ts';
import { type Given, problemOf, readExport, type Where } from './reading.ts';

const TOKEN = 'ghp_0123456789abcdef0123';

const read = (given: Given, where: Where = {}) => readExport(given, where).to;

describe('a wrong destination', () => {
  it.each([
    'gitlab:project/7/X?token=canary',
    'gitlab:project/7/X?foo=1&token=canary',
    'gitlab:project/7/X?environment=&password=canary',
    'github:secret/X?token=canary&visibility=all',
    'github:secret/X?foo=1&key2=canary',
    'github:secret/canary-user:pass@X',
    'k8s:docs/site?secret=canary#link',
    'vault:secret/docs?token=canary',
    `gitlab:project/7/X?environment=prod&x=glpat-canary0123456789abcdef`,
  ])('What may be a secret in %j is in no message and in no line to paste', (to) => {
    try {
      read({ to, 'secret-token': TOKEN });
    } catch (error) {
      expect(error).toBeInstanceOf(CourierError);
      expect(
        JSON.stringify(error instanceof CourierError && [error.message, error.hint]),
      ).not.toContain('canary');
      return;
    }
    throw new Error('It was accepted.');
  });

  it('A query of plain names is shown, and its kind says what it takes', () => {
    expect(problemOf({ to: 'gitlab:project/7/X?enviroment=prod&server=a' })).toContain(
      '"gitlab:project/7/X?…"',
    );
    expect(problemOf({ to: 'gitlab:project/7/X?region=prod' })).toContain(
      '"gitlab:project/7/X?region=prod" is not allowed; it must be a gitlab: address, which takes ?server= and ?environment=',
    );
  });
});

describe('the destinations of a link', () => {
  const texts = (to: string, where: Where = {}) =>
    read({ to, 'secret-token': TOKEN }, where)?.addresses.map(formatAddress);

  it('Destinations are read one a line, each in its shortest form', () => {
    const to =
      'github:repo/Acme/App/DOCS_URL\n\n  github:repo/acme/other/env/prod/DOCS_URL\r\nfile:out/link.txt\n';
    expect(texts(to)).toEqual([
      'github:secret/DOCS_URL',
      'github:repo/acme/other/env/prod/DOCS_URL',
      'file:/workspace/out/link.txt',
    ]);
  });

  it('A token is needed only if a destination is on a forge', () => {
    expect(read({ to: 'github:secret/A', 'secret-token': TOKEN })?.credentials.secretToken).toBe(
      TOKEN,
    );
    expect(read({ to: 'file:/tmp/link' })?.credentials.secretToken).toBeUndefined();
    expect(problemOf({ to: 'file:/tmp/link', 'secret-token': TOKEN })).toContain(
      'secret-token is read only together with',
    );
    expect(problemOf({ to: 'github:secret/A' })).toContain('secret-token is missing');
  });

  it('A destination is taken over only if the step says so, and only where there is one', () => {
    expect(read({ to: 'file:/tmp/link' })?.takeOver).toBe(false);
    expect(read({ to: 'file:/tmp/link', 'take-over': 'true' })?.takeOver).toBe(true);
    expect(problemOf({ 'take-over': 'true' })).toContain('take-over is read only together with to');
    expect(problemOf({ to: 'file:/tmp/link', 'take-over': 'yes' })).toContain('take-over');
  });

  it('A run writes the file of a link and its state, and with --to-command only the state', () => {
    const filesOf = (given: Given) => {
      const all: Given = {
        mode: 'export',
        'base-url': 'https://api.docs.example.com',
        'admin-api-key': 'svc_canary-admin-key',
        domain: 'docs.example.com',
        ...given,
      };
      const source = { value: (name: string) => all[name] ?? '', unknownNames: () => [] };
      const inputs = readInputs(source, { repository: 'acme/app', workspace: '/workspace' });
      return inputs.mode === 'export' ? inputs.outputFiles : inputs.mode;
    };
    expect(
      filesOf({
        to: 'file:link\nvault:secret/docs#url',
        'vault-token': 'root',
        'vault-address': 'https://v',
      }),
    ).toEqual([
      { input: 'to', path: '/workspace/link' },
      { input: 'to', path: '/workspace/link.state.json' },
    ]);
    expect(filesOf({ 'to-command': 'cat', state: 'file:link', summary: 'out.md' })).toEqual([
      { input: 'state', path: '/workspace/link.state.json' },
      { input: 'summary', path: '/workspace/out.md' },
    ]);
  });

  it('A server and a region that the run has anyway are left out', () => {
    const gitlab = { run: { kind: 'gitlab', serverUrl: 'https://gitlab.acme.example', env: {} } };
    const own = 'gitlab:project/7/A?server=https://gitlab.acme.example/';
    expect(texts(own, gitlab)).toEqual(['gitlab:project/7/A']);
    const other = 'gitlab:project/7/B?server=https://gitlab.com';
    expect(texts(other, gitlab)).toEqual([other]);
    const env = { AWS_DEFAULT_REGION: 'eu-west-1' };
    const secrets = 'aws-sm:docs?region=eu-west-1\naws-sm:docs?region=eu-west-2';
    expect(
      read({ to: secrets }, { run: { kind: 'github', env } })?.addresses.map(formatAddress),
    ).toEqual(['aws-sm:docs', 'aws-sm:docs?region=eu-west-2']);
  });

  it.each([
    ['github:secret/A\ngithub:repo/ACME/app/A', 'github:secret/A is named twice'],
    ['github:env/prod/A\ngithub:env/PROD/A', 'are the same destination'],
    [
      'github:org/acme/A?visibility=all\ngithub:org/acme/A?visibility=selected&repositories=b',
      'github:org/acme/A is named twice',
    ],
    ['file:a/../link\nfile:/workspace/link', 'file:/workspace/link is named twice'],
    ['file:link\nfile:link.state.json', 'are the same destination'],
    ['github:secret/A\ngihtub:secret/B', 'did you mean github:?'],
    ['github:secret/A\ngitlab:project/7/A?server=https://gitlab.com', 'secret-token is for one'],
    ['github:secret/a', 'NAME has capital letters'],
    ['vault:https://u:canary@vault/secret#url', 'one of its lines'],
    ['gitlab:project/7/A?token=glpat-canary0', 'takes ?server= and ?environment='],
    ['github:secret/ghp_canary0123456789ABCDEFghijkl', 'one of its lines'],
    ['ghp_canary0123456789ABCDEFghijkl', 'one of its lines'],
    ['aws-sm:docs?region=Frankfurt', 'a region of AWS'],
  ])('Wrong destinations are refused with one error: %j', (to, words) => {
    const message = problemOf({ to, 'secret-token': TOKEN });
    expect(message).toContain(words);
    expect(message).toContain('An input is wrong:');
    expect(message).not.toContain('canary0');
    expect(message).not.toContain('u:canary');
  });

  it.each([' ', ', ', ' , ', ';', ' ; '])(
    'Two destinations on one line with %j between them are refused',
    (between) => {
      const to = ['github:org/acme/A?visibility=selected&repositories=a,b', 'file:out/link.txt'];
      expect(problemOf({ to: to.join(between), 'secret-token': TOKEN })).toContain(
        'one address, each on its own line',
      );
      expect(
        problemOf({ to: `vault:https://u:canary@vault/secret#url${between}file:a` }),
      ).not.toContain('canary');
    },
  );

  it('A wrong destination causes no errors about the inputs that it would need', () => {
    const inputs = {
      rollout: 'deployment/docs',
      kubeconfig: '/kube/config',
      'vault-role': 'docs',
      'aws-role': 'x',
    };
    const message = problemOf({ to: 'k8s:docs/link', ...inputs, 'secret-token': TOKEN });
    expect(message).toContain('An input is wrong:\n- to: "k8s:docs/link" is not allowed');
  });

  it('A secret of GitHub without a repository is refused if the run is not on GitHub', () => {
    const message = problemOf({ to: 'github:secret/A', 'secret-token': TOKEN }, { repository: '' });
    expect(message).toContain('write github:repo/OWNER/REPO/A');
    expect(texts('github:org/acme/A', { repository: '' })).toEqual(['github:org/acme/A']);
  });

  it.each(['github:secret/A', 'github:repo/acme/site/A', 'github:org/acme/A'])(
    'A secret of GitHub is refused in a run on Gitea, with the forms of an address of Gitea: %s',
    (to) => {
      expect(
        problemOf({ to, 'secret-token': TOKEN }, { run: { kind: 'gitea', env: {} } }),
      ).toContain('write gitea: with repo/OWNER/REPO/NAME or org/ORG/NAME after it');
    },
  );
});
