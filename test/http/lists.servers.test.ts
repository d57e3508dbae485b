import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { JsonApi } from '../../src/http/api.ts';
import { Http } from '../../src/http/http.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { json, type RawReply, startRawServer } from '../support/raw-server.ts';
import { recordingLog } from '../support/recording-log.ts';

/** The list in pages of two, as the server replies to one request after the other. */
async function read(...pages: readonly RawReply[]) {
  const server = await startRawServer(...pages);
  const { signal } = new AbortController();
  const http = new Http({ clock: fakeClock(), log: recordingLog(), signal });
  const service = { name: 'the forge', addressSetting: 'to' };
  const api = new JsonApi(http, service, () => ({ url: server.url, headers: {} }));
  const request = { method: 'GET', path: ['entries'], query: { limit: 2 } } as const;
  const asked = () => server.requests.map(({ head }) => head.match(/page=(\d+)/)?.[1]).join(' ');
  const dispose = () => server[Symbol.asyncDispose]();
  return { list: api.listAll(request, 2, z.number()), asked, [Symbol.asyncDispose]: dispose };
}

const ofThree = ['x-total-count: 3'];

test.each([
  ['at a page that is not full', [json(200, [1, 2]), json(200, [3])], [1, 2, 3]],
  ['at an empty page', [json(200, [1, 2]), json(200, [])], [1, 2]],
  [
    'with as many entries as the server says, in smaller pages than were asked for',
    [1, 2, 3].map((entry) => json(200, [entry], ofThree)),
    [1, 2, 3],
  ],
  [
    'at an empty page if an entry was removed while the pages were read',
    [json(200, [1, 2], ofThree), json(200, [], ofThree)],
    [1, 2],
  ],
  [
    'with as many entries as the server says, in a full page',
    [json(200, [1, 2], ['x-total-count: 2'])],
    [1, 2],
  ],
  [
    'at a page that is not full, and not at a full one with more entries than the server says',
    [json(200, [1, 2], ['x-total-count: 1']), json(200, [3], ['x-total-count: 1'])],
    [1, 2, 3],
  ],
])('A list ends %s', async (_, pages, entries) => {
  await using reading = await read(...pages);
  expect(await reading.list).toEqual(entries);
  expect(reading.asked()).toBe(pages.map((_page, at) => at + 1).join(' '));
});

test('A list without an end is an error after 100 pages, and no part of it counts as the whole', async () => {
  await using reading = await read(json(200, [1, 2]));
  expectError(await failureOf(reading.list), {
    code: 'protocol',
    message: 'The list entries has more than 100 pages.',
  });
  expect(reading.asked().split(' ')).toHaveLength(100);
});
