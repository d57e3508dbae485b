/**
 * GitLab pipelines in gitlab-ci-local: the templates, and the whole pipelines of the guide pages.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { GitLabEmulator } from '../../emulator/src/gitlab/emulator.ts';
import { type Emulator, startEmulator } from '../../emulator/src/platform/emulator.ts';
import { COMMAND } from '../../src/ground/published.ts';
import { needTool } from './tools.ts';
import { CHECKOUT, commit, git } from './workspace.ts';

export const PROJECT = 'acme/docs';
// Made up: only the small server of this run accepts it.
export const PROJECT_TOKEN = 'glpat-madeUpForTheseExamples';
const RUN_TIMEOUT_MS = 120_000;
// The address on the pages; here it is the emulator.
const BASE_URL = 'https://api.docs.example.com';

export interface PipelineRun {
  readonly ok: boolean;
  readonly log: string;
}

export interface PipelineOptions {
  /** The text of `.gitlab-ci.yml`. */
  readonly pipeline: string;
  /** In addition to those of a push to the protected default branch. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** The platform, GitLab's API, and a project on disk with the templates in it. */
export class GitLabStage implements AsyncDisposable {
  readonly platform: Emulator;
  readonly gitlab: GitLabEmulator;
  /** The project on disk. */
  readonly folder: string;
  readonly #base: string;
  #pipelines = 1000;

  static async open(): Promise<GitLabStage> {
    const base = mkdtempSync(join(tmpdir(), 'docs-courier-gitlab-'));
    const folder = join(base, 'project');
    mkdirSync(join(folder, 'templates'), { recursive: true });
    cpSync(join(CHECKOUT, 'templates'), join(folder, 'templates'), { recursive: true });
    cpSync(join(CHECKOUT, 'examples/docs-queries.yml'), join(folder, 'docs-queries.yml'));
    const site = {
      'index.md': '# Docs\n\nHello. [Security](/.well-known/security.txt)',
      '.well-known/security.txt': 'Contact: mailto:security@example.com\n',
      'install.md': '# Install\n\nInstall it with one command.',
    };
    const platform = await startEmulator({
      sites: { docs: site, acme: site },
      exportJobs: { advance: 'poll', polls: 2 },
      linkLifetimeMs: 7 * 24 * 3_600_000,
    });
    const gitlab = await GitLabEmulator.start({
      projects: [{ path: PROJECT }, { path: 'acme/app' }],
      tokens: { [PROJECT_TOKEN]: { roles: { acme: 'owner' } } },
    });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'remote', 'add', 'origin', `https://gitlab.example.com/${PROJECT}.git`);
    return new GitLabStage(base, { platform, gitlab, folder });
  }

  private constructor(base: string, parts: Pick<GitLabStage, 'platform' | 'gitlab' | 'folder'>) {
    this.#base = base;
    this.platform = parts.platform;
    this.gitlab = parts.gitlab;
    this.folder = parts.folder;
  }

  /**
   * Runs the pipeline. Each call is a separate pipeline, unless `variables` contains its
   * CI_PIPELINE_ID.
   */
  async run({ pipeline, variables = {} }: PipelineOptions): Promise<PipelineRun> {
    const own = pipeline
      .replaceAll(BASE_URL, this.platform.url)
      .replaceAll(/\bPROJECT_ID\b/g, this.platform.projectId);
    writeFileSync(join(this.folder, '.gitlab-ci.yml'), own);
    commit(this.folder);
    this.#pipelines += 1;
    const given = {
      // gitlab-ci-local says that it is not GitLab, and sets neither source nor protection.
      GITLAB_CI: 'true',
      CI_PIPELINE_SOURCE: 'push',
      CI_COMMIT_REF_PROTECTED: 'true',
      CI_PIPELINE_ID: String(this.#pipelines),
      CI_SERVER_URL: this.gitlab.url,
      DOCS_COURIER_ADMIN_API_KEY: this.platform.keys.admin,
      DOCS_COURIER_ASSISTANT_API_KEY: this.platform.keys.assistant,
      DOCS_COURIER_SECRET_TOKEN: PROJECT_TOKEN,
      ...variables,
    };
    // Variables of a project, which child pipelines have too; those of a flag do not reach them.
    const file = join(this.#base, 'variables.json');
    writeFileSync(file, JSON.stringify(given));
    const project = ['--variables-file', relative(this.folder, file)];
    const tool = realpathSync(needTool('gitlab-ci-local'));
    const isolation = ['--shell-isolation', '--force-shell-executor', '--no-color'];
    const home = [
      '--home',
      join(this.#base, 'home'),
      '--ignore-predefined-vars',
      Object.keys(given).join(','),
    ];
    return this.#spawn([tool, ...isolation, ...home, ...project]);
  }

  /** The home folder of the jobs. */
  get home(): string {
    return this.#base;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.platform.close(), this.gitlab.close()]);
    rmSync(this.#base, { recursive: true, force: true });
  }

  async #spawn(args: readonly string[]): Promise<PipelineRun> {
    const path = [this.#programs(), dirname(process.execPath), process.env.PATH ?? ''].join(
      delimiter,
    );
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { PATH: path, HOME: this.#base },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_TIMEOUT_MS,
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        log += text;
      });
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { ok: code === 0, log };
  }

  /**
   * `npx` starts this checkout instead of the packed file, and refuses every other name; `apt-get`
   * installs nothing.
   */
  #programs(): string {
    const folder = join(this.#base, 'programs');
    mkdirSync(folder, { recursive: true });
    const start = `exec '${process.execPath}' '${join(CHECKOUT, 'src/entry/cli.ts')}' "$@"`;
    const npx = `#!/bin/sh\n[ "npx $1 $2" = '${COMMAND}' ] || { echo "npx: $*" >&2; exit 64; }\nshift 2\n${start}\n`;
    writeFileSync(join(folder, 'npx'), npx);
    writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\n');
    for (const name of ['npx', 'apt-get']) chmodSync(join(folder, name), 0o755);
    return folder;
  }
}

/** The whole pipelines of a page: its YAML blocks that are marked as such. */
export function readPipelines(page: string): string[] {
  const text = readFileSync(join(CHECKOUT, page), 'utf8');
  return [...text.matchAll(/^```yaml gitlab-ci\n([\s\S]*?)^```$/gm)].map(([, yaml = '']) => yaml);
}
