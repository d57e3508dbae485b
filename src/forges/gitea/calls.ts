import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { GiteaApi } from '../../gitea/api.ts';
import type { ApiRequest } from '../../http/api.ts';
import { ExchangeError, type HttpReply } from '../../http/exchange.ts';
import type { Log } from '../../log.ts';
import type { ChangedFile } from '../port.ts';
import type { RepositoryCall } from '../rest.ts';
import { file } from '../shared.ts';
import { needing } from './ranks.ts';
import * as replies from './replies.ts';

/** Lists that come whole: comments and timelines have no pages there. */
const LIST_BYTES = 16 * 1024 * 1024;

/** Calls about one repository. Each says `what` it wants, for the message if it is refused. */
export class Calls {
  readonly #api: GiteaApi;
  readonly #folder: readonly string[];
  readonly #signal: AbortSignal | undefined;

  constructor(api: GiteaApi, folder: readonly string[], signal: AbortSignal | undefined) {
    this.#api = api;
    this.#folder = folder;
    this.#signal = signal;
  }

  async read<T>(call: RepositoryCall, schema: z.ZodMiniType<T>): Promise<T> {
    return (await this.readReply(call, schema)).value;
  }

  /** As `read`, with the headers. */
  readReply<T>(call: RepositoryCall, schema: z.ZodMiniType<T>): Promise<{ value: T; reply: HttpReply }> {
    const request = { limits: { bodyBytes: LIST_BYTES }, ...this.#requestOf(call) };
    return needing(call.what, () => this.#api.readReply(request, schema));
  }

  /** A list that comes whole; Gitea writes an empty one as null. */
  async readList<T>(call: RepositoryCall, entry: z.ZodMiniType<T>): Promise<readonly T[]> {
    return (await this.read(call, z.nullable(z.array(entry)))) ?? [];
  }

  /** A list in pages. */
  readPages<T>(call: RepositoryCall, entry: z.ZodMiniType<T>): Promise<T[]> {
    return needing(call.what, () => this.#api.readAll(this.#requestOf(call), entry));
  }

  send(call: RepositoryCall, special: Pick<ApiRequest, 'accepts' | 'limits'> = {}): Promise<HttpReply> {
    return needing(call.what, () => this.#api.send({ ...this.#requestOf(call), ...special }));
  }

  /** All that happened on a pull request, oldest first. */
  timeline(number: number): Promise<readonly replies.TimelineEntry[]> {
    const path = ['issues', `${number}`, 'timeline'];
    return this.readList({ what: `read the timeline of pull request ${number}`, path }, replies.timelineEntry);
  }

  #requestOf({ method = 'GET', path, fields }: RepositoryCall): ApiRequest {
    // A second reaction of the same kind is the first one.
    const repeat = method === 'POST' && path.at(-1) !== 'reactions' ? 'unless-acted' : 'always';
    const given = method === 'GET' ? { query: fields } : { body: fields };
    return { method, path: [...this.#folder, ...path], signal: this.#signal, repeat, ...given };
  }
}

const DIFF_BYTES = 8 * 1024 * 1024;

/** The changed files with their patches. If someone pushed between list and diff, no entry names a commit. */
export async function readChangedFiles(calls: Calls, number: number, log: Log): Promise<ChangedFile[]> {
  const before = replies.lastPush(await calls.timeline(number));
  const call = { what: `read the files of pull request ${number}`, path: ['pulls', `${number}`, 'files'] };
  const listed = await calls.readPages(call, file);
  const patches = patchesByPath(await readDiff(calls, number, log));
  const after = replies.lastPush(await calls.timeline(number));
  const isSteady = before?.id === after?.id;
  return listed.map((read) => {
    return { ...read, patch: patches.get(read.path) ?? read.patch, commit: isSteady ? read.commit : undefined };
  });
}

/** Empty if it is too large: then files have no patches. */
async function readDiff(calls: Calls, number: number, log: Log): Promise<string> {
  const call = { what: `read the diff of pull request ${number}`, path: ['pulls', `${number}.diff`] };
  try {
    const reply = await calls.send(call, { limits: { bodyBytes: DIFF_BYTES } });
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

/**
 * The patches of a diff as `git diff` writes it, by the path that each file has after the change, or had before if it was
 * deleted. In hunks every line begins with a space, `+`, `-` or `\`, so that no content can look like the head of a file. Only
 * `\n` ends a line there: for the flag `m` of an expression U+2028 and a carriage return do so too.
 */
export function patchesByPath(diff: string): ReadonlyMap<string, string> {
  const patches = new Map<string, string>();
  for (const section of diff.split(/(?<=\n)(?=diff --git )/)) {
    const start = section.indexOf('\n@@ ') + 1;
    // A binary file, a mode, or a rename without a change.
    if (start === 0) continue;
    const head = section.slice(0, start);
    const path = pathOf(head, '+++', 'b/') ?? pathOf(head, '---', 'a/');
    if (path !== undefined) patches.set(path, section.slice(start).replace(/\n$/, ''));
  }
  return patches;
}

function pathOf(head: string, mark: '+++' | '---', prefix: 'a/' | 'b/'): string | undefined {
  const line = head.split('\n').find((one) => one.startsWith(`${mark} `));
  if (line === undefined) return undefined;
  // Git ends a path that contains spaces with a tab.
  const written = line.slice(mark.length + 1).replace(/\t$/, '');
  const path = written.startsWith('"') && written.endsWith('"') ? unquote(written.slice(1, -1)) : written;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path as git quotes it: bytes outside of ASCII as `\303`, control characters as in C. */
function unquote(text: string): string {
  const bytes: number[] = [];
  for (const [piece, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(piece));
  }
  return Buffer.from(bytes).toString('utf8');
}
