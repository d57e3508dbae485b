import { codeSpan, escapeMarkdown, link } from '../../ground/text/escape.ts';
import { factList } from '../../ground/text/markdown.ts';
import type { Known, Presentation } from '../../run/context.ts';
import {
  dryRunHeading,
  errorSection,
  heading,
  plannedSection,
  type Report,
  sections,
} from '../../run/report.ts';
import { type ContentFacts, shortCommit } from '../../steps/content/summary.ts';

/** What a run of mode `publish` finds out. */
export type UpdateFacts = ContentFacts &
  Known<{
    baseUrl: string;
    projectId: string;
    /** The branch that was previewed; undefined: the project was published. */
    branch: string;
    /** The address of the preview that was made. */
    previewUrl: string;
    /** The commit that the platform names in the successful update. */
    publishedCommit: string;
  }>;

export const updatePresentation: Presentation<UpdateFacts> = {
  leaves({ content }) {
    if (content?.update === undefined) return 'An update may have been requested.';
    // Known once the update has ended: then only the comment is left to be written.
    if (content.elapsedMs !== undefined) return `Update ${content.update} has ended.`;
    return `Update ${content.update} keeps running on the platform.`;
  },
  summary: (report) =>
    sections([
      headingOf(report),
      report.reason && escapeMarkdown(report.reason),
      errorSection(report.error),
      factsOf(report),
      plannedSection(report.planned),
    ]),
};

function headingOf(report: Report<UpdateFacts>): string {
  if (report.planned !== undefined) return dryRunHeading('published');
  // The project is recorded before anything can fail; a branch shows that a preview was asked for.
  const { branch, projectId } = report;
  const subject = branch === undefined ? `Publishing of ${projectId}` : `Preview of ${branch}`;
  return heading(escapeMarkdown(subject), report.status);
}

function factsOf({ previewUrl, content, publishedCommit }: Report<UpdateFacts>): string {
  // Without content, the run ended before it requested the update.
  const { update, commit } = content ?? {};
  const contained = content?.published === undefined ? 'not shown to be published' : 'published';
  return factList([
    ['Preview', previewUrl && link('open it', previewUrl)],
    ['Commit of this run', commit && update && `${codeSpan(shortCommit(commit))}, ${contained}`],
    ['Published commit', publishedCommit && codeSpan(shortCommit(publishedCommit))],
    ['Update', update && codeSpan(update)],
  ]);
}
