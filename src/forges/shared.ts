import { Buffer } from 'node:buffer';
import * as z from 'zod/mini';
import { CourierError, hasCode } from '../errors.ts';
import { plainLine } from '../text/escape.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  DefaultFile,
  OwnAuthor,
  PromptTrigger,
  PullAddress,
  PullChange,
  PullRequest,
  Trigger,
} from './port.ts';

/** What GitHub and Gitea have in common. Only what is read of a reply is described: a field that is missing has a name then. */

/** Replies of the REST API. `account` reads what the forge says of an account. */
export function createReplies(account: z.ZodMiniType<Account>) {
  const authored = { user: z.nullable(account) };
  const comment = z.object({
    ...authored,
    id: z.number(),
    html_url: z.string(),
    body: z.nullish(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  });
  return {
    comment,
    reviewComment: z.extend(comment, { path: z.string(), diff_hunk: z.string() }),
    /** Without what says that it is locked, which has two names. */
    pullRequest: z.object({
      ...authored,
      number: z.number(),
      html_url: z.string(),
      title: z.string(),
      body: z.nullish(z.string()),
      state: z.enum(['open', 'closed']),
      merged: z.boolean(),
      merge_commit_sha: z.nullish(z.string()),
      labels: z.nullable(z.array(z.object({ name: z.string() }))),
      base: z.object({ ref: z.string() }),
      head: z.object({ ref: z.string(), sha: z.string(), repo: z.nullable(z.object({ full_name: z.string() })) }),
      changed_files: z.number(),
    }),
    reaction: z.object({ content: z.string(), ...authored }),
  };
}

type Replies = ReturnType<typeof createReplies>;

export function toPullRequest(raw: z.infer<Replies['pullRequest']>, locked: boolean): PullRequest {
  return {
    number: raw.number,
    url: raw.html_url,
    title: raw.title,
    body: raw.body ?? '',
    author: raw.user ?? undefined,
    state: raw.state,
    merged: raw.merged,
    locked,
    labels: (raw.labels ?? []).map(({ name }) => name),
    // Of an open pull request, it is a commit that was merged to try it.
    mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
    base: raw.base,
    head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
    changedFiles: raw.changed_files,
  };
}

export function toComment(raw: z.infer<Replies['comment']>): Comment {
  return {
    id: raw.id,
    author: raw.user ?? undefined,
    body: raw.body ?? '',
    url: raw.html_url,
    createdAtMs: Date.parse(raw.created_at),
    updatedAtMs: Date.parse(raw.updated_at),
    diff: undefined,
  };
}

export function toReviewComment(raw: z.infer<Replies['reviewComment']>, line: number | undefined): Comment {
  return { ...toComment(raw), diff: { path: raw.path, line, hunk: raw.diff_hunk } };
}

export const file = z.object({
  filename: z.string(),
  previous_filename: z.optional(z.string()),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.optional(z.string()),
  contents_url: z.optional(z.string()),
});

export function toFile(raw: z.infer<typeof file>, patch = raw.patch): ChangedFile {
  const { filename: path, previous_filename: before, status, additions, deletions, contents_url: url = '' } = raw;
  const commit = URL.canParse(url) ? (new URL(url).searchParams.get('ref') ?? undefined) : undefined;
  return { path, previousPath: before || undefined, status, additions, deletions, patch, commit };
}

export const numbered = z.object({ number: z.number() });

/** An event of a run, as the forge delivers it. */
interface RunEvent {
  readonly name: string;
  readonly payload: unknown;
}

interface EventReaderInit {
  /** `GitHub`, in messages. */
  readonly forge: string;
  readonly account: z.ZodMiniType<Account>;
  /** Events that only people and programs with write access to the repository can cause. */
  readonly writerEvents: ReadonlySet<string>;
  /** What to do about a payload that does not fit. */
  readonly hint: string;
}

export const instant = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const action = z.object({ action: z.string() });

/** Reads the payloads of a forge. */
export class EventReader {
  readonly #init: EventReaderInit;

  constructor(init: EventReaderInit) {
    this.#init = init;
  }

  parse<T>(schema: z.ZodMiniType<T>, { name, payload }: RunEvent): T {
    const result = schema.safeParse(payload);
    if (result.success) return result.data;
    const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload'))];
    throw new CourierError({
      code: 'protocol',
      message: `The payload of the event ${name} is not as ${this.#init.forge} delivers it: ${fields.slice(0, 5).join(', ')} is missing or has another type. Nothing was sent.`,
      hint: this.#init.hint,
    });
  }

  /** An edit is not a command: what others have read would not be what is done now. */
  ignored(event: RunEvent, wanted: string): Trigger | undefined {
    const { action: name } = this.parse(action, event);
    if (name === wanted) return undefined;
    return { kind: 'none', reason: `The comment was ${name}. Only a new comment is a command.` };
  }

  /** An event without a comment: its instruction is an input. */
  readPrompt(event: RunEvent): Trigger {
    const sender = z.nullish(this.#init.account);
    const pull = z.nullish(numbered);
    // GitHub shows in the issue that it is a pull request, Gitea next to it.
    const issue = z.nullish(z.extend(numbered, { pull_request: z.nullish(z.unknown()) }));
    const comment = z.nullish(z.object({ body: z.nullish(z.string()) }));
    const any = z.object({ sender, pull_request: pull, is_pull: z.nullish(z.boolean()), issue, comment });
    const read = this.parse(any, event);
    const isPull = read.is_pull ?? Boolean(read.issue?.pull_request);
    return {
      kind: 'prompt',
      pullNumber: read.pull_request?.number ?? (isPull ? read.issue?.number : undefined),
      sender: read.sender ?? undefined,
      isFromWriter: this.#init.writerEvents.has(event.name),
      text: read.comment?.body ?? undefined,
      change: readChange(event.name, event.payload),
      seen: readSeen(event.payload),
    };
  }
}

export function notOnPull(issue: number): Trigger {
  return { kind: 'none', reason: `The comment is on issue ${issue}, which is not a pull request.` };
}

export function withoutComment(eventName: string): Trigger {
  return {
    kind: 'none',
    reason: `The event ${eventName} carries no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request where the event is about none.`,
  };
}

/** Payloads of events about a pull request's own life. */
const label = z.object({ name: z.string() });
const onPull = z.object({
  action: z.string(),
  label: z.nullish(label),
  changes: z.nullish(z.object({ added_labels: z.nullish(z.array(label)) })),
  pull_request: z.object({ merged: z.nullish(z.boolean()), labels: z.nullish(z.array(label)) }),
});
const onPush = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.nullish(z.array(z.object({ id: z.string() }))),
});

