import type * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { GiteaApi, GiteaRequest } from '../../gitea/api.ts';
import { ExchangeError, type HttpReply } from '../../http/exchange.ts';
import type { Log } from '../../log.ts';
import type { ChangedFile } from '../port.ts';
import { file, toFile } from '../shared.ts';
import { needing } from './ranks.ts';
import * as replies from './replies.ts';

type Request = Omit<GiteaRequest, 'method'> & { readonly method?: GiteaRequest['method'] };

/** Lists that come whole: comments and timelines have no pages there. */
const LIST_BYTES = 16 * 1024 * 1024;

/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
export class Calls {
  readonly #api: GiteaApi;
  readonly #folder: readonly string[];
  readonly #signal: AbortSignal | undefined;

  constructor(api: GiteaApi, folder: readonly string[], signal: AbortSignal | undefined) {
    this.#api = api;
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Paths are below the repository. */
  async get<T>(what: string, path: readonly string[], schema: z.ZodMiniType<T>): Promise<T> {
    return (await this.read(what, { path }, schema)).value;
  }

  read<T>(what: string, request: Request, schema: z.ZodMiniType<T>): Promise<{ value: T; reply: HttpReply }> {
    const limits = { bodyBytes: LIST_BYTES };
    return needing(what, () => this.#api.readReply(this.#complete({ limits, ...request }), schema));
  }

  readAll<T>(what: string, path: readonly string[], entry: z.ZodMiniType<T>): Promise<T[]> {
    return needing(what, () => this.#api.readAll(this.#complete({ path }), entry));
  }

  send(what: string, request: Request): Promise<HttpReply> {
    return needing(what, () => this.#api.send(this.#complete(request)));
  }

  /** All that happened on a pull request, oldest first. */
  async timeline(number: number): Promise<readonly replies.TimelineEntry[]> {
    const path = ['issues', `${number}`, 'timeline'];
    return (await this.get(`read the timeline of pull request ${number}`, path, replies.timeline)) ?? [];
  }

  #complete(request: Request): GiteaRequest {
    return { method: 'GET', signal: this.#signal, ...request, path: [...this.#folder, ...request.path] };
  }
}

const DIFF_BYTES = 8 * 1024 * 1024;

/**
 * The changed files with their patches. The list says which commit it is of, the diff does not: where someone pushed while
 * the two were read, no entry names a commit.
 */
export async function readFiles(calls: Calls, number: number, log: Log): Promise<ChangedFile[]> {
  const before = replies.lastPush(await calls.timeline(number));
  const path = ['pulls', `${number}`, 'files'];
  const listed = await calls.readAll(`read the files of pull request ${number}`, path, file);
  const patches = patchesByPath(await readDiff(calls, number, log));
  const after = replies.lastPush(await calls.timeline(number));
  const isSteady = before?.id === after?.id;
  return listed.map((raw) => {
    const read = toFile(raw, patches.get(raw.filename));
    return isSteady ? read : { ...read, commit: undefined };
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

/**
 * The patches of a diff as `git diff` writes it, by the path that each file has after the change, or had before where it was
 * deleted. In hunks every line begins with a blank, `+`, `-` or `\`, so that no content can look like the head of a file.
 */
export function patchesByPath(diff: string): ReadonlyMap<string, string> {
  const patches = new Map<string, string>();
  for (const section of diff.split(/^(?=diff --git )/m)) {
    const start = section.search(/^@@ /m);
    // A binary file, a mode, or a rename without a change.
    if (start < 0) continue;
    const head = section.slice(0, start);
    const path = pathOf(head, '+++', 'b/') ?? pathOf(head, '---', 'a/');
    if (path !== undefined) patches.set(path, section.slice(start).replace(/\n$/, ''));
  }
  return patches;
}

function pathOf(head: string, mark: '+++' | '---', prefix: 'a/' | 'b/'): string | undefined {
  const line = head.split('\n').find((one) => one.startsWith(`${mark} `));
  if (line === undefined) return undefined;
  // Git ends a path that holds blanks with a tab.
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
