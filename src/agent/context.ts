import { holdsMarker } from '../comment/signed-line.ts';
import type { OutsideText } from '../github/outside-texts.ts';
import type {
  ChangedFile,
  Comment,
  DiffSpot,
  PullRequest,
  PullSnapshot,
  Written,
} from '../github/pull-request.ts';
import { countOf } from '../ground/text/amounts.ts';
import { oneLine } from '../ground/text/escape.ts';
import type { NamedText, PromptContext, QuotedText } from '../prompt/context.ts';
import type { Template, TemplateName } from '../prompt/template.ts';
import { findRelatedDocs } from '../search/queries.ts';
import type { FoundJob } from './find-job.ts';
import { type Session, tryTo } from './session.ts';
import { pushedSince, readTrust, seenPull, type Trust } from './trust.ts';

/** With the instruction, the names of values in it, and texts of the event that stood in it. */
interface ContextInit extends Template {
  readonly outside: readonly OutsideText[];
  readonly session: Session;
  readonly pull: PullRequest;
  /** All comments below the pull request, as listed at the start. */
  readonly comments: readonly Comment[];
  readonly job: FoundJob | undefined;
}

/**
 * Reads what the agent gets with the instruction: what the inputs ask for, as far as its authors
 * may be quoted. `leftOut` says what is missing.
 */
export async function gatherContext(init: ContextInit): Promise<PromptContext> {
  const { session, pull } = init;
  // Below, `context` says which parts the workflow asks for, and `trust` whose text may be quoted.
  const { context } = session.inputs;
  // The texts of a pull request that the job made are the agent's own.
  const madeThisPull = init.job?.madeThisPull ?? false;
  const trust = await readTrust(session, pull, madeThisPull);
  // Read even if they may not be quoted: reading them also shows whether the head was pushed to.
  const files = wantsFiles(init) ? await readFiles(session, pull) : [];
  // Filled here and by `readComments`.
  const leftOut: string[] = [];
  if (wantsFiles(init) && !trust.diff) {
    leftOut.push(
      `${countOf(pull.changedFiles, 'changed file')}: the names and the diff come from someone who lacks the permission to be quoted.`,
    );
  }
  const comments = context.includes('comments') ? await readComments(init, trust, leftOut) : [];
  leftOut.push(...unquotedTexts(init, trust));
  // The pull request as it was when the command was written or the event happened, if the event
  // shows it.
  const snapshot = seenPull(session) ?? pull;
  const quotedPull = trust.pullText ? snapshot : undefined;
  const describedPull = context.includes('description') ? quotedPull : undefined;
  const pullWithDiff = trust.diff ? pull : undefined;
  const quotedFiles = trust.diff ? files : undefined;
  const quote = (comment: Comment) => quoteComment(comment, trust);
  const textByName = namedTexts(init, quotedPull, quotedFiles);
  // What must not be quoted does not choose the related pages either: then the instruction does.
  const query = trust.diff
    ? [snapshot.title, ...files.map((file) => file.path)].join(' ')
    : init.text;
  return {
    pull: {
      repository: session.deps.github.run.repository,
      number: pull.number,
      url: pull.url,
      // Who wrote it is told whatever `context` asks for; the title comes with the description.
      author: quotedPull && pull.author?.login,
      title: describedPull?.title,
      // The branches come with the diff: the author of the diff has named the head.
      base: pullWithDiff?.base.ref,
      head: pullWithDiff?.head.ref,
      commit: pull.head.sha,
    },
    description: describedPull && shownDescription(describedPull, pull),
    spot: pullWithDiff && spotOf(session),
    files: quotedFiles,
    fileCount: pull.changedFiles,
    showFiles: context.includes('files'),
    showDiff: context.includes('diff'),
    comments: comments.filter((comment) => comment.diff === undefined).map(quote),
    reviewComments: comments.filter((comment) => comment.diff !== undefined).map(quote),
    named: [
      ...init.names.map((name) => ({ name, text: textByName[name] })),
      ...(await quoteOutside(init, trust, leftOut)),
    ],
    relatedDocs: await relatedDocs(session, query),
    leftOut,
  };
}

/** The description as the page shows it; if it was changed since it was seen, only as its source. */
function shownDescription({ body }: PullSnapshot, pull: PullRequest): Written {
  return { body, html: body === pull.body ? pull.html : undefined };
}

/** The texts of the event. Adds to `leftOut` those whose authors may not be quoted. */
async function quoteOutside(
  { outside, session }: ContextInit,
  trust: Trust,
  leftOut: string[],
): Promise<NamedText[]> {
  const quoted: NamedText[] = [];
  for (const { name, text, author } of outside) {
    // Unlike the pull request, the event cannot have changed since then.
    const isQuoted = session.inputs.allowOutsideText || (await trust.mayQuote(author));
    if (isQuoted) {
      // A body is Markdown, everything else is plain.
      quoted.push({ name, text: /\bbody\b/.test(name) ? { body: text } : text });
      continue;
    }
    quoted.push({ name, text: undefined });
    const why = author
      ? 'its author lacks the permission to be quoted'
      : 'the event does not say who wrote it';
    leftOut.push(
      `${name} of the event: ${why}. These words of prompt are not part of the instruction.`,
    );
  }
  return quoted;
}

/** True if the changed files must be read: for the data, the template or the search. */
function wantsFiles(init: ContextInit): boolean {
  const { context, relatedDocs: docs } = init.session.inputs;
  const isAsked = context.includes('files') || context.includes('diff') || docs !== undefined;
  return isAsked || init.names.includes('pull_request.files');
}

