import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { Program, serverProgram } from './program.ts';

const run = promisify(execFile);

interface GiteaReply {
  readonly status: number;
  readonly body: unknown;
}

/** A real Gitea on SQLite, installed, without mail and without a runner. */
export class GiteaServer implements AsyncDisposable {
  readonly url: string;
  /** Of the administrator `root-admin`, with all scopes. */
  readonly adminToken: string;
  /** The SQLite file. */
  readonly database: string;
  readonly #command: (...args: readonly string[]) => Promise<string>;
  readonly #parts: AsyncDisposableStack;
  #tokens = 0;

  private constructor(
    init: { url: string; adminToken: string; folder: string },
    command: GiteaServer['command'],
    parts: AsyncDisposableStack,
  ) {
    const { url, adminToken, folder } = init;
    this.url = url;
    this.database = join(folder, 'gitea.db');
    this.adminToken = adminToken;
    this.#command = command;
    this.#parts = parts;
  }

  static async start(): Promise<GiteaServer> {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'gitea-'));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const program = serverProgram('gitea');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = join(folder, 'app.ini');
    await writeFile(config, settings(folder, dirname(program), url, port));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GITEA_WORK_DIR: folder };
    // As root it prints a warning first; the result is the last line.
    const command = async (...args: readonly string[]) => {
      const { stdout } = await run(program, [...args, '--config', config], { env, cwd: folder });
      return stdout.trim().split('\n').at(-1) ?? '';
    };
    await command('migrate');
    await command(
      ...[
        'admin',
        'user',
        'create',
        '--admin',
        '--username',
        'root-admin',
        '--email',
        'root@example.com',
      ],
      ...PASSWORD,
    );
    const name = ['--username', 'root-admin', '--token-name', 'tests', '--scopes', 'all', '--raw'];
    const adminToken = await command('admin', 'user', 'generate-access-token', ...name);
    parts.use(
      await Program.start({
        program,
        arguments: ['web', '--config', config],
        env,
        isReady: async () => (await fetch(`${url}/api/healthz`)).ok,
      }),
    );
    return new GiteaServer({ url, adminToken, folder }, command, parts.move());
  }

  /**
   * Runs `gitea ARGS`, such as `admin user create`, on this server's data, and returns the last
   * line of its output.
   */
  command(...args: readonly string[]): Promise<string> {
    return this.#command(...args);
  }

  /** A user, and a token of theirs with these scopes. */
  async addUser(login: string, scopes = 'all'): Promise<string> {
    await this.command(
      ...['admin', 'user', 'create', '--username', login, '--email', `${login}@example.com`],
      ...PASSWORD,
    );
    return this.addToken(login, scopes);
  }

  /** One more token of a user. */
  addToken(login: string, scopes: string): Promise<string> {
    this.#tokens += 1;
    const token = [
      '--username',
      login,
      '--token-name',
      `tests-${this.#tokens}`,
      '--scopes',
      scopes,
      '--raw',
    ];
    return this.command('admin', 'user', 'generate-access-token', ...token);
  }

  /** A request as the administrator that must get this status. */
  async expect(status: number, method: string, path: string, body?: unknown): Promise<GiteaReply> {
    const reply = await this.api(method, path, body);
    if (reply.status === status) return reply;
    throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  }

  /** A request below `/api/v1`, as the administrator or with another token. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    token = this.adminToken,
  ): Promise<GiteaReply> {
    const reply = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

export const GITEA_SECRET_KEY = 'only-for-tests-0123456789abcdef0123456789abcdef';
const PASSWORD = ['--password', 'correct-horse-battery-staple', '--must-change-password=false'];

function settings(folder: string, program: string, url: string, port: number): string {
  return `
APP_NAME = Docs Courier tests
RUN_MODE = prod
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
WORK_PATH = ${folder}
[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
STATIC_ROOT_PATH = ${program}
APP_DATA_PATH = ${join(folder, 'data')}
OFFLINE_MODE = true
DISABLE_SSH = true
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'gitea.db')}
[repository]
ROOT = ${join(folder, 'repositories')}
DEFAULT_BRANCH = main
[security]
INSTALL_LOCK = true
SECRET_KEY = ${GITEA_SECRET_KEY}
PASSWORD_HASH_ALGO = pbkdf2_v2
[service]
DISABLE_REGISTRATION = true
[actions]
ENABLED = true
[log]
MODE = console
LEVEL = Warn
[cron]
ENABLED = false
[cron.start_schedule_tasks]
ENABLED = true
SCHEDULE = @every 3s
[indexer]
ISSUE_INDEXER_TYPE = db
`;
}
