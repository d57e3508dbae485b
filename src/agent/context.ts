import { holdsMarker } from '../comment/signed-line.ts';
import type { ChangedFile, Comment, PullRequest } from '../github/pull-request.ts';
import type { PromptContext, QuotedText } from '../prompt/context.ts';
import type { TemplateName } from '../prompt/template.ts';
import { findRelatedDocs } from '../search/queries.ts';
import { countOf } from '../text/amounts.ts';
import { oneLine } from '../text/escape.ts';
import { type Session, tryTo } from './session.ts';
import { pushedSince, readTrust, seenPull, type Trust } from './trust.ts';

interface ContextInit {
  readonly session: Session;
  readonly pull: PullRequest;
  /** All comments below the pull request, as listed at the start. */
  readonly comments: readonly Comment[];
  /** The job made this pull request: its text is the agent's own. */
  readonly madeThis: boolean;
  readonly instruction: string;
  /** What the template names. */
  readonly names: readonly TemplateName[];
}

/** Reads what the inputs ask for, keeps what may be quoted, and counts the rest. */
export async function gatherContext(init: ContextInit): Promise<PromptContext> {
  const { session, pull } = init;
  const { context } = session.inputs;
  const trust = await readTrust(session, pull, init.madeThis);
  const files = wantsFiles(init) ? await readFiles(session, pull) : [];
  const notQuoted = whatIsNotQuoted(init, trust);
  const comments = context.includes('comments') ? await quoteComments(init, trust) : NO_COMMENTS;
  const named = namedTexts(init, { trust, files });
  const { title, body } = seenPull(session) ?? pull;
  const showsText = context.includes('description') && trust.pullText;
  return {
    pull: {
      repository: session.deps.github.run.repository,
      number: pull.number,
      url: pull.url,
      ...(trust.pullText && { author: pull.author?.login }),
      ...(showsText && { title }),
      ...(trust.diff && { base: pull.base.ref, head: pull.head.ref }),
      commit: pull.head.sha,
    },
    ...(showsText && { description: body }),
    ...(trust.diff && { spot: spotOf(session), files, fileCount: pull.changedFiles }),
    showFiles: context.includes('files'),
    showDiff: context.includes('diff'),
    ...comments.quoted,
    named: init.names.map((name) => ({ name, text: named[name] })),
    relatedDocs: await relatedDocs(
      init,
      trust.diff ? [title, ...files.map(({ path }) => path)] : [init.instruction],
    ),
    leftOut: [...notQuoted.files, ...comments.leftOut, ...notQuoted.texts],
  };
}

function wantsFiles({ session, names }: ContextInit): boolean {
  const { context, relatedDocs } = session.inputs;
  return (
    context.includes('files') ||
    context.includes('diff') ||
    relatedDocs !== undefined ||
    names.includes('pull_request.files')
  );
}

/** The line of the diff that the instruction was written on. */
function spotOf({ trigger }: Session) {
  return trigger.kind === 'comment' ? trigger.spot : undefined;
}

/** What the inputs ask for, besides comments, and people without the permission have written. */
function whatIsNotQuoted(init: ContextInit, trust: Trust) {
  const { session, pull } = init;
  const files: string[] = [];
  const texts: string[] = [];
  if (wantsFiles(init) && !trust.diff) {
    files.push(
      `${countOf(pull.changedFiles, 'changed file')}: the names and the diff come from someone who lacks the permission to be quoted.`,
    );
  }
  if (spotOf(session) !== undefined && !trust.diff) {
    texts.push('The line of the diff that the instruction was written on.');
  }
  const isNamed = init.names.some((name) => /title|description|author/.test(name));
  if ((isNamed || session.inputs.context.includes('description')) && !trust.pullText) {
    texts.push('Title and description: their author lacks the permission to be quoted.');
  }
  return { files, texts };
}