const PULL_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target']);
const COMMIT = /^[0-9a-f]{40,64}$/;
// Each costs a request.
const MOST_COMMITS = 20;

/** What an event says of a pull request's own life; undefined: nothing. */
export function readChange(eventName: string, payload: unknown): PullChange | undefined {
  if (eventName === 'push') return readPush(payload);
  const event = PULL_EVENTS.has(eventName) ? onPull.safeParse(payload) : undefined;
  if (!event?.success) return undefined;
  const { action, label: added, changes, pull_request: pull } = event.data;
  if (action === 'closed') return { kind: pull.merged === true ? 'merged' : 'closed' };
  // Of GitHub, then of Gitea.
  if (action === 'unlabeled' || action === 'label_cleared') return { kind: 'unlabelled' };
  if (action === 'labeled' && added) return { kind: 'labelled', labels: [added.name] };
  if (action === 'label_updated')
    return { kind: 'labelled', labels: namesOf(changes ? changes.added_labels : pull.labels) };
  return undefined;
}

const shown = z.object({
  pull_request: z.extend(numbered, {
    title: z.string(),
    body: z.nullish(z.string()),
    head: z.object({ sha: z.string() }),
    merged_at: z.nullish(z.string()),
    updated_at: z.nullish(z.string()),
  }),
});

/** The pull request as it was at the event. A part that is missing makes the whole worthless: it is compared as one. */
function readSeen(payload: unknown): PromptTrigger['seen'] {
  const event = shown.safeParse(payload);
  if (!event.success) return undefined;
  const { number, title, body, head, merged_at: mergedAt, updated_at: updatedAt } = event.data.pull_request;
  return { number, title, body: body ?? '', headSha: head.sha, atMs: Date.parse(mergedAt ?? updatedAt ?? '') };
}

function namesOf(labels: readonly { readonly name: string }[] | null | undefined): string[] {
  return (labels ?? []).map(({ name }) => name);
}

