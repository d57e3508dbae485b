import { Buffer } from 'node:buffer';
import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { plainLine } from '../text/escape.ts';
import { readTime } from '../text/instants.ts';
import { parseUrl } from '../text/names.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  CommentTrigger,
  DefaultFile,
  InstructionSource,
  OwnAuthor,
  PageAddress,
  PromptTrigger,
  PullChange,
  PullRequest,
  RecentComment,
  Trigger,
} from './port.ts';

/** What GitHub and Gitea have in common. Only what is read of a reply is described: a field that is missing has a name then. */

/** Of a comment and of a pull request, in replies and in events. */
export const commentFields = { id: z.number(), html_url: z.string(), body: z.nullish(z.string()) };
export const pullFields = { number: z.number(), title: z.string(), body: z.nullish(z.string()) };
/** A time that can be read. */
export const instant = z.string().check(z.refine((text) => readTime(text) !== undefined));

/** Where a comment on the diff is: GitHub says `line`, Gitea the lines of the new and of the old file, 0 where it is on none. */
const lineFields = {
  line: z.nullish(z.number()),
  position: z.nullish(z.number()),
  original_position: z.nullish(z.number()),
};
type Lines = z.infer<z.ZodMiniObject<typeof lineFields>>;

interface RepliesInit {
  /** Reads what the forge says of an account. */
  readonly account: z.ZodMiniType<Account>;
  readonly lineOf: (lines: Lines) => number | undefined;
}

/** What is read of replies of the REST API. */
export function createReplies({ account, lineOf }: RepliesInit) {
  const user = z.nullable(account);
  const comment = z.object({ ...commentFields, user, created_at: instant, updated_at: instant });
  const toComment = (raw: z.infer<typeof comment>): Comment => ({
    id: raw.id,
    author: raw.user ?? undefined,
    body: raw.body ?? '',
    url: raw.html_url,
    createdAtMs: readTime(raw.created_at) ?? Number.NaN,
    updatedAtMs: readTime(raw.updated_at) ?? Number.NaN,
    diff: undefined,
  });
  const reviewComment = z.extend(comment, { path: z.string(), diff_hunk: z.string(), ...lineFields });
  const pullRequest = z
    .object({ ...pullRequestFields, user })
    .check(z.refine((raw) => (raw.locked ?? raw.is_locked) !== undefined, { path: ['locked'] }));
  return {
    comment: z.pipe(comment, z.transform(toComment)),
    reviewComment: z.pipe(
      reviewComment,
      z.transform((raw): Comment => {
        return { ...toComment(raw), diff: { path: raw.path, line: lineOf(raw), hunk: raw.diff_hunk } };
      }),
    ),
    reaction: z.object({ content: z.string(), user }),
    pullRequest: z.pipe(
      pullRequest,
      z.transform((raw): PullRequest => ({ ...toPullRequest(raw), author: raw.user ?? undefined })),
    ),
  };
}

const pullRequestFields = {
  ...pullFields,
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  /** Of GitHub, and of Gitea. */
  locked: z.optional(z.boolean()),
  is_locked: z.optional(z.boolean()),
  merge_commit_sha: z.nullish(z.string()),
  labels: z.nullable(z.array(z.object({ name: z.string() }))),
  base: z.object({ ref: z.string() }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.nullable(z.object({ full_name: z.string() })) }),
  changed_files: z.number(),
};

function toPullRequest(raw: z.infer<z.ZodMiniObject<typeof pullRequestFields>>): Omit<PullRequest, 'author'> {
  return {
    number: raw.number,
    url: raw.html_url,
    title: raw.title,
    body: raw.body ?? '',
    state: raw.state,
    merged: raw.merged,
    locked: (raw.locked ?? raw.is_locked) === true,
    labels: namesOf(raw.labels),
    // Of an open pull request, it is a commit that was merged to try it.
    mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
    base: raw.base,
    head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
    changedFiles: raw.changed_files,
  };
}

export const file = z.pipe(
  z.object({
    filename: z.string(),
    previous_filename: z.optional(z.string()),
    status: z.string(),
    additions: z.number(),
    deletions: z.number(),
    patch: z.optional(z.string()),
    contents_url: z.optional(z.string()),
  }),
  z.transform(({ filename: path, previous_filename: before, contents_url: url = '', ...raw }): ChangedFile => {
    const { status, additions, deletions, patch } = raw;
    const commit = parseUrl(url)?.searchParams.get('ref') ?? undefined;
    return { path, previousPath: before || undefined, status, additions, deletions, patch, commit };
  }),
);

/** Those comments that are on a pull request, with its number: their address has it. */
export function onPulls(comments: readonly Comment[]): RecentComment[] {
  return comments.flatMap((comment) => {
    const number = /\/pulls?\/([1-9]\d{0,9})#/.exec(comment.url)?.[1];
    return number === undefined ? [] : [{ ...comment, pullNumber: Number(number) }];
  });
}

