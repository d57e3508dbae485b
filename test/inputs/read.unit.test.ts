import { sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readActionInputs, variableOf } from '../../src/ci/github/runner.ts';
import { MANNERS, showHint } from '../../src/ci/hints.ts';
import { CourierError } from '../../src/ground/errors.ts';
import { whyNoPath } from '../../src/ground/text/paths.ts';
import { type Inputs, MODES } from '../../src/inputs/inputs.ts';
import { readInputs, secretsOf } from '../../src/inputs/read.ts';
import { INPUTS } from '../../src/values/catalog.ts';
import { expectError } from '../support/failure.ts';

const PLACE = { repository: 'acme/app', workspace: '/workspace' };
const ADMIN = 'svc_canary-admin-key';
const ASSISTANT = 'svc_dsc_canary-assistant-key';

type Given = Readonly<Record<string, string>>;

const COMPLETE: Readonly<Record<string, Given>> = {
  export: { 'admin-api-key': ADMIN, domain: 'docs.example.com' },
  refresh: {
    'admin-api-key': ADMIN,
    to: 'github:secret/DOCS_URL',
    'secret-token': 'ghp_0123456789',
  },
  agent: { 'admin-api-key': ADMIN, 'project-id': 'p1', 'github-token': 'ghs_workflow-token' },
  search: { 'assistant-api-key': ASSISTANT, domain: 'acme', query: 'install' },
};

/** The environment from the runner: defaults filled in, names in upper case. */
function environment(mode: string, given: Given): Record<string, string> {
  const defaults = Object.entries(INPUTS).map(([name, { default: value }]) => [
    name,
    name === 'github-token' ? 'ghs_workflow-token' : value,
  ]);
  const all = {
    ...Object.fromEntries(defaults),
    mode,
    'base-url': 'https://api.docs.example.com',
    ...COMPLETE[mode],
    ...given,
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [variableOf(name), String(value)]),
  );
}

function read(mode: string, given: Given = {}): Inputs {
  return readInputs(readActionInputs(environment(mode, given)), PLACE, () => [
    'its name is misspelled',
    'it is not shared',
  ]);
}

function failure(mode: string, given: Given): CourierError {
  try {
    read(mode, given);
  } catch (error) {
    if (error instanceof CourierError) return error;
    throw error;
  }
  throw new Error('the inputs were accepted');
}

