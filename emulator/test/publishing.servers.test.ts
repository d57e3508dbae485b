import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { updateStarted } from '../../src/platform/contract.ts';
import { admin, ask, makeLink, startAcme } from '../../test/support/emulator-requests.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import type { Emulator } from '../src/platform/emulator.ts';

const LAG_MS = 20_000;
const SHA = 'a'.repeat(40);
const PUSH = { sha: SHA, content: { 'index.md': '# The new start page' } };

async function start() {
  const clock = fakeClock();
  const emulator = await startAcme({
    sites: { acme: { 'index.md': '# The old start page' } },
    ...{ clock, publishLagMs: LAG_MS },
  });
  return { emulator, clock, [Symbol.asyncDispose]: () => emulator.close() };
}

/** Whether the next export has the new content. */
async function exportsNewContent(emulator: Emulator): Promise<boolean> {
  const reply = await fetch(await makeLink(emulator));
  const tar = gunzipSync(await reply.bytes()).toString();
  const isNew = tar.includes('The new start page');
  expect(tar.includes('The old start page')).toBe(!isNew);
  return isNew;
}

/** Requests an update, and gives what reads it. */
async function update(emulator: Emulator) {
  const { json } = await admin(emulator, `/v1/project/update/${emulator.projectId}`, '');
  const { statusId } = updateStarted.parse(json);
  return async () => (await admin(emulator, `/v1/project/update-status/${statusId}`)).json;
}

describe('updates', () => {
  test('The end of an update, its screenshot and its commit are absent, not null, while they are unknown', async () => {
    await using world = await start();
    const { emulator, clock } = world;
    const read = await update(emulator);
    const running = await read();
    expect(running).toMatchObject({ status: 'queued', summary: '', logs: [] });
    for (const field of ['endedAt', 'screenshot', 'commit'])
      expect(running).not.toHaveProperty(field);
    await emulator.push(PUSH);
    const readNext = await update(emulator);
    clock.advance(LAG_MS);
    expect(await readNext()).toMatchObject({
      status: 'success',
      endedAt: expect.any(String),
      commit: { sha: SHA },
    });
    expect(await readNext()).not.toHaveProperty('screenshot');
  });
});

describe('a rollback of the site', () => {
  test('Updates and pushes succeed and do not go live, until the site returns to the newest build', async () => {
    await using world = await start();
    const { emulator, clock } = world;
    await emulator.rollBack();
    await emulator.push(PUSH);
    const read = await update(emulator);
    clock.advance(LAG_MS);
    expect(await read()).toMatchObject({ status: 'success', commit: { sha: SHA } });
    expect(await exportsNewContent(emulator)).toBe(false);
    emulator.returnToLatest();
    expect(await exportsNewContent(emulator)).toBe(true);
  });

  test('A site goes back to the content that is given', async () => {
    await using world = await start();
    await world.emulator.push(PUSH);
    world.clock.advance(LAG_MS);
    expect(await exportsNewContent(world.emulator)).toBe(true);
    await world.emulator.rollBack({ content: { 'index.md': '# The old start page' } });
    expect(await exportsNewContent(world.emulator)).toBe(false);
    world.emulator.reset();
    await world.emulator.push(PUSH);
    world.clock.advance(LAG_MS);
    expect(await exportsNewContent(world.emulator)).toBe(true);
  });

  test('Another process can roll a site back and end that, with the admin key', async () => {
    await using world = await start();
    const { emulator, clock } = world;
    expect((await admin(emulator, '/__emulator/rollbacks', { site: 'other' })).status).toBe(404);
    expect((await admin(emulator, '/__emulator/rollbacks', {})).status).toBe(201);
    await emulator.push(PUSH);
    clock.advance(LAG_MS);
    expect(await exportsNewContent(emulator)).toBe(false);
    await ask(emulator, '/__emulator/rollbacks', { method: 'DELETE', key: emulator.keys.admin });
    expect(await exportsNewContent(emulator)).toBe(true);
  });
});

describe('previews', () => {
  test('A preview can be opened when its lag is over, has the address of its branch, and publishes nothing', async () => {
    await using world = await start();
    const { emulator, clock } = world;
    await emulator.push({ ...PUSH, branch: 'docs/new' });
    const request = async (branch: string) => {
      const { status, json } = await admin(emulator, `/v1/project/preview/${emulator.projectId}`, {
        branch,
      });
      return { status, ...updateStarted.parse(json) };
    };
    const { status, statusId, previewUrl = '' } = await request('docs/new');
    expect(status).toBe(202);
    expect((await fetch(previewUrl)).status).toBe(404);
    clock.advance(LAG_MS);
    expect((await admin(emulator, `/v1/project/update-status/${statusId}`)).json).toMatchObject({
      status: 'success',
      commit: { sha: SHA, ref: 'docs/new', filesChanged: { modified: ['index.md'] } },
    });
    const page = await fetch(previewUrl);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('The new start page');
    expect(await exportsNewContent(emulator)).toBe(false);
    expect((await request('docs/new')).previewUrl).toBe(previewUrl);
    expect((await request('docs-new')).previewUrl).not.toBe(previewUrl);
  });

  test('The sixth preview in a minute gets 429 with the seconds until the next one is free', async () => {
    await using world = await start();
    const { emulator, clock } = world;
    const path = `/v1/project/preview/${emulator.projectId}`;
    for (let request = 0; request < 5; request += 1) {
      expect((await admin(emulator, path, { branch: `b${request}` })).status).toBe(202);
    }
    const refused = await admin(emulator, path, { branch: 'b6' });
    expect(refused.status).toBe(429);
    clock.advance(Number(refused.headers.get('retry-after')) * 1000);
    expect((await admin(emulator, path, { branch: 'b6' })).status).toBe(202);
  });
});
