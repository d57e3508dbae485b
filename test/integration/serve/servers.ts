import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const CHECKOUT = resolve(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(CHECKOUT, 'docs/how-to/serve-the-site.md'), 'utf8');

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
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const words = [process.execPath, join(CHECKOUT, 'src/entry/cli.ts')].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, 'docs-courier'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const command = blockBelow('The redirects')
    .replaceAll('/srv/', `${folder}/`)
    .replace('--server nginx', `--server ${name}`);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder };
  execFileSync('sh', ['-ec', command], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return readFileSync(join(folder, 'redirects/site.conf'), 'utf8');
}

/** The configuration in the example of a Helm chart. */
export function chartConfiguration(): string {
  const path = resolve(import.meta.dirname, '../../../examples/chart/templates/web-server.yaml');
  return readFileSync(path, 'utf8').split('  default.conf: |\n')[1] ?? '';
}

/** What the guide adds to a configuration when every file has the same time. */
export function linesForImages(name: ServerName): string {
  const [, lines = ''] = /Below `root`, add\s+(for nginx .*?\.) Caddy/s.exec(PAGE) ?? [];
  const [nginx = '', ...caddy] = [...lines.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line);
  return name === 'nginx' ? nginx : caddy.join('\n');
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
    .replace(/^\s*root .*\n/m, (line) => `${line}${more}\n`)
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

interface RawReply {
  readonly status: number;
  /** As it was sent, in the order of the reply. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Sends the target of a request as it is: every other client changes backslashes, tabs and dots first. */
export async function askRaw({ url }: WebServer, target: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`, 'latin1');
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')] as const;
  });
  return { status: Number(first.split(' ')[1]), headers };
}
