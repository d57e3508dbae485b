import { codeSpan } from '../../text/escape.ts';
import { formatInstant } from '../../text/markdown.ts';

/** What is known about the content of an export. */
export interface ContentFacts {
  /** The commit that the content was published from. Only where it is proved to be the commit of the run, or one after it. */
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
        /** No page and no file differs from the export that was live. */
        readonly isUnchanged?: true | undefined;
      }
    | undefined;
}

/** `abc1234`. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** One line of the facts of a run: where the content comes from, as far as it is proved. undefined: nothing was exported. */
export function contentText({ contentCommit, content, jobId }: ContentFacts & { jobId?: string | undefined }) {
  if (content === undefined || jobId === undefined) return undefined;
  const { commit, at, publish, isUnchanged } = content;
  const span = (sha: string) => codeSpan(shortCommit(sha));
  if (contentCommit !== undefined) {
    const later = commit === contentCommit || commit === undefined ? '' : `, which includes commit ${span(commit)}`;
    return `published from commit ${span(contentCommit)}${later}`;
  }
  const when = at === undefined ? 'when the export was started' : `at ${formatInstant(new Date(at))}`;
  const advice = publish === 'off' ? ' (set `publish`)' : '';
  const claim = commit === undefined ? '' : `; whether it includes commit ${span(commit)} is not known${advice}`;
  const same = isUnchanged === true ? '. Nothing changed since the export that was live' : '';
  return `what the platform had published ${when}${claim}${same}`;
}