/** The lines of the diff that the instruction was written on. */
function spotOf(session: Session): DiffSpot | undefined {
  if (session.trigger.kind === 'comment') return session.trigger.spot;
  return undefined;
}

/**
 * A sentence for each text that is asked for and whose author lacks the permission to be quoted;
 * those about files and comments are made where these are read.
 */
function unquotedTexts(init: ContextInit, trust: Trust): string[] {
  const texts: string[] = [];
  if (spotOf(init.session) !== undefined && !trust.diff) {
    texts.push('The lines of the diff that the instruction was written on.');
  }
  const isNamed = init.names.some((name) => /title|description|author/.test(name));
  const isAsked = isNamed || init.session.inputs.context.includes('description');
  if (isAsked && !trust.pullText) {
    texts.push('Title and description: their author lacks the permission to be quoted.');
  }
  return texts;
}

/**
 * What the names of a template stand for. undefined: the author of that text may not be quoted.
 * `quotedPull` (title, description) and `files` (the diff) are undefined for the same reason.
 */
function namedTexts(
  init: ContextInit,
  quotedPull: PullSnapshot | undefined,
  files: readonly ChangedFile[] | undefined,
): Readonly<Record<TemplateName, NamedText['text']>> {
  const { session, pull } = init;
  return {
    repository: session.deps.github.run.repository,
    'pull_request.number': String(pull.number),
    'pull_request.url': pull.url,
    // Before the merge, the head is what the pull request adds.
    'pull_request.commit': pull.mergeCommit ?? pull.head.sha,
    // Labels and the base are chosen by people of the repository.
    'pull_request.labels': pull.labels.join(', '),
    'pull_request.base': pull.base.ref,
    // GitHub names no author whose account was deleted.
    'pull_request.author': quotedPull && (pull.author?.login ?? 'unknown'),
    'pull_request.title': quotedPull?.title,
    'pull_request.description': quotedPull && shownDescription(quotedPull, pull),
    'pull_request.head': files && pull.head.ref,
    'pull_request.files': files?.map((file) => oneLine(file.path)).join('\n'),
  };
}

/**
 * The changed files of the head that was read with the pull request. Ends the run if the list is of
 * another head: someone could push, have the list read, and push back.
 */
async function readFiles(session: Session, pull: PullRequest): Promise<ChangedFile[]> {
  if (pull.changedFiles === 0) return [];
  const files = await session.repo.files(pull.number);
  // An empty list is of another head, since this one has changed files.
  if (files.length > 0 && files.every((file) => file.commit === pull.head.sha)) return files;
  throw pushedSince();
}

/**
 * The comments before the command or the event, by authors who may be quoted. Adds to `leftOut` how
 * many others there are.
 */
async function readComments(
  init: ContextInit,
  trust: Trust,
  leftOut: string[],
): Promise<Comment[]> {
  const { session, pull } = init;
  const { trigger } = session;
  // An event that does not show the pull request has no time: then every comment is early enough.
  const untilMs = seenPull(session)?.atMs ?? Number.POSITIVE_INFINITY;
  const commandId = trigger.kind === 'comment' ? trigger.id : undefined;
  const onDiff = await session.repo.reviewComments(pull.number);
  // Comments of ours and the command itself tell the agent nothing.
  const all = [...init.comments, ...onDiff].filter(
    (comment) => !holdsMarker(comment.body) && comment.id !== commandId,
  );
  const visible = all.filter((comment) => !comment.isHidden);
  // Text that was edited later could be aimed at the command. Times have whole seconds, so a text
  // of the same second may be later too.
  const inTime = visible.filter(
    (comment) => comment.createdAtMs < untilMs && comment.updatedAtMs < untilMs,
  );
  const quotable = await byTrustedAuthors(trust, inTime);
  const instructedBy = trigger.kind === 'comment' ? 'command' : 'event';
  const missing = [
    [all.length - visible.length, 'hidden on the page'],
    [inTime.length - quotable.length, 'by people who lack the permission to be quoted'],
    [visible.length - inTime.length, `written or edited after the ${instructedBy}`],
  ] as const;
  for (const [count, why] of missing)
    if (count > 0) leftOut.push(`${countOf(count, 'comment')} ${why}.`);
  return quotable;
}

/** The comments of authors who may be quoted, in the given order. */
async function byTrustedAuthors(trust: Trust, comments: readonly Comment[]): Promise<Comment[]> {
  const quotable: Comment[] = [];
  // The newest are looked up first, since the number of lookups is limited.
  for (const comment of comments.toReversed())
    if (await trust.mayQuote(comment.author)) quotable.unshift(comment);
  return quotable;
}

/** A comment as the prompt quotes it, with its lines of the diff if these may be quoted. */
function quoteComment(comment: Comment, trust: Trust): QuotedText {
  const { path: file, ...place } = (trust.diff ? comment.diff : undefined) ?? {};
  return {
    // GitHub names no author whose account was deleted.
    author: comment.author?.login ?? 'unknown',
    at: new Date(comment.createdAtMs).toISOString(),
    file,
    ...place,
    text: comment,
  };
}

/**
 * Pages of the live documentation that the query finds. undefined: the inputs ask for none, or the
 * search failed, which is only a warning.
 */
async function relatedDocs(
  session: Session,
  query: string,
): Promise<readonly QuotedText[] | undefined> {
  const { deps, inputs } = session;
  const domain = inputs.relatedDocs?.domain;
  if (domain === undefined) return undefined;
  const pages = await tryTo(deps, 'Searching the documentation for related pages', () =>
    findRelatedDocs(deps.platform, domain, query),
  );
  return pages?.map(({ path, content = '' }) => ({
    path,
    // Comments are on no page.
    text: content.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim(),
  }));
}
