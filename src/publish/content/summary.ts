import { countOf, formatInstant } from '../../text/amounts.ts';
import { codeSpan, escapeMarkdown } from '../../text/escape.ts';

/** What is known about the content of an export. */
export interface ContentFacts {
  /** The commit that was reported as published when the export began: that of the run, or one that contains it. */
  readonly contentCommit?: string | undefined;
  readonly content?:
    | {
        readonly publish: 'off' | 'trigger' | 'wait';
        /** The commit that the run is for; undefined: the system names none. */
        readonly commit?: string | undefined;
        /** When the export began: it has what was published then. ISO 8601, UTC. */
        readonly at?: string | undefined;
        /** The update that this run requested or followed. */
        readonly update?: string | undefined;
        /** How long this run waited for the content. */
        readonly elapsedMs?: number | undefined;
        /** Who reported `contentCommit`: `acme-docs` or `the platform`; by what, such as `check run 123`; and when, ISO 8601, UTC. */
        readonly reported?:
          | { readonly by: string; readonly source: string; readonly at?: string | undefined }
          | undefined;
        /** So many pages differ from the export that was live, one of them from a file that the change touched. */
        readonly seenPages?: number | undefined;
        /** Why the export is said not to contain the change. One sentence, without its end. */
        readonly contradicted?: string | undefined;
        /** No page and no file differs from the export that was live. */
        readonly isUnchanged?: true | undefined;
      }
    | undefined;
}

/** `abc1234`; of a text that is not a commit, its beginning. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** The whole hash of a commit, in lower case. */
export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** One line of the facts of a run: what is known about its content. undefined: nothing was exported. */
export function contentText({ contentCommit, content, jobId }: ContentFacts & { jobId?: string | undefined }) {
  if (content === undefined || jobId === undefined) return undefined;
  if (contentCommit !== undefined) return reportedText(contentCommit, content);
  const { commit, at, publish, isUnchanged, contradicted } = content;
  const when = at === undefined ? 'when the export was started' : `at ${formatInstant(new Date(at))}`;
  const same = isUnchanged === true ? '. Nothing changed since the export that was live' : '';
  const published = `what the platform had published ${when}`;
  if (contradicted !== undefined) {
    const of = commit === undefined ? 'the change' : `commit ${span(commit)}`;
    return `${published}; it may not include ${of}: ${escapeMarkdown(contradicted)}${same}`;
  }
  const advice = publish === 'off' ? ' (set `publish`)' : '';
  const claim = commit === undefined ? '' : `; it is not known whether it includes commit ${span(commit)}${advice}`;
  return `${published}${claim}${same}`;
}

interface ReportedCommit {
  readonly by: string;
  readonly source: string;
  readonly at?: string | undefined;
  readonly commit: string;
}

/** How a text of others and the hash of a commit are written. */
interface Style {
  readonly text: (raw: string) => string;
  readonly commit: (sha: string) => string;
}

const PLAIN: Style = { text: (raw) => raw, commit: shortCommit };
const MARKDOWN: Style = { text: escapeMarkdown, commit: span };

/** `acme-docs reported commit abc1234 as published (check run 123, 2026-11-23 07:12 UTC)`, and which commit of the run it contains. */
export function contentSentence(
  { by, source, at, commit }: ReportedCommit,
  wanted: string | undefined,
  style: Style = PLAIN,
): string {
  const when = at === undefined ? '' : `, ${formatInstant(new Date(at))}`;
  return `${style.text(by)} reported commit ${style.commit(commit)} as published (${style.text(source)}${when})${containing(commit, wanted, style)}`;
}

function containing(commit: string, wanted: string | undefined, style: Style): string {
  return wanted === undefined || wanted === commit ? '' : `, which contains commit ${style.commit(wanted)}`;
}

function reportedText(contentCommit: string, content: NonNullable<ContentFacts['content']>): string {
  const { commit: wanted, reported, seenPages } = content;
  const seen = seenPages === undefined ? '' : `, and in the export: ${countOf(seenPages, 'page')} changed`;
  if (reported !== undefined) return contentSentence({ ...reported, commit: contentCommit }, wanted, MARKDOWN) + seen;
  return `reported as published: commit ${span(contentCommit)}${containing(contentCommit, wanted, MARKDOWN)}${seen}`;
}

function span(sha: string): string {
  return codeSpan(shortCommit(sha));
}
