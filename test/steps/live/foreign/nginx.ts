import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../support/free-port.ts';
import { spawnServer } from '../../../support/server-process.ts';

export interface Nginx extends AsyncDisposable {
  readonly origin: string;
  readonly edge: string;
  /** What the origin serves from now on. */
  publish(files: Readonly<Record<string, string>>): void;
}

/**
 * A real nginx with two servers: an origin that serves a folder of files, and an edge in front of
 * it. `edge` is what the edge's location says besides `proxy_pass`.
 */
export async function startNginx(program: string, { origin = '', edge = '' } = {}): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const [originPort, edgePort] = [await freePort(), await freePort()];
  const site = join(folder, 'site');
  mkdirSync(site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    configOf({ folder, site, originPort, edgePort, origin, edge }),
  );
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const child = spawnServer(program, args);
  const urls = { origin: `http://127.0.0.1:${originPort}`, edge: `http://127.0.0.1:${edgePort}` };
  await whenReady(urls.edge, child);
  return {
    ...urls,
    publish(files) {
      rmSync(site, { recursive: true });
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(site, path)), { recursive: true });
        writeFileSync(join(site, path), text);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Config {
  readonly folder: string;
  readonly site: string;
  readonly originPort: number;
  readonly edgePort: number;
  readonly origin: string;
  readonly edge: string;
}

function configOf({ folder, site, originPort, edgePort, origin, edge }: Config): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  ${temp.join('\n  ')}
  types { text/html html; }
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:${originPort};
    location / {
      root ${site};
      ${origin || 'try_files $uri $uri.html $uri/index.html =404;'}
    }
  }
  server {
    listen 127.0.0.1:${edgePort};
    location / {
      proxy_pass http://127.0.0.1:${originPort};
      ${edge}
    }
  }
}
`;
}

async function whenReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    const reply = await fetch(url).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply !== undefined) return;
    await delay(20);
  }
}
