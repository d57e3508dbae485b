import type { PublishedCommit } from '../../delivery/state.ts';
import { formatInstant } from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../../ground/text/escape.ts';
import type { Known } from '../../run/context.ts';

/** What is known about the content of an export. */
export type ContentFacts = Known<{
  /** The commit that was published for this run, or that the event of the publisher names. */
  contentCommit: string;
  content: Content;
}>;

interface Content
  extends Known<{
    /** The commit that the run is for; undefined: the system names none. */
    commit: string;
    /** When the export began: it contains what was published then. ISO 8601, UTC. */
    at: string;
    /** The update that this run requested or followed. */
    update: string;
    /** How long this run followed updates. */
    elapsedMs: number;
    /** What names `contentCommit`. */
    published: PublishedCommit;
  }> {
  /** The run asked the platform to publish first. */
  readonly publish: boolean;
}

/** `abc1234`; of a text that is not a commit, its beginning. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** True for the whole hash of a commit, SHA-1 or SHA-256, in lower case. */
export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** Who names a published commit, and by what: `acme-docs, deployment 12`, or `update 73cd`. */
export function namedBy({ by, source }: PublishedCommit): string {
  return by === undefined ? source : `${by}, ${source}`;
}

/** `Published for this run: commit be2aa19 (update 73cd, 2026-03-04 09:12 UTC)`. */
export function publishedSentence(published: PublishedCommit): string {
  return `${publishedLabel(published)}: commit ${shortCommit(published.commit)} (${detailsOf(published)})`;
}

/**
 * One line of the facts of a run: what is known about its content. The text is undefined if nothing
 * was exported.
 */
export function contentFact(
  content: ContentFacts['content'],
  jobId: string | undefined,
): readonly [label: string, text: string | undefined] {
  if (content === undefined || jobId === undefined) return ['Content', undefined];
  const { publish, commit, published, at } = content;
  if (published !== undefined) {
    const commit = codeSpan(shortCommit(published.commit));
    const details = escapeMarkdown(detailsOf(published));
    return [publishedLabel(published), `commit ${commit} (${details})`];
  }
  const when =
    at === undefined ? 'when the export was started' : `at ${formatInstant(new Date(at))}`;
  let text = `what the platform had published ${when}`;
  if (publish && commit !== undefined)
    text += `; commit ${codeSpan(shortCommit(commit))} of this run is not shown to be published`;
  return ['Content', text];
}

function publishedLabel(published: PublishedCommit): string {
  return published.by === undefined ? 'Published for this run' : `Published by ${published.by}`;
}

function detailsOf({ source, at }: PublishedCommit): string {
  return at === undefined ? source : `${source}, ${formatInstant(new Date(at))}`;
}
