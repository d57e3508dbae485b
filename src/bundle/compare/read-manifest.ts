import * as z from 'zod/mini';
import { plainLine } from '../../text/escape.ts';
import { parseJson } from '../../text/json.ts';
import { isPathId } from '../../text/names.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import { type ComparedSite, makeComparedSite } from './compared-site.ts';

/** 200,000 files with long names take less. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

const file = z.object({
  path: z.string(),
  bytes: z.int().check(z.minimum(0)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
const manifest = z.object({
  site: z.nullish(z.string()),
  exportJobId: z.string().check(z.refine(isPathId)),
  files: z.array(file).check(z.maxLength(ARCHIVE_LIMITS.entries)),
});

type ReadManifest =
  | { readonly ok: true; readonly site: ComparedSite; readonly domain: string | undefined }
  /** `problem` goes on after the name of the file: `is not JSON`. */
  | { readonly ok: false; readonly problem: string };

/** The files of an earlier export, from the manifest that was kept with its archive. */
export function readManifest(text: string): ReadManifest {
  const json = parseJson(text);
  if (json === undefined) return bad('is not JSON');
  const versioned = z.looseObject({ version: z.number(), files: z.unknown() }).safeParse(json);
  if (!versioned.success) return bad('is no manifest of Docs Courier');
  const { version } = versioned.data;
  if (version !== 1) return bad(`has version ${version}, and this Docs Courier reads version 1`);
  const parsed = manifest.safeParse(json);
  if (!parsed.success) return bad(`is no valid manifest: ${issueText(parsed.error.issues[0])}`);
  const { site, exportJobId, files } = parsed.data;
  const wrong = files.find(({ path }) => !isBundlePath(path));
  if (wrong !== undefined) return bad(`has a name that no bundle can have: ${plainLine(wrong.path, 100)}`);
  if (new Set(files.map(({ path }) => path)).size < files.length) return bad('names a file twice');
  return { ok: true, site: makeComparedSite(exportJobId, files), domain: site ?? undefined };
}

function bad(problem: string): ReadManifest {
  return { ok: false, problem };
}

function issueText(issue: { readonly path: readonly PropertyKey[] } | undefined): string {
  return issue === undefined || issue.path.length === 0 ? 'it has another form' : `${issue.path.join('.')} is invalid`;
}

function isBundlePath(path: string): boolean {
  const { nameBytes, depth } = ARCHIVE_LIMITS;
  const parts = path.split('/');
  return (
    path.length <= nameBytes &&
    parts.length <= depth &&
    !/[\p{Cc}\\]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
