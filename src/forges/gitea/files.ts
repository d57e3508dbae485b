import { CourierError } from '../../errors.ts';
import { ExchangeError } from '../../http/exchange.ts';
import type { Log } from '../../log.ts';
import type { ChangedFile } from '../port.ts';
import type { Calls } from './calls.ts';
import { patchesByPath } from './diff.ts';
import * as replies from './replies.ts';

const DIFF_BYTES = 8 * 1024 * 1024;

/**
 * The changed files with their patches. The list says which commit it is of, the diff does not: where someone pushed while
 * the two were read, no entry names a commit.
 */
export async function readFiles(calls: Calls, number: number, log: Log): Promise<ChangedFile[]> {
  const before = replies.lastPush(await calls.timeline(number));
  const path = ['pulls', `${number}`, 'files'];
  const listed = await calls.readAll(`read the files of pull request ${number}`, path, replies.file);
  const patches = patchesByPath(await readDiff(calls, number, log));
  const after = replies.lastPush(await calls.timeline(number));
  const isSteady = before?.id === after?.id;
  return listed.map((raw) => {
    const file = replies.toFile(raw, patches.get(raw.filename));
    return isSteady ? file : { ...file, commit: undefined };
  });
}

/** Empty where it is too large: then files have no patches. */
async function readDiff(calls: Calls, number: number, log: Log): Promise<string> {
  const path = ['pulls', `${number}.diff`];
  try {
    const limits = { bodyBytes: DIFF_BYTES };
    const reply = await calls.send(`read the diff of pull request ${number}`, { path, limits });
    return reply.body.toString('utf8');
  } catch (error) {
    const isTooLarge =
      error instanceof CourierError && error.cause instanceof ExchangeError && error.cause.fault === 'too-large';
    if (!isTooLarge) throw error;
    log.warning(
      `The diff of pull request ${number} is too large to be read; the agent gets the names of its files only.`,
    );
    return '';
  }
}
