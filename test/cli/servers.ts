import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { freePort } from '../support/free-port.ts';
import { spawnServer } from '../support/server-process.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(CHECKOUT, 'docs/how-to/serve-the-site.md'), 'utf8');

export type ServerName = 'nginx' | 'caddy';

export interface WebServer extends AsyncDisposable {
  readonly url: string;
}

/** The block below this heading of the guide. */
function blockBelow(heading: string): string {
  return (
    new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
      PAGE,
    )?.[1] ?? ''
  );
}

/**
 * What the guide's command makes of the rules of a bundle; `folder` has the unpacked site as
 * `site`.
 */
export function makeRedirects(name: ServerName, folder: string): string {
  return runForRedirects(
    blockBelow('The redirects').replace('--server nginx', `--server ${name}`),
    folder,
  );
}

/** Runs a command that writes the redirects below `/srv`, in this folder instead. */
export function runForRedirects(command: string, folder: string): string {
  const program = join(CHECKOUT, 'src/entry/cli.ts');
  const text = command
    .replaceAll('/srv/', `${folder}/`)
    .replace(/^docs-courier(?= redirects)/m, 'node cli.js')
    .replace(/node \S+\.js/, `'${process.execPath}' '${program}'`);
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, HOME: folder, NODE_COMPILE_CACHE };
  execFileSync('sh', ['-ec', text], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return readFileSync(join(folder, 'redirects/site.conf'), 'utf8');
}

/** The configuration in the example of a Helm chart. */
export function chartConfiguration(): string {
  const path = join(CHECKOUT, 'examples/chart/templates/web-server.yaml');
  return (readFileSync(path, 'utf8').split('  default.conf: |\n')[1] ?? '').replace(/^ {4}/gm, '');
}

/** The configuration in the manifests of the guide to Kubernetes. */
export function kubernetesConfiguration(): string {
  const text = readFileSync(join(CHECKOUT, 'examples/kubernetes/docs.yaml'), 'utf8');
  const map = parseAllDocuments(text)
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'ConfigMap');
  return z.string().parse(map.data['default.conf']);
}

/** The configuration of nginx in the guide. */
export const guideConfiguration = () => blockBelow('nginx');

const mountShape = z.object({ name: z.string(), mountPath: z.string() });
const containerShape = z.object({
  name: z.string(),
  args: z.optional(z.array(z.string())),
  volumeMounts: z.array(mountShape),
});
const specShape = z.object({
  initContainers: z.optional(z.array(containerShape)),
  containers: z.array(containerShape),
  volumes: z.array(z.looseObject({ name: z.string() })),
});

/**
 * What the guide on images has to copy for a pod: the configuration of nginx, with the line that it
 * adds, and a pod with redirects.
 */
export function readPodGuide() {
  const page = readFileSync(join(CHECKOUT, 'docs/how-to/publish-an-image.md'), 'utf8');
  const pods = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)]
    .map(([, yaml = '']) => parse(yaml))
    .filter(({ kind }) => kind === 'Pod');
  const [, added = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? [];
  const [, configMap = ''] = / create configmap (\S+) /.exec(page) ?? [];
  return {
    added: added.trim(),
    configuration: guideConfiguration().replace(/^ *root .*\n/m, `$&${added}`),
    configMap,
    spec: specShape.parse(pods[0]?.spec),
  };
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
  /** The path of the site, such as `/handbook`, if it is in a folder of that name. */
  readonly basePath?: string;
}

/** Starts the real server with the configuration of the guide, on another port and folder. */
export async function startServer({
  name,
  program,
  folder,
  more = '',
  ...init
}: ServerInit): Promise<WebServer> {
  const home = mkdtempSync(join(tmpdir(), `serve-${name}-`));
  const port = await freePort();
  const block = (init.block ?? blockBelow(name === 'nginx' ? 'nginx' : 'Caddy'))
    .replaceAll('/srv/', `${folder}/`)
    .replaceAll('/404.html', `${init.basePath ?? ''}/404.html`)
    .replace(/^\s*root .*\n/m, (line) => `${line}${more}\n`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(':8080', `http://127.0.0.1:${port}`);
  const child =
    name === 'nginx' ? startNginx(program, home, block) : startCaddy(program, home, block);
  return whenStarted(child, port, () => rmSync(home, { recursive: true, force: true }));
}

async function whenStarted(
  child: ChildProcess,
  port: number,
  cleanUp: () => void,
): Promise<WebServer> {
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  await whenReady(url, child, errors);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      cleanUp();
    },
  };
}

/** Starts a server that needs no configuration, in the folder that it serves. */
export async function startOther(
  program: string,
  wordsFor: (port: number) => readonly string[],
  site: string,
): Promise<WebServer> {
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', HOME: site };
  const child = spawnServer(program, wordsFor(port), { cwd: site, env });
  return whenStarted(child, port, () => undefined);
}

/** The rows of the guide's table with a column of this server, each with its cells by their heads. */
export function tableWith(server: string): readonly Readonly<Record<string, string>>[] {
  for (const [table] of PAGE.matchAll(/(?:^\|.*\n)+/gm)) {
    const [heads = [], ...rows] = [...table.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
      row.split(' | '),
    );
    const cells = (row: readonly string[]) =>
      Object.fromEntries(heads.map((head, index) => [head, row[index] ?? '']));
    if (heads.some((head) => head.includes(server))) return rows.map(cells);
  }
  throw new Error(`The guide has no table with ${server}`);
}

function startNginx(program: string, home: string, block: string): ChildProcess {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
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
  return spawnServer(program, args);
}

function startCaddy(program: string, home: string, block: string): ChildProcess {
  writeFileSync(join(home, 'Caddyfile'), `{\n\tadmin off\n}\n${block}`);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
  };
  return spawnServer(program, ['run', '--config', join(home, 'Caddyfile')], { env });
}

async function whenReady(
  url: string,
  child: ChildProcess,
  errors: readonly string[],
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode}: ${errors.join('')}`);
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

/**
 * Sends the target of a request as it is: every other client changes backslashes, tabs and dots
 * first.
 */
export async function askRaw({ url }: WebServer, target: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`,
    'latin1',
  );
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')] as const;
  });
  return { status: Number(first.split(' ')[1]), headers };
}
