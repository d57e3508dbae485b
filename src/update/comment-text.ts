import type { UpdateStatus } from '../platform/contract.ts';
import { shortCommit } from '../publish/content/summary.ts';
import { sections } from '../run/report.ts';
import { countOf, formatDuration } from '../text/amounts.ts';
import { codeSpan, link } from '../text/escape.ts';

type Lists = NonNullable<NonNullable<UpdateStatus['commit']>['filesChanged']>;

/** A preview that has ended well. */
export interface MadePreview {
  readonly url: string;
  /** The commit of the run. */
  readonly commit: string | undefined;
  /**
   * The commit that it has: that of the run, or one that contains it. undefined: the platform does
   * not show that.
   */
  readonly published: string | undefined;
  readonly elapsedMs: number;
  /** Paths in the repository, as the platform lists them. */
  readonly files: Lists | undefined;
}

const KINDS = ['added', 'modified', 'removed'] as const;
const MAX_FILES = 10;

/** Markdown. Which page a file becomes is not known, so no address of a page is guessed. */
export function previewText(made: MadePreview, showsFiles: boolean): string {
  const { published, commit = '', files = {} } = made;
  const ready = `commit ${codeSpan(shortCommit(published ?? commit))}, ready after ${formatDuration(made.elapsedMs)}.`;
  const asked = `Requested for ${ready} The platform does not show which commit it has.`;
  return sections([
    `**Preview of the documentation**: ${link('open the preview', made.url)}`,
    published === undefined ? asked : `Contains ${ready}`,
    filesText(files, showsFiles),
  ]);
}

function filesText(lists: Lists, showsFiles: boolean): string | undefined {
  const items: string[] = [];
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
