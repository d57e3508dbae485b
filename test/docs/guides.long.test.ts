import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGitHubEmulator } from '../../emulator/src/github/emulator.ts';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { readKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import type { Guide } from './guides.ts';
import { CHECKOUT, codeBlocks, type Ended, Reader, shellBlocks } from './terminals.ts';

// The package is built once; on a loaded machine that takes a minute or two.
const BUILD_MS = 300_000;
const TIMEOUT_MS = 180_000;
const LOCAL = 'run-on-your-own-machine';
const ADMIN_KEY = 'svc_admin0123456789';
const SECRET_TOKEN = 'ghs_mayWriteSecrets0123456789';
const PERSON = 'ghp_aPersonsOwnToken0123456789';

const pathOf = (guide: Guide) => `docs/how-to/${guide}.md`;

function expectDone({ exitCode, output }: Ended): string {
  expect(exitCode, output).toBe(0);
  return output;
}

/**
 * The reader who follows the guide to the command line first; everyone else uses what that one
 * installed.
 */
let installer: Reader;
let clone = '';

beforeAll(async () => {
  installer = new Reader();
  const [install = ''] = shellBlocks(pathOf(LOCAL));
  expectDone(await installer.run(install));
  clone = installer.folder;
}, BUILD_MS);

afterAll(() => installer[Symbol.asyncDispose]());

const AUTHORITY = Buffer.from(
  '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
).toString('base64');
/** Prints what the page reads from a cluster. */
const KUBECTL = `case "$*" in
  "config view"*) echo '{"certificate-authority-data":"${AUTHORITY}","server":"https://kubernetes.example.com:6443"}' ;;
  *"create token"*) echo a-token-of-the-account ;;
esac`;

interface Follower {
  readonly reader: Reader;
  /** Runs the commands of the page, one block after the other, and returns their output. */
  follow(change?: (code: string) => string): Promise<string[]>;
}

/** A reader in an empty folder `app`, with the command line if the page says where to get it. */
function readerOf(guide: Guide, standIns: readonly string[] = []): Follower & AsyncDisposable {
  const text = readFileSync(join(CHECKOUT, pathOf(guide)), 'utf8');
  const isInstalled = text.includes(`](${LOCAL}.md)`);
  const reader = new Reader({
    packed: join(clone, 'package'),
    standIns,
    ...(isInstalled && { prefix: installer.prefix }),
  });
  mkdirSync(join(reader.folder, 'app'));
  reader.folder = join(reader.folder, 'app');
  return {
    reader,
    async follow(change = (code) => code) {
      const outputs: string[] = [];
      for (const code of shellBlocks(pathOf(guide)))
        outputs.push(expectDone(await reader.run(change(code))));
      return outputs;
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

/** A program of the reader, which is recorded as well. */
function addProgram(reader: Reader, name: string, script: string): void {
  const call = `printf '%s\\n' "${name} $*" >> '${reader.home}/calls'`;
  writeFileSync(join(reader.home, 'programs', name), `#!/bin/sh\n${call}\n${script}\n`, {
    mode: 0o755,
  });
}

/** The reader's clone, next to the folder `app`. */
async function openClone({ reader }: Follower): Promise<void> {
  reader.folder = join(reader.folder, '..');
  await reader.clone();
}

async function startServers() {
  const platform = await startEmulator({
    sites: Object.fromEntries(
      ['acme', 'docs', 'guide', 'api'].map((name) => [name, { 'index.md': `# ${name}\n` }]),
    ),
    exportJobs: { advance: 'poll', polls: 1 },
    keys: { admin: ADMIN_KEY, assistant: 'svc_dsc_assistant0123456789' },
    agentSource: { repository: 'https://github.com/acme/app', ref: 'main' },
  });
  const github = await startGitHubEmulator({
    tokens: {
      [SECRET_TOKEN]: {
        kind: 'app',
        permissions: { secrets: 'write', actions_variables: 'write' },
      },
      [PERSON]: {
        kind: 'pat',
        name: 'maya',
        permissions: { pull_requests: 'write', contents: 'read', issues: 'write' },
      },
    },
    repositories: [{ fullName: 'acme/app', collaborators: { maya: 'admin' } }],
  });
  return {
    platform,
    github,
    async [Symbol.asyncDispose]() {
      await Promise.all([platform.close(), github.close()]);
    },
  };
}
type Servers = Awaited<ReturnType<typeof startServers>>;

/** The variables that a page asks for; GitHub is the emulated one. */
function setVariables(
  { reader }: Follower,
  { platform, github }: Servers,
  more: Readonly<Record<string, string>> = {},
) {
  const variables = {
    DOCS_COURIER_BASE_URL: platform.url,
    DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
    GITHUB_API_URL: github.url,
    ...more,
  };
  return reader.run(
    Object.entries(variables)
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('\n'),
  );
}

function makeRepository({ reader }: Follower, files: Readonly<Record<string, string>>): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: reader.folder });
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://github.com/acme/app.git');
  for (const part of [{}, files]) {
    for (const [path, text] of Object.entries(part)) {
      mkdirSync(join(reader.folder, path, '..'), { recursive: true });
      writeFileSync(join(reader.folder, path), text);
    }
    git('add', '-A');
    git(
      '-c',
      'user.name=Maya',
      '-c',
      'user.email=maya@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'Change',
    );
  }
}

function yamlOf(guide: Guide): string {
  return codeBlocks(pathOf(guide)).find(({ language }) => language === 'yaml')?.code ?? '';
}

/** Status, address and heading of a page, as a reader gets it. */
async function readPage(address: string): Promise<readonly unknown[]> {
  const reply = await fetch(address);
  const [, heading = ''] = /<h1[^>]*>(?:<[^>]*>)*([^<]+)/.exec(await reply.text()) ?? [];
  return [reply.status, new URL(reply.url).pathname, heading.trim()];
}

describe('the commands of the guides', () => {
  test(
    'The guide to your own machine works to the letter: it installs, exports, shows the site, refreshes and searches',
    async () => {
      const [, server = '', doctor = '', unpack = '', serve = '', link = '', search = '', ...more] =
        shellBlocks(pathOf(LOCAL));
      expect(more).toEqual([]);
      installer.folder = join(installer.home, 'work');
      await installer.serveEmulator(server);
      expect(expectDone(await installer.run(doctor))).toMatch(/none of \d+ checks failed/);
      expect(expectDone(await installer.run(unpack))).toMatch(/^Status: completed$/m);
      await installer.look(serve, /^Serving .* Stop with Ctrl\+C\.$/m, async (printed) => {
        const [address = ''] = /^http:\/\/127\.0\.0\.1:\d+\/$/m.exec(printed) ?? [];
        expect(await readPage(address)).toEqual([200, '/', 'Start']);
        expect(await readPage(`${address}install`)).toEqual([200, '/install', 'Install']);
        expect(await readPage(`${address}install.html`)).toEqual([200, '/install.html', 'Install']);
        expect(await readPage(`${address}setup`)).toEqual([200, '/install', 'Install']);
        expect((await readPage(`${address}nowhere`))[0]).toBe(404);
      });
      const output = expectDone(await installer.run(link));
      expect(output.match(/Wrote the link to file/g)).toHaveLength(2);
      expect(readFileSync(join(installer.folder, 'link.txt'), 'utf8')).toMatch(
        /^http:\/\/127\.0\.0\.1/,
      );
      writeFileSync(join(installer.folder, 'docs-queries.yml'), yamlOf(LOCAL));
      expect(expectDone(await installer.run(search))).toContain('1 passed');
      await installer.stop();
    },
    TIMEOUT_MS,
  );

  test(
    'The guide to many sites exports two sites, plans those that changed, and refreshes all of them',
    async () => {
      await using servers = await startServers();
      await using guide = readerOf('many-sites');
      makeRepository(guide, { 'docs/guide/new.md': 'new' });
      // The emulated platform has one project.
      const config = yamlOf('many-sites').replaceAll(/\w+_PROJECT_ID/g, servers.platform.projectId);
      writeFileSync(join(guide.reader.folder, 'docs-courier.yml'), config);
      await setVariables(guide, servers, {
        DOCS_COURIER_SECRET_TOKEN: SECRET_TOKEN,
        BEFORE: 'HEAD~1',
      });
      const [exported, planned, refreshed] = await guide.follow();
      expect(exported).toContain('secret GUIDE_BUNDLE_URL of repository acme/app');
      expect(exported).toContain('secret API_BUNDLE_URL of repository acme/app');
      expect(planned).toContain('{"include":[{"site":"guide"}]}');
      expect(refreshed).toMatch(
        /Wrote the link to secret GUIDE_BUNDLE_URL [\s\S]*Wrote the link to secret API_BUNDLE_URL /,
      );
      expect([exported, planned, refreshed].join('')).not.toContain('is not read');
      expect(servers.platform.exportJobs).toHaveLength(2);
    },
    TIMEOUT_MS,
  );

  test(
    'The guide to the agent without a comment instructs it from a clone of the repository',
    async () => {
      await using servers = await startServers();
      await using guide = readerOf('instruct-the-agent-without-a-comment');
      servers.github.addPullRequest({ repository: 'acme/app', number: 12, user: 'maya' });
      makeRepository(guide, {});
      const { projectId } = servers.platform;
      await setVariables(guide, servers, {
        DOCS_COURIER_GITHUB_TOKEN: PERSON,
        DOCS_COURIER_PROJECT_ID: projectId,
      });
      const [output] = await guide.follow();
      expect(output).toContain('was created and is linked to this pull request');
    },
    TIMEOUT_MS,
  );

  test(
    "The guide to the agent tries a fork's pull request without GitHub: the command is sent, and the contributor's text is not",
    async () => {
      await using guide = readerOf('instruct-the-docs-agent');
      const { reader } = guide;
      const [copy = '', servers = '', open = '', instruct = '', others = '', ...more] = shellBlocks(
        pathOf('instruct-the-docs-agent'),
      );
      expect(more).toEqual([]);
      const app = reader.folder;
      await openClone(guide);
      reader.folder = app;
      expectDone(await reader.run(copy));
      expect(existsSync(join(app, '.github/actions/docs-courier/action.yml'))).toBe(true);
      mkdirSync(join(app, 'trial'));
      reader.folder = join(app, 'trial');
      await reader.serveEmulator(servers);
      reader.folder = join(app, 'trial/docs-courier');
      expectDone(await reader.run(open));
      const shown = expectDone(await reader.run(instruct));
      expect(shown).toContain('Docs agent: completed');
      expect(shown).toContain('The docs agent has finished');
      expect(shown).toContain(
        'Title and description: their author lacks the permission to be quoted.',
      );
      expect(/"messages":.*$/m.exec(shown)?.[0]).toContain('document the option --json');
      expect(/"messages":.*$/m.exec(shown)?.[0]).not.toContain('Ignore the maintainers');
      const refused = expectDone(await reader.run(others));
      expect(refused).toContain('contributor has no permission here; a command needs write.');
      expect(refused).toContain(
        `/docs-agent --sha ${'f'.repeat(40)} --job job-1 document the option --json`,
      );
    },
    TIMEOUT_MS,
  );

  test(
    'The guide to a rollback shows what is live and restores the earlier export',
    async () => {
      await using servers = await startServers();
      await using back = readerOf('roll-back');
      await setVariables(back, servers);
      const again = 'docs-courier export --domain acme.example.com --to file:docs-link';
      const first =
        /Started export job (\S+?)\./.exec(expectDone(await back.reader.run(again)))?.[1] ?? '-';
      expectDone(await back.reader.run(again));
      expect((await back.follow()).join('')).toContain(first);
    },
    TIMEOUT_MS,
  );

  test(
    'The guide to Kubernetes works to the letter, with the configuration of the guide to an image: kubectl and gh are recorded, and the trial without a cluster shows the site',
    async () => {
      await using guide = readerOf('deliver-to-kubernetes', ['kubectl', 'gh']);
      const { reader } = guide;
      addProgram(reader, 'kubectl', KUBECTL);
      addProgram(
        reader,
        'gh',
        `case "$*" in *DOCS_KUBECONFIG*) cat > '${reader.home}/kubeconfig' ;; esac`,
      );
      const [secret = '', apply = '', credentials = '', copy = '', look = '', ...trial] =
        shellBlocks(pathOf('deliver-to-kubernetes'));
      const [emulator = '', cluster = '', runs = '', ...more] = trial;
      expect(more).toEqual([]);
      const app = reader.folder;
      await openClone(guide);
      reader.folder = app;
      const [configMap = ''] = shellBlocks('docs/how-to/publish-an-image.md');
      for (const code of [secret, apply, credentials, copy, look, configMap])
        expectDone(await reader.run(code));
      expect(readFileSync(join(app, 'docs.yaml'), 'utf8')).toContain('kind: Deployment');
      const calls = [
        'create namespace docs',
        'create secret generic docs-link',
        'apply -f docs.yaml',
        'create configmap docs-web-server',
      ];
      for (const call of calls) expect(reader.calls).toContain(call);
      expect(existsSync(join(app, '.github/actions/docs-courier/dist/index.js'))).toBe(true);
      const kubeconfig = await readKubeconfig(
        readFileSync(join(reader.home, 'kubeconfig'), 'utf8'),
        {
          context: undefined,
          allowExec: false,
          readFile: () => Promise.reject(new Error('It names no file.')),
        },
      );
      expect(JSON.stringify(kubeconfig)).toContain('kubernetes.example.com');
      expect(JSON.stringify(kubeconfig)).toContain('a-token-of-the-account');

      mkdirSync(join(app, 'trial'));
      reader.folder = join(app, 'trial');
      await reader.serveEmulator(emulator);
      reader.folder = join(app, 'trial/docs-courier');
      await reader.look(cluster, /^Stop it with Ctrl\+C\.$/m, async (printed) => {
        expectDone(await reader.run(/^ {2}export KUBECONFIG=.*$/m.exec(printed)?.[0] ?? ''));
        const output = expectDone(await reader.run(runs));
        expect(output).toContain('deployment/docs: 2 of 2 pods updated, 2 ready; complete');
        expect(
          output.match(/^Wrote the link to key url of Secret docs\/docs-link\.$/gm),
        ).toHaveLength(2);
        expect(output).toContain('<title>Docs Courier');
      });
    },
    TIMEOUT_MS,
  );

  test.each(['any-other-ci', 'gitlab-ci'] as const)(
    'The file that the guide %s packs starts the command line without a registry',
    async (name) => {
      await using guide = readerOf(name);
      const app = guide.reader.folder;
      await openClone(guide);
      await guide.follow();
      guide.reader.folder = app;
      expect(expectDone(await guide.reader.run('npx --yes ./docs-courier.tgz --version'))).toMatch(
        /^\d+\.\d+\.\d+ \((a checkout|commit [0-9a-f]{40})\)$/m,
      );
      if (name === 'gitlab-ci') expect(existsSync(join(app, 'templates/export.yml'))).toBe(true);
    },
    TIMEOUT_MS,
  );

  test.each([
    ['refresh-on-a-schedule', ['docker'], ['docker push registry.']],
    [
      'deliver-to-vault-or-aws',
      ['vault', 'aws'],
      [
        'vault policy write docs-courier -',
        'auth/jwt/role/docs-courier -',
        'create-secret --name docs/link',
        'put-parameter --name /docs/link',
        'create-role',
      ],
    ],
  ] as const)(
    'The commands of the guide %s are complete, and create what its step names',
    async (name, standIns, calls) => {
      await using guide = readerOf(name, standIns);
      await openClone(guide);
      // The step for Jenkins has a test of its own, with the programs of its agent.
      await guide.follow((code) => (code.startsWith('set +x') ? 'true' : code));
      for (const call of calls) expect(guide.reader.calls).toContain(call);
    },
    TIMEOUT_MS,
  );
});