/** What the names of a template stand for; undefined: its author may not be quoted. */
function namedTexts(
  init: ContextInit,
  { trust, files }: { readonly trust: Trust; readonly files: readonly ChangedFile[] },
): Readonly<Record<TemplateName, string | undefined>> {
  const { session, pull } = init;
  // As they were when the command was written or the event happened, if the event says so.
  const { title, body } = seenPull(session) ?? pull;
  return {
    repository: session.deps.github.run.repository,
    'pull_request.number': String(pull.number),
    'pull_request.url': pull.url,
    'pull_request.commit': pull.mergeCommit ?? pull.head.sha,
    // Labels and the base are chosen by people of the repository.
    'pull_request.labels': pull.labels.join(', '),
    'pull_request.base': pull.base.ref,
    'pull_request.author': trust.pullText ? (pull.author?.login ?? 'unknown') : undefined,
    'pull_request.title': trust.pullText ? title : undefined,
    'pull_request.description': trust.pullText ? body : undefined,
    'pull_request.head': trust.diff ? pull.head.ref : undefined,
    'pull_request.files': trust.diff
      ? files.map(({ path }) => oneLine(path)).join('\n')
      : undefined,
  };
}

/**
 * The files of the head that was read, not of another: someone could push, have the list read, and
 * push back.
 */
async function readFiles({ repo }: Session, pull: PullRequest): Promise<ChangedFile[]> {
  const files = pull.changedFiles === 0 ? [] : await repo.files(pull.number);
  const isWhole = files.length > 0 === pull.changedFiles > 0;
  if (isWhole && files.every(({ commit }) => commit === pull.head.sha)) return files;
  throw pushedSince();
}

interface QuotedComments {
  readonly quoted: {
    readonly comments?: readonly QuotedText[];
    readonly reviewComments?: readonly QuotedText[];
  };
  readonly leftOut: readonly string[];
}

const NO_COMMENTS: QuotedComments = { quoted: {}, leftOut: [] };

/**
 * Comments up to the command or the event, by authors who may be quoted; the others are counted.
 */
async function quoteComments(
  { session, pull, comments }: ContextInit,
  trust: Trust,
): Promise<QuotedComments> {
  const { trigger } = session;
  const untilMs = seenPull(session)?.atMs ?? Number.POSITIVE_INFINITY;
  const all = [...comments, ...(await session.repo.reviewComments(pull.number))];
  const others = all.filter(
    ({ id, body }) => !holdsMarker(body) && !(trigger.kind === 'comment' && id === trigger.id),
  );
  // A time that is missing is NaN, and every comparison with it is false: such a comment is left
  // out.
  const before = others.filter(
    ({ createdAtMs, updatedAtMs }) => createdAtMs < untilMs && updatedAtMs < untilMs,
  );
  const kept: Comment[] = [];
  // Newest first, since the number of lookups is limited.
  for (const comment of before.toReversed())
    if (await trust.author(comment.author)) kept.unshift(comment);
  const leftOut: string[] = [];
  const untrusted = before.length - kept.length;
  if (untrusted > 0)
    leftOut.push(
      `${countOf(untrusted, 'comment')} by people who lack the permission to be quoted.`,
    );
  const changed = others.length - before.length;
  const what = trigger.kind === 'comment' ? 'command' : 'event';
  if (changed > 0)
    leftOut.push(`${countOf(changed, 'comment')} written or edited after the ${what}.`);
  const quoted = (isReview: boolean) =>
    kept
      .filter(({ diff }) => (diff !== undefined) === isReview)
      .map(({ author, createdAtMs, body, diff }) => {
        const { path: file, line, hunk } = (trust.diff && diff) || {};
        const by = { author: author?.login ?? 'unknown', at: new Date(createdAtMs).toISOString() };
        return { ...by, file, line, hunk, text: body };
      });
  return { quoted: { comments: quoted(false), reviewComments: quoted(true) }, leftOut };
}

async function relatedDocs(
  { session }: ContextInit,
  words: readonly string[],
): Promise<readonly QuotedText[] | undefined> {
  const { deps, inputs } = session;
  if (inputs.relatedDocs === undefined) return undefined;
  const { domain } = inputs.relatedDocs;
  const found = await tryTo(deps, 'Searching the documentation for related pages', () =>
    findRelatedDocs({ platform: deps.platform, domain, query: words.join(' ') }),
  );
  return found?.map(({ path, content }) => ({ path, text: content ?? '' }));
}