describe('inputs from the runner', () => {
  it.each<[string, Given, readonly string[]]>([
    ['export', { 'base-url': '' }, ['base-url']],
    ['export', { timeout: 'soon', 'min-pages': 'many' }, ['timeout', 'min-pages']],
    ['export', { query: 'install' }, ['query']],
    [
      'export',
      { to: 'vault:secret/docs#link', 'vault-address': 'https://vault.example.com' },
      ['vault-token'],
    ],
    ['search', { 'queries-file': 'queries.yml' }, ['query']],
    ['refresh', { to: '' }, ['secret-token', 'to']],
  ])(
    'The error about wrong inputs of mode %s, %j, has their names as a field',
    (mode, given, names) => {
      expect(failure(mode, given).inputs).toEqual(names);
    },
  );

  it.each([
    ['false', undefined],
    ['True', { titles: false }],
    ['titles', { titles: true }],
  ])('The input comment accepts %s', (text, comment) => {
    const inputs = read('search', { comment: text });
    const token = 'ghs_workflow-token';
    expect(inputs).toMatchObject({ mode: 'search', comment: comment && { ...comment, token } });
  });

  it.each([
    [
      'another word',
      { comment: 'pages' },
      {},
      '"pages" is not allowed; it must be true, false or titles',
    ],
    ['no token', { 'github-token': '' }, {}, 'github-token is missing: comment is written with it'],
    [
      'another CI system',
      {},
      { takesNotices: false },
      'comment works on GitHub Actions only; remove it',
    ],
  ])('The input comment is refused with %s', (_name, given, destination, message) => {
    const source = readActionInputs(environment('search', { comment: 'true', ...given }));
    expect(() => readInputs(source, { ...PLACE, ...destination })).toThrow(message);
  });

  it('The inputs choose the version of the export API, and what is exported', () => {
    expect(read('export', { domain: '', 'project-id': 'p1', 'base-path': '/' })).toMatchObject({
      domain: undefined,
      projectId: 'p1',
      basePath: '',
    });
    expect(
      read('export', { 'export-version': '2.0', 'export-paths': 'a,b\n\n guides/c \n' }),
    ).toMatchObject({
      projectId: undefined,
      exportVersion: '2.0',
      exportPaths: ['a,b', 'guides/c'],
    });
    // With both inputs the site is exported, and the project is for publishing.
    expect(read('export', { domain: 'docs.example.com', 'project-id': 'p1' })).toMatchObject({
      domain: 'docs.example.com',
      projectId: undefined,
    });
    expect(read('refresh', { 'project-id': 'p1' })).toMatchObject({ projectId: 'p1' });
    expect(
      read('search', { filter: 'version=2\n groups = staff\ngroups=beta testers, all' }),
    ).toMatchObject({
      filter: { version: '2', groups: ['staff', 'beta testers, all'] },
      minResults: undefined,
    });
  });

  it('The inputs become the values of the mode, with defaults from action.yml', () => {
    expect(read('export')).toMatchObject({
      mode: 'export',
      domain: 'docs.example.com',
      timeoutMs: 1_800_000,
      onTimeout: 'fail',
      dryRun: false,
    });
    expect(read('refresh')).toMatchObject({
      refreshBeforeMs: 86_400_000,
      to: {
        addresses: [
          { scheme: 'github', scope: 'repository', repository: undefined, name: 'DOCS_URL' },
        ],
      },
    });
    expect(read('agent')).toMatchObject({
      command: '/docs-agent',
      requiredPermission: 'write',
    });
    expect(read('search')).toMatchObject({ query: 'install', minResults: undefined });
  });

  it.each(['false', 'False', 'FALSE'])(
    'A search of a folder with comment: %s needs no key',
    (comment) => {
      const given = { 'search-site': 'site', 'assistant-api-key': '', domain: '', comment };
      expect(read('search', given)).toMatchObject({ comment: undefined, assistantApiKey: '' });
    },
  );

  it('Durations, lists and paths are accepted in their written form', () => {
    expect(
      read('agent', { timeout: '90s', 'allowed-bots': 'a[bot],\n b ', context: 'diff, files' }),
    ).toMatchObject({
      timeoutMs: 90_000,
      allowedBots: ['a[bot]', 'b'],
      context: ['diff', 'files'],
    });
    expect(read('export', { 'extract-to': 'site' })).toMatchObject({
      bundle: { extractTo: '/workspace/site' },
    });
  });

  it.each([
    ['gitea', 'the documentation platform connects to no repository there'],
    ['forgejo', 'the documentation platform connects to no repository there'],
    ['gitlab', 'mode agent does not run in GitLab CI'],
  ])(
    'Mode agent in a run of %s is refused, and nothing else of its inputs is reported',
    (kind, why) => {
      const source = readActionInputs(
        environment('agent', { 'project-id': '', context: 'nothing' }),
      );
      expect(() => readInputs(source, { ...PLACE, run: { kind, env: {} } })).toThrow(
        expect.objectContaining({
          code: 'config',
          inputs: ['mode'],
          message: expect.stringContaining(why),
        }),
      );
    },
  );

  it.each([
    ['context', 'diff comments', { context: ['diff', 'comments'] }],
    [
      'context',
      'files,diff  comments\tdescription',
      { context: ['files', 'diff', 'comments', 'description'] },
    ],
    [
      'allowed-bots',
      'renovate[bot] acme-docs[bot]',
      { allowedBots: ['renovate[bot]', 'acme-docs[bot]'] },
    ],
    [
      'agent-repositories',
      'acme/api acme/web, acme/cli',
      { agentRepositories: ['acme/api', 'acme/web', 'acme/cli'] },
    ],
  ])('The entries of %s may have blanks between them: %j', (name, text, expected) => {
    expect(read('agent', { [name]: text })).toMatchObject(expected);
  });

  it('A blank inside of an entry that is not a list is an error that names the whole entry', () => {
    expect(() => read('agent', { context: 'diff the files' })).toThrow(
      '"diff the files" is not allowed',
    );
  });

  it('A host name is converted to its ASCII form', () => {
    expect(read('export', { domain: 'Docs.Exämple.com' })).toMatchObject({
      domain: 'docs.xn--exmple-cua.com',
    });
  });

  it('A base address keeps its path prefix and loses a trailing slash', () => {
    expect(read('export', { 'base-url': 'https://x.example/tenant/a/' })).toMatchObject({
      baseUrl: 'https://x.example/tenant/a',
    });
    expect(read('export', { 'base-url': 'http://127.0.0.1:8080' })).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080',
    });
  });
});

