import type { FileEntity } from './entities.ts';
import { type AppContext, refuse } from './http.ts';

const MEDIA_TYPE = /^application\/vnd\.github(?:\.v3)?\.diff\b/;
const MOST_FILES = 300;

/** https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types */
export function wantsDiff(c: AppContext): boolean {
  return (c.req.header('accept') ?? '').split(',').some((type) => MEDIA_TYPE.test(type.trim()));
}

/** The files as `git diff` prints them; 406 if there are too many. */
export function diffReply(c: AppContext, files: readonly FileEntity[]): Response {
  if (files.length > MOST_FILES) {
    const errors = [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }];
    throw refuse(406, `Sorry, the diff exceeded the maximum number of files (${MOST_FILES}).`, {
      errors,
    });
  }
  const type = 'application/vnd.github.diff; charset=utf-8';
  return c.body(files.map(diffOf).join(''), 200, { 'content-type': type });
}

function diffOf({ filename, previousFilename = filename, status, patch }: FileEntity): string {
  const [before, after] = [`a/${previousFilename}`, `b/${filename}`];
  const [from, to] = [
    status === 'added' ? '/dev/null' : before,
    status === 'removed' ? '/dev/null' : after,
  ];
  const lines = [`diff --git ${before} ${after}`];
  if (status === 'added') lines.push('new file mode 100644');
  if (status === 'removed') lines.push('deleted file mode 100644');
  if (status === 'renamed') lines.push(`rename from ${previousFilename}`, `rename to ${filename}`);
  if (patch === undefined) lines.push(`Binary files ${from} and ${to} differ`);
  else lines.push(`--- ${from}`, `+++ ${to}`, patch);
  return `${lines.join('\n')}\n`;
}
