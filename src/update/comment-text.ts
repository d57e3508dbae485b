import { shortCommit } from '../publish/content/summary.ts';
import { sections } from '../run/report.ts';
import { countOf, formatDuration } from '../text/amounts.ts';
import { codeSpan, link } from '../text/escape.ts';

type Lists = Readonly<Partial<Record<(typeof KINDS)[number], readonly unknown[] | undefined>>>;

/** A preview that has ended well. */
export interface MadePreview {
  readonly url: string;
  readonly update: string;
  /** The commit that it has: that of the run, or one that contains it. undefined: the platform does not show that. */
  readonly published: string | undefined;
  readonly elapsedMs: number;
  /** Paths in the repository, as the platform lists them. */
  readonly files: Lists | undefined;
}

interface Shown extends MadePreview {
  /** The commit of the run. */
  readonly commit: string;
  readonly showsFiles: boolean;
}

const KINDS = ['added', 'modified', 'removed'] as const;
const MAX_FILES = 10;

/** Markdown. Which page a file becomes is not known, so no address of a page is guessed. */
export function previewText({ url, update, published, elapsedMs, files = {}, commit, showsFiles }: Shown): string {
  const took = `${formatDuration(elapsedMs)} (update ${codeSpan(update, 140)})`;
  const content =
    published === undefined
      ? `Requested for commit ${codeSpan(shortCommit(commit))}, and ready after ${took}. The platform does not show which commit it has.`
      : `Commit ${codeSpan(shortCommit(published))}, ready after ${took}.`;
  return sections([
    `**Preview of the documentation**: ${link('open the preview', url)}`,
    content,
    filesText(files, showsFiles),
  ]);
}

function filesText(lists: Lists, showsFiles: boolean): string | undefined {
  const all = KINDS.flatMap((kind) => textsOf(lists[kind]).map((path) => ({ kind, path })));
  if (all.length === 0) return undefined;
  const title = `${countOf(all.length, 'file')} changed`;
  if (!showsFiles) return `${title}.`;
  const items = all.slice(0, MAX_FILES).map(({ kind, path }) => `- ${kind}: ${codeSpan(path, 160)}`);
  const rest = all.length - items.length;
  if (rest > 0) items.push(`- and ${rest.toLocaleString('en-US')} more`);
  return `<details><summary>${title}</summary>\n\n${items.join('\n')}\n\n</details>`;
}

function textsOf(list: readonly unknown[] = []): readonly string[] {
  return list.filter((path) => typeof path === 'string');
}