describe('a wrong input', () => {
  it.each<[string, string, Given, string]>([
    [
      'an input of another mode',
      'refresh',
      { domain: 'docs.example.com' },
      'domain belongs to mode',
    ],
    ['a missing key', 'export', { 'admin-api-key': ' ' }, 'admin-api-key is empty'],
    [
      'an assistant key for admin calls',
      'export',
      { 'admin-api-key': ASSISTANT },
      'an admin API key',
    ],
    ['an admin key for search', 'search', { 'assistant-api-key': ADMIN }, 'an assistant API key'],
    ['a key with a line end', 'export', { 'admin-api-key': 'svc_abc\ndefgh' }, 'printable ASCII'],
    [
      'a key of seven characters',
      'export',
      { 'admin-api-key': 'svc_abc' },
      'at least 8 characters',
    ],
    ['a domain with a scheme', 'export', { domain: 'https://docs.example.com/x' }, 'a host name'],
    ['a domain with a port', 'export', { domain: 'docs.example.com:443' }, 'without : (U+003A)'],
    ['a host name for search', 'search', { domain: 'acme.docs.example' }, 'without a dot'],
    ['http to another host', 'export', { 'base-url': 'http://docs.example.com' }, 'https'],
    [
      'an address with a password',
      'export',
      { 'base-url': 'https://a:b@docs.example.com' },
      'without user name',
    ],
    [
      'an address with a query',
      'export',
      { 'base-url': 'https://docs.example.com?x=1' },
      'without query',
    ],
    ['no address', 'export', { 'base-url': 'docs' }, 'an https address'],
    ['a boolean yes', 'export', { 'dry-run': 'yes' }, 'true or false'],
    ['an invalid duration', 'export', { timeout: 'soon' }, 'a duration such as'],
    ['a job id with a slash', 'export', { 'export-job-id': 'a/b' }, 'an id of'],
    [
      'an unknown mode',
      'exprot',
      {},
      'mode: "exprot" is not allowed; it must be export, refresh, rollback, publish, agent, search',
    ],
    [
      'a leading slash in a page path',
      'export',
      { 'export-paths': '/guides/a' },
      'a page path without a leading slash',
    ],
    [
      'an address as a page path',
      'export',
      { 'export-paths': 'a\nhttps://x.example/a' },
      'one entry a line, each a page path',
    ],
    [
      'another base path',
      'export',
      { 'project-id': 'p', 'base-path': '/x' },
      'it must be /, /docs, /documentation',
    ],
    [
      'a base path without a project',
      'export',
      { 'base-path': '/docs' },
      'base-path is part of an export by project; give project-id without domain',
    ],
    [
      'pages of an export by project',
      'export',
      { domain: '', 'project-id': 'p', 'export-paths': 'a' },
      'export-paths is part of an export by domain; project-id exports a project',
    ],
    [
      'a version of a job that runs already',
      'export',
      { 'export-job-id': 'j', 'export-version': '2' },
      'export-version is read only where an export is started',
    ],
    ['neither site nor project', 'export', { domain: '' }, 'domain is missing (or give project-id'],
    [
      'an input of another mode',
      'search',
      { 'export-job-id': 'p' },
      'export-job-id belongs to mode export, refresh, rollback, not to search',
    ],
    [
      'a token without a destination',
      'export',
      { 'secret-token': 'ghp_0123456789' },
      'secret-token is read only together with a github:',
    ],
    [
      'clean without a folder',
      'export',
      { clean: 'true' },
      'clean is read only together with extract-to or bundle-path',
    ],
    ['a rollback of no destination', 'rollback', { to: '', 'secret-token': '' }, 'to is missing'],
    ['two kinds of query', 'search', { 'queries-file': 'q.yml' }, 'exclude each other'],
    ['no kind of query', 'search', { query: '' }, 'query or queries-file is missing'],
    ['an unknown key of a filter', 'search', { filter: 'lang=en' }, 'one KEY=VALUE a line'],
    ['a filter without a value', 'search', { filter: 'version=' }, 'one KEY=VALUE a line'],
    [
      'two versions in a filter',
      'search',
      { filter: 'version=1\nversion=2' },
      'one line for version',
    ],
    ['related docs without a site', 'agent', { context: 'diff,docs' }, 'domain is missing'],
  ])('A wrong input is a config error: %s', (_, mode, given, message) => {
    const error = failure(mode, given);
    expectError(error, { code: 'config', message });
    expect(error.message).not.toContain('canary');
  });

  it.each([
    ['language=en version=2', 'language=en\nversion=2'],
    ['version=2, language: en', 'version=2\nlanguage=en'],
    ['tag=getting started and groups=staff', 'tag=getting started\ngroups=staff'],
    ['groups=a\nlanguage=en   version = 2', 'groups=a\nlanguage=en\nversion=2'],
  ])('Several filters in one line are refused with the lines to write: %j', (filter, lines) => {
    const error = failure('search', { filter });
    expect(error.message).toContain('one KEY=VALUE a line');
    expect(error.hint).toMatchObject({ inputs: { filter: lines } });
  });

  it.each([
    'language=en version=2 version=3',
    'language=en lang=de',
    'version=2 note=x language=en',
  ])(
    'Several filters in one line of which one is not certain are refused without lines: %s',
    (filter) => {
      const { hint } = failure('search', { filter });
      expect(hint).toMatchObject({ inputs: {} });
    },
  );

  it.each(['tag=getting started', 'groups=beta testers, all', 'version=2.0 (latest)', 'tag=a = b'])(
    'A filter whose value has spaces is one filter: %s',
    (filter) => expect(read('search', { filter })).toMatchObject({ mode: 'search' }),
  );

  it.each([
    ['domain', 'svc_canary0123456789abcdef'],
    ['to', 'ghp_canary0123456789ABCDEFghijkl'],
    ['mode', 'svc_dsc_canary-0123456789'],
  ])('A wrong input is not shown if a key was given as %s', (input, value) => {
    const { message } = failure(input === 'to' ? 'refresh' : 'export', { [input]: value });
    expect(message).toMatch(new RegExp(`${input}: (the value|one of its lines) is not allowed`));
    expect(message.toLowerCase()).not.toContain('canary');
  });

  it('A wrong input is reported together with all the others', () => {
    const { message } = failure('export', {
      'admin-api-key': '',
      domain: 'a b',
      timeout: 'soon',
      'dry-run': 'maybe',
      'on-timeout': 'cry',
    });
    expect(message.split('\n')).toHaveLength(6);
    expect(message).toContain('5 inputs are wrong');
  });

  it('A number that is not written in plain digits is a wrong input', () => {
    const numbers = [
      'NaN',
      '-1',
      '1e9',
      'Infinity',
      '10m',
      '0x10',
      '1_0',
      '+5',
      ' 5 5',
      '٣',
      '5.0',
      '9'.repeat(30),
    ];
    for (const value of numbers)
      expect(failure('search', { 'min-results': value }).message).toContain('min-results');
    for (const value of numbers)
      expect(failure('export', { 'min-pages': value }).message).toContain('min-pages');
  });

  it('A wrong input is reported for any text, and no other error is thrown', () => {
    const name = fc.constantFrom(...Object.keys(INPUTS).filter((input) => input !== 'mode'));
    const value = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(COMPLETE)), name, value, (mode, input, text) => {
        try {
          return read(mode, { [input]: text }).mode === mode;
        } catch (error) {
          return (
            error instanceof CourierError &&
            error.code === 'config' &&
            !error.message.includes('canary')
          );
        }
      }),
    );
  });
});

