import { type ContentFacts, shortCommit } from '../publish/content/summary.ts';
import type { Presentation } from '../run/context.ts';
import { dryRunHeading, errorSection, heading, plannedSection, type Report, sections } from '../run/report.ts';
import { formatDuration } from '../text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../text/escape.ts';
import { factList } from '../text/markdown.ts';

/** What a run of mode `publish` finds out. */
export interface UpdateFacts extends ContentFacts {
  readonly baseUrl?: string | undefined;
  readonly projectId?: string | undefined;
  /** What was previewed; undefined: the project was published. */
  readonly branch?: string | undefined;
  /** `starting`: a request was sent, or waits for its turn, and nothing names what it made. */
  readonly stage?: 'starting' | undefined;
  /** Of a preview that has ended well. */
  readonly previewUrl?: string | undefined;
  /** What the platform names in the update that has ended well. */
  readonly publishedCommit?: string | undefined;
}

export const updatePresentation: Presentation<UpdateFacts> = {
  unreported: ['stage'],
  outputs: ({ previewUrl, publishedCommit }) => ({ 'preview-url': previewUrl, 'published-commit': publishedCommit }),
  leaves({ stage, content }) {
    if (content?.update !== undefined) return `Update ${content.update} keeps running on the platform.`;
    return stage === 'starting' ? 'An update may have been requested.' : 'Nothing was requested.';
  },
  summary: (report) =>
    sections([
      headingOf(report),
      report.reason && `${escapeMarkdown(report.reason)}.`,
      errorSection(report.error),
      factsOf(report),
      plannedSection(report.planned),
    ]),
};

function headingOf({ branch, projectId = 'a project', status, planned }: Report<UpdateFacts>): string {
  if (planned !== undefined) return dryRunHeading('published');
  const subject = branch === undefined ? escapeMarkdown(projectId, 140) : escapeMarkdown(branch, 260);
  return heading(`${branch === undefined ? 'Publishing' : 'Preview'} of ${subject}`, status);
}

function factsOf({ previewUrl, projectId, content, ...report }: Report<UpdateFacts>): string {
  const { update, elapsedMs } = content ?? {};
  return factList([
    ['Preview', previewUrl && link('open it', previewUrl)],
    ['Commit', commitText({ content, ...report })],
    ['Project', projectId && codeSpan(projectId)],
    ['Update', update && codeSpan(update)],
    ['Took', elapsedMs === undefined ? undefined : formatDuration(elapsedMs)],
  ]);
}

/** What the platform has published, and what is known of it and the commit of the run. */
function commitText({
  publishedCommit,
  content,
  status,
}: Pick<Report<UpdateFacts>, 'publishedCommit' | 'content' | 'status'>) {
  const { commit, published } = content ?? {};
  if (publishedCommit === undefined) return status === 'completed' ? 'the platform did not name it' : undefined;
  const named = codeSpan(shortCommit(publishedCommit));
  if (commit === undefined || publishedCommit === commit) return named;
  const own = codeSpan(shortCommit(commit));
  return published === undefined
    ? `${named}; not shown to contain ${own} of this run`
    : `${named}, which contains ${own} of this run`;
}
