import type { UpdateStatus } from '../platform/contract.ts';
import { shortCommit } from '../publish/content/summary.ts';
import { sections } from '../run/report.ts';
import { countOf, formatDuration } from '../text/amounts.ts';
import { codeSpan, link } from '../text/escape.ts';

type Lists = NonNullable<NonNullable<UpdateStatus['commit']>['filesChanged']>;

/** A preview that was made. */
export interface MadePreview {
  readonly url: string;
  /**
   * The commit that the preview contains: that of the run, or a later commit that includes it.
   * undefined: the platform does not say that.
   */
  readonly published: string | undefined;
  readonly elapsedMs: number;
  /** Paths in the repository, as the platform lists them. */
  readonly files: Lists | undefined;
}

const KINDS = ['added', 'modified', 'removed'] as const;
const MAX_FILES = 10;

interface ShownPreview extends MadePreview {
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
    `**Preview of the documentation**: ${link('open the preview', shown.url)}`,
    contents,
    filesText(files, showsFiles),
  ]);
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
  const more = items.length - MAX_FILES;
  if (more > 0) items.splice(MAX_FILES, more, `- and ${more} more`);
  return `<details><summary>${title}</summary>\n\n${items.join('\n')}\n\n</details>`;
}