describe('a common mistake', () => {
  it.each<[string, string, Given, string]>([
    [
      'base-url with the path of a call',
      'export',
      { 'base-url': 'https://api.example.com/tenant/v1/static-export/jobs' },
      'base-url: "https://api.example.com/tenant/v1/static-export/jobs" is not allowed; it must be the address that all paths of the API begin with, without /v1/static-export/jobs',
    ],
    [
      'a key in quotes',
      'export',
      { 'admin-api-key': `"${ADMIN}"` },
      'admin-api-key: the value is not allowed; it must be an admin API key: one line of printable ASCII characters, without spaces, quotes and $ * < > { } \\',
    ],
    [
      'the title of a site',
      'export',
      { domain: 'Acme Docs' },
      'domain: "Acme Docs" is not allowed; it must be a host name such as docs.example.com, without spaces',
    ],
    ['no mode', '', {}, 'mode is missing; it must be MODES'],
    [
      'a mode that nothing is like',
      'deploy-it',
      {},
      'mode: "deploy-it" is not allowed; it must be MODES',
    ],
  ])('A common mistake is answered with what is allowed: %s', (_, mode, given, line) => {
    const { message } = failure(mode, given);
    expect(message.split('\n').slice(1)).toContain(`- ${line.replace('MODES', MODES.join(', '))}`);
    expect(message).not.toContain('canary');
  });

  it.each([
    ['admin-api-key', 'secrets.PORTAL_KEY', '  admin-api-key: ${{ secrets.PORTAL_KEY }}'],
    ['admin-api-key', '{{ secrets.portal }}', '  admin-api-key: ${{ secrets.portal }}'],
    ['admin-api-key', '$ACME_KEY', '  admin-api-key: ${{ secrets.ACME_KEY }}'],
    ['admin-api-key', '${{ env.PORTAL }}', '  admin-api-key: ${{ env.PORTAL }}'],
    ['secret-token', 'ROBOT_TOKEN_2', '  secret-token: ${{ secrets.ROBOT_TOKEN_2 }}'],
    ['github-token', 'github.token', '  github-token: ${{ github.token }}'],
  ])(
    'The name of a secret in %s is not sent: %s is shown, with the line that hands it over',
    (name, value, line) => {
      const { message, hint } = failure('refresh', {
        'compare-with': 'previous',
        comment: 'true',
        [name]: value,
      });
      expect(message).toContain(
        `${name}: "${value}" is not allowed; it must be the value itself, not the name of`,
      );
      expect(showHint(hint ?? '', MANNERS.workflow)).toContain(line);
      expect(secretsOf('admin-api-key', value)).toEqual([]);
    },
  );

  it.each([
    'svc_KEY_0123456789abcdef',
    'MONKEY_BUSINESS',
    'A9_KEY_X7Q2M4K8P1Z5',
    'svc_secrets.portal',
  ])('A key that has words of a name in it is a key, and is not shown: %s', (value) => {
    expect(read('export', { 'admin-api-key': value })).toMatchObject({ adminApiKey: value });
    expect(secretsOf('admin-api-key', value)).toEqual([value]);
  });

  it.each([
    ['export', 'extract-to', '/home/runner/work/app/app/site'],
    ['export', 'to', 'file:/actions-runner/_work/app/app/out/link'],
    ['search', 'baseline-file', '/opt/work/app/app/baseline.json'],
  ])(
    'Mode %s in a container refuses %s with the path of the workspace on the machine: %s',
    (mode, name, path) => {
      const given = readActionInputs(environment(mode, { [name]: path }));
      const destination = { ...PLACE, workspace: '/__w/app/app' };
      expect(() => readInputs(given, destination)).toThrow(
        'whose workspace is /__w/app/app: write it relative to that',
      );
    },
  );

  it.each([
    '/home/runner/work/app/app/site',
    '/__w/app/app/site',
    '/mnt/homework/app/site',
    'work/app/app/site',
  ])('The path %s is taken as it is, in a container and outside of one', (path) => {
    const inside = path.startsWith('/home') ? '/home/runner/work/app/app' : '/__w/app/app';
    const given = readActionInputs(environment('export', { 'extract-to': path }));
    expect(() => readInputs(given, { ...PLACE, workspace: inside })).not.toThrow();
  });

  it('A path in the workspace names the file of required-pages, also in a container, and another one is a page', () => {
    const at = (workspace: string, path: string) => {
      const given = readActionInputs(environment('export', { 'required-pages': path }));
      return readInputs(given, { ...PLACE, workspace });
    };
    for (const workspace of ['/__w/app/app', '/home/runner/work/app/app', '/builds/acme/app']) {
      const file = `${workspace}/pages.txt`;
      expect(at(workspace, file)).toMatchObject({ requiredPages: { file } });
    }
    expect(at('/__w/app/app', '/guide/start')).toMatchObject({
      requiredPages: { pages: ['/guide/start'] },
    });
  });

  it.each([
    '<your-api-key>',
    'svc_****************1234',
    `Bearer ${ADMIN}`,
    `'${ADMIN}'`,
    '{"key":"svc_abcdefgh"}',
  ])('What stands for a key is not accepted as one, and not shown: %s', (value) => {
    for (const given of [
      { 'admin-api-key': value },
      { to: 'github:secret/DOCS_URL', 'secret-token': value },
    ]) {
      const { message } = failure('export', given);
      expect(message).toContain('the value is not allowed');
      expect(message).not.toContain(value.slice(3));
    }
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])(
    'An input with a name that every object has does not exist: %s',
    (name) => {
      const source = readActionInputs(environment('export', {}));
      const given = { ...source, unknownNames: () => [name] };
      expect(() => readInputs(given, PLACE)).toThrow(`unknown input ${name}; remove it`);
    },
  );

  it.each([
    ['"site"', 'a path without quotes'],
    ["'out/site'", 'a path without quotes'],
    ['`site`', 'a path without quotes'],
    ['${{ inputs.folder }}', 'a path; an expression is replaced in a workflow only'],
    ['$OUT', 'a path; $OUT is replaced by a shell only, and not here'],
    ['out/$NAME/a', '$NAME is replaced by a shell only'],
    ['${GITHUB_WORKSPACE}/site', '${GITHUB_WORKSPACE} is replaced by a shell only'],
    ['$(pwd)/site', '$(pwd) is replaced by a shell only'],
    ['out\\$NAME', '$NAME is replaced by a shell only'],
    ['$env:TEMP\\site', '$env:TEMP is replaced by a shell only'],
    ['%TEMP%\\a\\b', '%TEMP% is replaced by a shell only'],
    ['~', '~ is replaced by a shell only'],
    ['~maya/site', '~maya is replaced by a shell only'],
    ['out/*', 'the path of one file or folder, without *'],
    ['file:site', 'file: begins an address'],
    ['s3://bucket/site', 's3: begins an address'],
  ])('A path is taken as it is written, so %s is refused', (path, text) => {
    expect(whyNoPath(path)).toContain(text);
  });

  it.runIf(sep === '/').each(['C:\\docs\\site', 'c:/docs/site', 'out\\site', '\\\\server\\share'])(
    'A path of Windows on another system is refused: %s',
    (path) =>
      expect(whyNoPath(path)).toBe('a path with / between folders, since this is not Windows'),
  );

  it.each([
    'site',
    '/tmp/site',
    'a$b',
    '~a b/site',
    'a~/b',
    '100%',
    'a%20b',
    '%41%',
    "it's",
    '"a',
    'C',
    'a:b',
  ])('A path that only looks like one of a shell is taken as it is: %s', (path) =>
    expect(whyNoPath(path)).toBeUndefined(),
  );

  it('No path input takes an address, or a character that ends the names of the system', () => {
    for (const [path, why] of [
      ['https://files.example.com/q', 'a path; https: begins an address'],
      ['a\0b', 'one path, without control characters'],
      ['a\nb', 'one path, without control characters'],
    ] as const) {
      const line = expect.stringContaining(`is not allowed; it must be ${why}`);
      expect(failure('export', { 'extract-to': path }).message).toEqual(line);
      expect(failure('search', { 'queries-file': path }).message).toEqual(line);
    }
  });

  it.each([
    '${{ runner.temp }}/q',
    '${GITHUB_WORKSPACE}/q',
    '$env:TEMP\\q',
    '%TEMP%\\q',
    '$(pwd)/q',
    '~maya/q',
    'C:\\q',
  ])('No path input takes what only a shell, a workflow or another system replaces: %s', (path) => {
    for (const name of ['bundle-path', 'extract-to', 'compare-with', 'required-pages']) {
      expect(failure('export', { [name]: path }).message).toContain(`${name}: `);
    }
    for (const name of ['baseline-file', 'queries-file']) {
      expect(failure('search', { [name]: path }).message).toContain(`${name}: `);
    }
    expect(failure('export', { to: `file:${path}` }).message).toContain('file:PATH');
  });

  it.each([
    '$GITHUB_WORKSPACE/.github/docs-agent.md',
    '${{ github.workspace }}/docs-agent.md',
    '%CI_PROJECT_DIR%/docs-agent.md',
    '~/docs-agent.md',
    "'docs-agent.md'",
    '.github\\docs-agent.md',
    'C:/docs/docs-agent.md',
    '/github/workspace/docs-agent.md',
    './docs-agent.md',
    '.github/../docs-agent.md',
    'docs//docs-agent.md',
    'docs/',
  ])(
    'The path of prompt-file is taken as it is from the root of the repository, so %s is refused',
    (path) => {
      expect(failure('agent', { 'prompt-file': path }).message).toMatch(
        /prompt-file: .*it must be a path from the root of the repository/,
      );
    },
  );

  it.each(['docs-agent.md', '.github/a $b %41 (1).md', "it's/100%.md"])(
    'The path of prompt-file may have this character in a name: %s',
    (path) => expect(read('agent', { 'prompt-file': path })).toMatchObject({ promptFile: path }),
  );

  it('A file: address may have other letters than ASCII, as bytes', () => {
    expect(read('export', { to: 'file:out/%C3%A9a%20b' })).toMatchObject({
      outputFiles: [{ path: '/workspace/out/éa b' }, { path: '/workspace/out/éa b.state.json' }],
    });
  });

  it.each(['admin-api-key', 'base-url'])(
    'An empty %s is answered with the reasons that fit the run',
    (name) => {
      const { message, hint } = failure('export', {
        'admin-api-key': ADMIN,
        domain: 'docs.example.com',
        [name]: '',
      });
      expect(message).toBe(`An input is wrong:\n- ${name} is empty`);
      expect(hint).toEqual({
        text: 'Correct it; nothing was sent. A secret or variable is empty in this run if its name is misspelled; or it is not shared.',
        inputs: { [name]: '' },
      });
    },
  );
});

