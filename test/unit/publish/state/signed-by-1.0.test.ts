import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readRecord, writeRecord } from '../../../../src/agent/status-record.ts';
import { readState, writeState } from '../../../../src/publish/state/state.ts';

const folder = join(import.meta.dirname, '../../../fixtures/signed');
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const states = z
  .array(
    z.object({
      destination: z.object({
        adminApiKey: z.string(),
        baseUrl: z.string(),
        target: z.string(),
        secretName: z.string(),
      }),
      text: z.string(),
    }),
  )
  .parse(read('states.json'));
const records = z
  .array(
    z.object({
      destination: z.object({ secret: z.string(), repository: z.string(), pullNumber: z.number() }),
      comment: z.number(),
      text: z.string(),
    }),
  )
  .parse(read('records.json'));

// The texts in the fixtures were written before the code was moved into its rooms. They must never change.
describe('what version 1.0 signed stays valid, byte for byte', () => {
  test.each(states)('the state for $destination.target', ({ destination: { target, secretName, ...rest }, text }) => {
    const version1 = { target: target.toLowerCase(), secretName };
    const destination = { ...rest, signed: { address: 'github://github.com/not/signed/by/version/1', version1 } };
    const found = readState(destination, text);
    if (found.kind !== 'valid') throw new Error(`not accepted: ${found.kind}`);
    expect(writeState(destination, { ...found.state, version: 1 })).toBe(text);
  });

  test.each(records)('the record in comment $comment', ({ destination, comment, text }) => {
    const found = readRecord(destination, { id: comment, body: text });
    if (found === undefined) throw new Error('not accepted');
    expect(writeRecord(destination, found)).toBe(text);
  });
});
