import { expect, test } from 'vitest';
import { tarGz } from '../../site/archives.ts';
import { assertNoLeaks } from '../../support/leaks.ts';
import { startLiveSite, staticHost } from '../../support/live-site.ts';
import { SECRET_INPUTS, startActionWorld, writtenBy } from '../../support/world/built-action.ts';
import { NAME, TARGET } from '../../support/world/names.ts';

const COOKIE = 'canarySession0f1e2d3c4b5a6978';
const TOKEN = 'canaryAccessToken+7f9a/2b4c6d8e';
const page = (text: string) =>
  `<!doctype html><title>Docs</title><body><h1>Docs</h1><p>${text}</p></body>`;

test('A step waits until the site behind a login shows the export, and does not print its headers', async () => {
  await using world = await startActionWorld();
  const archive = tarGz([{ name: 'index.html', content: page('Version 2.') }]);
  await world.platform.addExportJob({ jobId: 'job-1', archive });
  const host = staticHost(() => ({
    'index.html':
      world.github.secret(TARGET, NAME) === undefined ? page('Version 1.') : page('Version 2.'),
  }));
  await using site = await startLiveSite((request) => {
    const { cookie, 'x-access-token': token } = request.headers;
    // The site echoes what it received, in its page and in a header.
    if (cookie !== `session=${COOKIE}` || token !== TOKEN)
      return { status: 401, body: `${cookie} ${String(token)}` };
    return host(request);
  });
  const inputs = {
    ...SECRET_INPUTS,
    'export-job-id': 'job-1',
    'live-url': site.url,
    'live-timeout': '60s',
  };
  const headers = `Cookie: session=${COOKIE}\nX-Access-Token: ${TOKEN}`;
  const result = await world.step({ ...inputs, 'live-headers': headers });
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs).toMatchObject({
    status: 'completed',
    live: 'true',
  });
  expect(JSON.parse(result.outputs.report ?? '')).toMatchObject({
    live: { url: site.url, live: true, afterSeconds: expect.any(Number) },
  });
  expect(result.summary).toContain('Published site');
  assertNoLeaks({ cookie: COOKIE, token: TOKEN }, writtenBy(result));
});
