import { countOf, firstLines, formatDuration } from '../../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../../ground/text/escape.ts';
import type { UpdateStatus } from '../../platform/contract.ts';
import { sections } from '../../run/report.ts';
import { shortCommit } from '../../steps/content/summary.ts';

type Lists = NonNullable<NonNullable<UpdateStatus['commit']>['filesChanged']>;

/** What is known of a preview that was made. */
export interface MadePreview {
  /** As the platform gave it: not checked. */
  readonly previewUrl: string | undefined;
  /**
   * The commit that the preview contains: that of the run, or a later commit that includes it.
   * undefined: the platform does not say that.
   */
  readonly published: string | undefined;
  readonly elapsedMs: number;
  /** Paths in the repository, as the platform lists them. */
  readonly files: Lists | undefined;
}

/** How the text about a preview that was made begins. */
const TITLE = '**Preview of the documentation**';
const KINDS = ['added', 'modified', 'removed'] as const;
const MAX_FILES = 10;

export interface ShownPreview extends Omit<MadePreview, 'previewUrl'> {
  readonly url: string;
  /** The commit of the run. */
  readonly commit: string;
  /** The paths of changed files may be shown: readers of the comment may read the repository. */
  readonly showsFiles: boolean;
}

/** The comment as Markdown. It links to no page: which page a file becomes is not known. */
export function previewText(shown: ShownPreview): string {
  const { published, commit, showsFiles, files = {} } = shown;
  const shownCommit = codeSpan(shortCommit(published ?? commit));
  const about = `commit ${shownCommit}, ready after ${formatDuration(shown.elapsedMs)}.`;
  let contents = `Contains ${about}`;
  if (published === undefined)
    contents = `Requested for ${about} The platform does not show which commit it has.`;
  return sections([
    `${TITLE}: ${link('open the preview', shown.url)}`,
    contents,
    filesText(files, showsFiles),
  ]);
}

/** A line about a newer commit, above the text about the last preview that was made. */
export function withNotice(notice: string, earlierText: string): string {
  // Each notice replaces the one before it. None can contain the title: its text is escaped.
  const madeAt = earlierText.indexOf(TITLE);
  return sections([notice, madeAt < 0 ? undefined : earlierText.slice(madeAt)]);
}

/** Why there is no preview of the commit, in the words of the platform. */
export function failureText(commit: string, message: string, run: string): string {
  const [reason = '', ...lines] = message.split('\n');
  const heading = `❌ **The preview of commit ${codeSpan(shortCommit(commit))} failed** in ${run}: ${escapeMarkdown(reason, 1500)}`;
  // Each further line is an item of a list already.
  const items = lines.map((line) => `- ${escapeMarkdown(line.replace(/^- /, ''), 500)}`);
  return sections([heading, items.join('\n')]);
}

/** The changed files, as a list if that may be shown; undefined: none are known. */
function filesText(lists: Lists, showsFiles: boolean): string | undefined {
  const items: string[] = [];
  // The platform's lists are not checked: what is not a path is left out.
  for (const kind of KINDS)
    for (const path of lists[kind] ?? [])
      if (typeof path === 'string') items.push(`- ${kind}: ${codeSpan(path, 160)}`);
  if (items.length === 0) return undefined;
  const title = `${countOf(items.length, 'file')} changed`;
  if (!showsFiles) return `${title}.`;
  const shown = firstLines(items, MAX_FILES).join('\n');
  return `<details><summary>${title}</summary>\n\n${shown}\n\n</details>`;
}
