import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/how-to/serve-the-site.md'), 'utf8');

export type ServerName = 'nginx' | 'caddy';

export interface WebServer extends AsyncDisposable {
  readonly url: string;
}

/** The block below this heading of the guide. */
function blockBelow(heading: string): string {
  return new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';
}

/** What the guide's command makes of the rules of a bundle; `folder` has the unpacked site as `site`. */
export function makeRedirects(name: ServerName, folder: string): string {
  const command = blockBelow('The redirects').replace('cd /srv\n', '').replace('server=nginx', `server=${name}`);
  execFileSync('sh', ['-ec', command], { cwd: folder });
  return readFileSync(join(folder, 'redirects.conf'), 'utf8');
}

/** The configuration in the example of a Helm chart. */
export function chartConfiguration(): string {
  const path = resolve(import.meta.dirname, '../../../examples/chart/templates/web-server.yaml');
  return readFileSync(path, 'utf8').split('  default.conf: |\n')[1] ?? '';
}

/** What the guide adds to the configuration of nginx when every file has the same time. */
export function linesForImages(): string {
  return /add `(etag off;[^`]+)` below `root`/.exec(PAGE)?.[1] ?? '';
}

interface ServerInit {
  readonly name: ServerName;
  readonly program: string;
  /** Has the unpacked site as `site`. */
  readonly folder: string;
  /** Lines below `root`. */
  readonly more?: string | undefined;
  /** Instead of the block in the guide. */
  readonly block?: string | undefined;
}

/** Starts the real server with the configuration of the guide, on another port and folder. */
export async function startServer({ name, program, folder, more = '', ...init }: ServerInit): Promise<WebServer> {
  const home = mkdtempSync(join(tmpdir(), `serve-${name}-`));
  const port = await freePort();
  const block = (init.block ?? blockBelow(name === 'nginx' ? 'nginx' : 'Caddy'))
    .replaceAll('/srv/', `${folder}/`)
    .replaceAll('/usr/share/nginx/html', `${folder}/site`)
    .replace(/^ *root .*\n/m, (line) => `${line}${more}\n`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(':8080', `http://127.0.0.1:${port}`);
  const child = name === 'nginx' ? startNginx(program, home, block) : startCaddy(program, home, block);
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  await whenReady(url, child, errors);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function startNginx(program: string, home: string, block: string): ChildProcess {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`);
  const around = `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${home}/nginx.pid;
events { worker_connections 64; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  ${temp.join('\n  ')}
${block}}
`;
  writeFileSync(join(home, 'nginx.conf'), around);
  const args = ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'];
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function startCaddy(program: string, home: string, block: string): ChildProcess {
  writeFileSync(join(home, 'Caddyfile'), `{\n\tadmin off\n}\n${block}`);
  return spawn(program, ['run', '--config', join(home, 'Caddyfile')], {
    env: { PATH: process.env.PATH ?? '', HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

async function whenReady(url: string, child: ChildProcess, errors: readonly string[]): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${errors.join('')}`);
    const reply = await fetch(url).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply !== undefined) return;
    await delay(20);
  }
}