interface TriggerReaderInit {
  /** `GitHub`, in messages. */
  readonly forge: string;
  readonly account: z.ZodMiniType<Account>;
  /** What is read of a new comment, by the name of the event. */
  readonly comments: Readonly<Record<string, z.ZodMiniType<Trigger>>>;
  /** Events that only people and programs with write access to the repository can cause. */
  readonly writerEvents: ReadonlySet<string>;
  /** What to do about a payload that does not fit. */
  readonly hint: string;
}

// An edit is not a command: what others have read would not be what is done now.
const NEW: ReadonlySet<string> = new Set(['created', 'submitted']);
const action = z.object({ action: z.string() });
export const numbered = z.object({ number: z.number() });

/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
export function createTriggerReader({ forge, account, comments, writerEvents, hint }: TriggerReaderInit) {
  const sender = z.nullish(account);
  const pull = z.nullish(numbered);
  // GitHub shows in the issue that it is a pull request, Gitea next to it.
  const issue = z.nullish(z.extend(numbered, { pull_request: z.nullish(z.unknown()) }));
  const comment = z.nullish(z.object({ body: z.nullish(z.string()) }));
  const any = z.object({ sender, pull_request: pull, is_pull: z.nullish(z.boolean()), issue, comment });
  return (name: string, payload: unknown, source: InstructionSource): Trigger => {
    const parse = <T>(schema: z.ZodMiniType<T>): T => {
      const result = schema.safeParse(payload);
      if (result.success) return result.data;
      const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload'))];
      throw new CourierError({
        code: 'protocol',
        message: `The payload of the event ${name} is not as ${forge} delivers it: ${fields.slice(0, 5).join(', ')} is missing or has another type. Nothing was sent.`,
        hint,
      });
    };
    // With the `prompt` input the text of a comment is not a command.
    const commented = source === 'prompt' ? undefined : comments[name];
    if (commented !== undefined) {
      const { action: done } = parse(action);
      return NEW.has(done) ? parse(commented) : none(`The comment was ${done}. Only a new comment is a command.`);
    }
    if (source === 'comment') {
      return none(
        `The event ${name} has no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request if the event is not about one.`,
      );
    }
    const read = parse(any);
    const isPull = read.is_pull ?? Boolean(read.issue?.pull_request);
    return {
      kind: 'prompt',
      pullNumber: read.pull_request?.number ?? (isPull ? read.issue?.number : undefined),
      sender: read.sender ?? undefined,
      isFromWriter: writerEvents.has(name),
      text: read.comment?.body ?? undefined,
      change: readChange(name, payload),
      seen: readSeen(payload),
    };
  };
}

function none(reason: string): Trigger {
  return { kind: 'none', reason };
}

export function notOnPull(issue: number): Trigger {
  return none(`The comment is on issue ${issue}, which is not a pull request.`);
}

interface CommentEvent extends Pick<CommentTrigger, 'place' | 'isMember' | 'spot' | 'sender'> {
  readonly comment: z.infer<z.ZodMiniObject<typeof commentFields>> & { readonly user: Account };
  readonly at: string;
  readonly pull: z.infer<z.ZodMiniObject<typeof pullFields>>;
}

export function toTrigger({ comment, at, pull, ...event }: CommentEvent): CommentTrigger {
  return {
    ...event,
    kind: 'comment',
    id: comment.id,
    body: comment.body ?? '',
    url: comment.html_url,
    author: comment.user,
    createdAtMs: readTime(at) ?? Number.NaN,
    pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
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
  pull_request: z.object({
    ...pullFields,
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
  return {
    number,
    title,
    body: body ?? '',
    headSha: head.sha,
    atMs: readTime(mergedAt ?? updatedAt) ?? Number.NEGATIVE_INFINITY,
  };
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

/** Whether a text is by the account that writes ours; one by another account contains no record of ours, whatever it says. */
export function isOwn({ author }: Pick<Comment, 'author'>, own: OwnAuthor): boolean {
  return own.kind === 'bot' ? author?.kind === 'bot' : author?.id === own.id;
}

/** Reads addresses of a forge. `owner`: the pattern of an owner's name. `pulls`: what comes before the number of a pull request. */
export function createAddressReader({ owner, pulls }: { readonly owner: string; readonly pulls: 'pull' | 'pulls' }) {
  const pattern = new RegExp(`^(${owner}/[A-Za-z0-9._-]{1,100}?)(?:\\.git)?(?:/${pulls}/([1-9]\\d{0,9}))?/?$`);
  return (url: string, serverUrl: string): PageAddress | undefined => {
    // The server's address may have a path itself.
    const base = `${serverUrl}/`;
    if (url.slice(0, base.length).toLowerCase() !== base.toLowerCase()) return undefined;
    const [, name, number] = pattern.exec(url.slice(base.length)) ?? [];
    if (name === undefined) return undefined;
    return { repository: name.toLowerCase(), number: number === undefined ? undefined : Number(number) };
  };
}