describe('values in the wrong place', () => {
  const LETTERS = 'aB3dE5gH7jK2mN4pQ6rS8tU9vW1xY0z'.repeat(4);
  const HEX = '3f9a1c7e5b2d8046'.repeat(4);
  const FOREIGN_KEYS = [
    ['a GitHub token', `ghp_${LETTERS.slice(0, 36)}`],
    ['a GitHub token', `ghs_${LETTERS.slice(0, 36)}`],
    ['a GitHub token', 'gho_abcdefghij0123456789'],
    ['a GitHub token', `github_pat_${LETTERS.slice(0, 82)}`],
    ['a GitLab token', 'glpat-abcdefghij0123456789'],
    ['a Vault token', 'hvs.abcdefghij0123456789'],
    ['a Slack token', `xoxb-123456789012-${LETTERS.slice(0, 24)}`],
    ['an AWS access key', 'AKIAIOSFODNN7EXAMPLE'],
    ['an npm token', `npm_${LETTERS.slice(0, 36)}`],
    ['an OpenAI key', `sk-${LETTERS.slice(0, 48)}`],
    ['an OpenAI key', `sk-proj-${LETTERS.slice(0, 80)}`],
    ['an Anthropic key', `sk-ant-api03-${LETTERS.slice(0, 93)}`],
    ['a Google API key', `AIza${LETTERS.slice(0, 35)}`],
    ['a Hugging Face token', `hf_${LETTERS.slice(0, 34)}`],
    ['a DigitalOcean token', `dop_v1_${HEX}`],
    ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${LETTERS.slice(0, 80)}`],
    [
      'a JSON Web Token',
      `eyJ${LETTERS.slice(0, 20)}.eyJ${LETTERS.slice(0, 40)}.${LETTERS.slice(0, 43)}`,
    ],
  ] as const;

  it.each(FOREIGN_KEYS)('What looks like %s is not a platform key: %s', (kind, token) => {
    for (const [mode, key] of [
      ['export', 'admin-api-key'],
      ['search', 'assistant-api-key'],
    ] as const) {
      const { message } = failure(mode, { [key]: token });
      expect(message).toContain(`this one looks like ${kind}`);
      expect(message).not.toContain(token.slice(4, 12));
    }
  });

  it.each([
    [
      'secret-token',
      { to: 'github:secret/DOCS_URL' },
      'an npm token',
      `npm_${LETTERS.slice(0, 36)}`,
    ],
    ['secret-token', { to: 'github:secret/DOCS_URL' }, 'an AWS access key', 'AKIAIOSFODNN7EXAMPLE'],
    [
      'vault-token',
      { to: 'vault:secret/docs#link', 'vault-address': 'https://vault.example.com' },
      'a GitHub token',
      `ghp_${LETTERS.slice(0, 36)}`,
    ],
  ] as const)('%s does not take a token of another service', (name, given, kind, token) => {
    const { message } = failure('export', { ...given, [name]: token });
    expect(message).toContain(
      `${name}: the value is not allowed; it must be a token of another kind`,
    );
    expect(message).toContain(`this one looks like ${kind}`);
    expect(message).not.toContain(token.slice(4, 12));
  });

  it('Another key of the platform is not accepted as a token, nor a key of it in live-headers', () => {
    const other = `${ADMIN.slice(0, ADMIN.indexOf('_') + 1)}anotherKey0123456789`;
    for (const name of ['secret-token', 'github-token']) {
      const { message } = failure('refresh', { to: 'github:secret/DOCS_URL', [name]: other });
      expect(message).toContain("as the platform's key of admin-api-key does");
      expect(message).not.toContain('anotherKey');
    }
    const headers = {
      'live-url': 'https://docs.example.com',
      'live-headers': `Authorization: Bearer ${ADMIN}`,
    };
    expect(failure('export', { 'extract-to': 'site', ...headers }).message).toContain(
      "live-headers: the value is not allowed; it must be headers for the published site; one of them contains the platform's key",
    );
  });

  it.each([
    'github:secret/DOCS_BUNDLE_URL_2026_PRODUCTION',
    'file:out/docs_site_20261123_link.txt',
    'file:out/docs_site_20261123T091500Z_run_12345678901_1.txt',
    `file:out/docs_site_${HEX.slice(0, 40)}.txt`,
    'file:out/docs_3f9a1c7e-5b2d-8046-a1b2-c3d4e5f6a7b8.txt',
  ])('An ordinary name with digits is accepted: %s', (to) => {
    const token: Given = to.startsWith('github:') ? { 'secret-token': 'ghx_0123456789' } : {};
    expect(read('export', { to, ...token })).toMatchObject({ mode: 'export' });
  });

  it.each(['secret-token', 'github-token'])('A platform key is not accepted as %s', (name) => {
    expect(failure('refresh', { to: 'github:secret/DOCS_URL', [name]: ADMIN }).message).toContain(
      `${name}: the value is not allowed; it must be a token; this one is the platform's key of admin-api-key`,
    );
    expect(
      failure('refresh', { to: 'github:secret/DOCS_URL', [name]: ASSISTANT }).message,
    ).toContain(
      `${name}: the value is not allowed; it must be a token; this one is an assistant API key`,
    );
  });

  it.each([
    ['\u201cdocs.example.com\u201d', 'without \u201c (U+201C)'],
    ['docs\u201c.example.com', 'without \u201c (U+201C)'],
    ['docs.ex\u00adample.com', 'without the invisible character U+00AD'],
    ['docs_1.example.com', 'without _ (U+005F)'],
    ['12345', 'not an IP address'],
    ['192.0.2.7', 'not an IP address'],
    ['0x7f.1', 'not an IP address'],
  ])('The domain %s is refused', (domain, expected) => {
    expect(failure('export', { domain }).message).toContain(expected);
  });

  it.each(['m\u00fcller.example', '\u6587\u6863\u3002example', 'DOCS.example.com', 'docs'])(
    'The domain %s is accepted',
    (domain) => {
      expect(read('export', { domain })).toMatchObject({
        domain: expect.stringMatching(/^[a-z0-9.-]+$/),
      });
    },
  );

  /** `''` if the inputs are accepted: not every text that a machine made is recognized as such. */
  const said = (given: Given): string => {
    try {
      read('export', given);
      return '';
    } catch (error) {
      return error instanceof CourierError
        ? `${error.message} ${JSON.stringify(error.hint)}`
        : String(error);
    }
  };

  const LINK = 'https://storage.example.com/bundles/1.tgz?X-Signature=0123456789abcdef0123456789';
  it.each([
    'ghp_abcdefGHIJ0123456789abcdefGHIJ012345',
    'hvs.CAESIJabcdef0123456789',
    'glpat-abcDEF0123456789abcd',
    'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg',
    LINK,
  ])('The value %s is never repeated where a name, an address or a word belongs', (secret) => {
    const token = { 'secret-token': 'ghx_0123456789' };
    const cases: Given[] = [
      { to: `github:secret/${secret}`, ...token },
      { to: `gitlab:project/42/${secret}`, ...token },
      {
        to: `vault:secret/docs#a ${secret}`,
        'vault-token': 'root',
        'vault-address': 'https://vault.example.com',
      },
      { to: `github:secret/A github:secret/${secret}`, ...token },
      { to: secret, ...token },
      { timeout: secret },
      { 'export-paths': `/${secret}` },
      { 'base-url': `${secret} x` },
      { domain: `${secret}/` },
      { 'project-id': `${secret}!`, domain: '' },
      { verify: secret },
    ];
    for (const given of cases) {
      const text = said(given)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, '');
      const own = secret
        .replace('https://storage.example.com', '')
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, '');
      for (let at = 0; at + 12 <= own.length; at += 1) {
        expect(text, JSON.stringify(given)).not.toContain(own.slice(at, at + 12));
      }
    }
  });

  it.each([
    'vault:secret/docs#hvs.CAESIJabcdef0123456789',
    'gitlab:project/42/ghp_abcdefghij0123456789',
    'file:https://storage.example.com/1.tgz',
  ])('The address %s, which holds a value, is refused', (to) => {
    expect(failure('export', { to }).message).toContain(
      'looks like the value of one: a link or a token',
    );
  });
});
