import { expect, test } from 'vitest';
import { startGitHubEmulator } from '../../../emulator/src/github/emulator.ts';
import { createOctokit } from '../../../src/github/client.ts';
import { Http } from '../../../src/http/http.ts';
import { parseAddress } from '../../../src/inputs/parse-address.ts';
import { Fleet, type Site, type SiteEnd } from '../../../src/publish/all-sites/fleet.ts';
import type { StoreLists } from '../../../src/stores/kinds.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { ADMIN_KEY, SECRET_TOKEN } from '../../support/make-inputs.ts';
import { recordingLog } from '../../support/recording-log.ts';

function siteOf(name: string, to: string): Site {
  const parsed = parseAddress(to);
  if (!parsed.ok) throw new Error(`${to} is no address.`);
  const source = { value: () => '' } as unknown as Site['source'];
  return { name, source, addresses: [parsed.value], adminApiKey: ADMIN_KEY };
}

test('A limit of another server than GitHub leaves no site on GitHub for a later run', async () => {
  const clock = fakeClock({ now: Date.now() });
  const log = recordingLog();
  const { signal } = new AbortController();
  const github = await startGitHubEmulator({
    tokens: { [SECRET_TOKEN]: { permissions: { secrets: 'write' } } },
    repositories: [{ fullName: 'acme/docs' }],
    rateLimit: 5000,
  });
  const http = new Http({ clock, log, signal, random: () => 0 });
  const octokit = await createOctokit({ token: SECRET_TOKEN, apiUrl: github.url, signal, http });
  const refresh = async (site: Site, lists: StoreLists): Promise<SiteEnd> => {
    const end = { site: site.name, changed: false, expiresAt: undefined, text: '' };
    if (site.name.startsWith('elsewhere'))
      return { ...end, exitCode: 1, status: 'failed', errorCode: 'rate-limited' };
    // Its reply says how many requests are left.
    lists.github.watch(octokit);
    await octokit.request('GET /repos/acme/docs');
    return { ...end, exitCode: 0, status: 'completed', errorCode: undefined };
  };
  const sites = [
    siteOf('first', 'github:repo/acme/docs/FIRST'),
    ...['1', '2', '3', '4'].map((one) => siteOf(`elsewhere-${one}`, `file:${one}`)),
    siteOf('second', 'github:repo/acme/docs/SECOND'),
  ];
  const ends = await new Fleet({
    sites,
    repository: 'acme/docs',
    serverUrl: 'https://github.com',
    refresh,
    clock,
    log,
  }).refresh();
  await github.close();
  expect(ends.at(-1)?.status).toBe('completed');
});
