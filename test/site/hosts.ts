import { readFileSync } from 'node:fs';
import { verifySite } from '../../src/site/verify/verify-site.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';

/** The hosts that `verify: air-gapped` names in a page, in the order of the alphabet. */
export async function namedHosts(html: string): Promise<string[]> {
  await using world = await startWorld(NO_SERVERS);
  world.write('index.html', html);
  const { reportPath } = await verifySite({
    root: world.workspace,
    files: ['index.html'],
    pageCount: undefined,
    basePath: undefined,
    isAirGapped: true,
    runnerTemp: world.runnerTemp,
    signal: new AbortController().signal,
  });
  const text = reportPath === undefined ? '' : readFileSync(reportPath, 'utf8');
  const hosts = text.matchAll(/(?:loads from|opens a connection to) ([\w.-]+)/g);
  return [...new Set(Array.from(hosts, ([, host = '']) => host))].sort();
}

/** A page with a snippet, as `Snippet` has it. */
export function pageWith(html: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title><script></script></head><body><p>Text</p>${html}</body></html>`;
}
