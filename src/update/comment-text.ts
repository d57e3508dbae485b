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
export function previewText(
  { url, published, elapsedMs, files = {}, commit = '' }: MadePreview,
  showsFiles: boolean,
) {
  const ready = `commit ${codeSpan(shortCommit(published ?? commit))}, ready after ${formatDuration(elapsedMs)}.`;
  return sections([
    `**Preview of the documentation**: ${link('open the preview', url)}`,
    published === undefined
      ? `Requested for ${ready} The platform does not show which commit it has.`
      : `Contains ${ready}`,
    filesText(files, showsFiles),
  ]);
}

function filesText(lists: Lists, showsFiles: boolean): string | undefined {
  const all = KINDS.flatMap((kind) =>
    (lists[kind] ?? []).flatMap((path) =>
      typeof path === 'string' ? `- ${kind}: ${codeSpan(path, 160)}` : [],
    ),
  );
  if (all.length === 0) return undefined;
  const title = `${countOf(all.length, 'file')} changed`;
  if (!showsFiles) return `${title}.`;
  const items = all.slice(0, MAX_FILES);
  if (all.length > MAX_FILES) items.push(`- and ${all.length - MAX_FILES} more`);
  return `<details><summary>${title}</summary>\n\n${items.join('\n')}\n\n</details>`;
}