function readPush(payload: unknown): PullChange | undefined {
  const event = onPush.safeParse(payload);
  const branch = event.success ? /^refs\/heads\/(.+)$/.exec(event.data.ref)?.[1] : undefined;
  if (!event.success || branch === undefined) return undefined;
  const { after, commits } = event.data;
  const listed = (commits ?? []).map(({ id }) => id);
  // GitHub lists the newest last, Gitea first.
  const ids = [after, ...(listed[0] === after ? listed : listed.toReversed())];
  const real = ids.filter((id) => COMMIT.test(id) && !/^0+$/.test(id));
  const known = [...new Set(real)];
  return { kind: 'pushed', branch, commits: known.slice(0, MOST_COMMITS), isCut: known.length > MOST_COMMITS };
}

/** What the contents API of GitHub and Gitea says of a path: a list for a folder. */
export const contents = z.union([
  z.array(z.unknown()),
  z.object({
    type: z.string(),
    size: z.number(),
    encoding: z.nullish(z.string()),
    content: z.nullish(z.string()),
  }),
]);

/** The file in such a reply. `config` for anything but a file of at most `maxBytes`. */
export function readContents(
  raw: z.infer<typeof contents>,
  { path, commit, maxBytes }: { readonly path: string; readonly commit: string; readonly maxBytes: number },
): DefaultFile {
  const refuse = (problem: string) =>
    new CourierError({ code: 'config', message: `${plainLine(path, 200)} ${problem}. Nothing was sent.` });
  if (!('type' in raw)) throw refuse('is a folder on the default branch');
  // A symbolic link can lead anywhere, and a submodule is another repository.
  if (raw.type !== 'file') throw refuse(`is a ${plainLine(raw.type, 30)} on the default branch, which is not a file`);
  if (raw.size > maxBytes) throw refuse(`has ${raw.size} bytes; ${maxBytes} are allowed`);
  const bytes = Buffer.from(raw.content ?? '', 'base64');
  if (raw.encoding !== 'base64' || bytes.length !== raw.size) {
    throw new CourierError({
      code: 'protocol',
      message: `The reply with ${plainLine(path, 200)} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
    });
  }
  return { bytes, commit };
}

/** Whether a text is by the account that writes ours; one by another account holds no record of ours, whatever it says. */
export function isOwn({ author }: Pick<Comment, 'author'>, own: OwnAuthor): boolean {
  return own.kind === 'bot' ? author?.kind === 'bot' : author?.id === own.id;
}

/** A failed question about what an account may do: `network` unless the reason is clear, and never a "no". */
export function rankUnknown(error: unknown, login: string, forgeName: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  const isClear = hasCode(error, 'forbidden', 'unauthorized', 'rate-limited');
  return error.with({
    code: isClear ? error.code : 'network',
    message: `The permission of ${plainLine(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
    hint: error.hint ?? `Run the job again when ${forgeName} answers.`,
  });
}

/** Reads addresses of a forge. `owner`: the pattern of an owner's name. `pulls`: what comes before the number of a pull request. */
export function createAddresses({ owner, pulls }: { readonly owner: string; readonly pulls: 'pull' | 'pulls' }) {
  const pattern = new RegExp(`^(${owner}/[A-Za-z0-9._-]{1,100}?)(?:\\.git)?(?:/${pulls}/([1-9]\\d{0,9}))?/?$`);
  // The server's address may have a path itself.
  const read = (url: string, serverUrl: string) => {
    const base = `${serverUrl}/`;
    const isHere = url.slice(0, base.length).toLowerCase() === base.toLowerCase();
    return isHere ? pattern.exec(url.slice(base.length)) : null;
  };
  return {
    /** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
    readRepositoryUrl(url: string, serverUrl: string): string | undefined {
      const [, name, number] = read(url, serverUrl) ?? [];
      return number === undefined ? name?.toLowerCase() : undefined;
    },
    /** The pull request that an address on this server names; undefined for anything else. */
    readPullUrl(url: string, serverUrl: string): PullAddress | undefined {
      const [, name, number] = read(url, serverUrl) ?? [];
      return name === undefined || number === undefined
        ? undefined
        : { repository: name.toLowerCase(), number: Number(number) };
    },
  };
}
