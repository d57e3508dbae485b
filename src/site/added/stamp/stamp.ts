import * as z from 'zod/mini';
import { describeRelease, ownPackage } from '../../../ground/release.ts';
import { readTime } from '../../../ground/text/instants.ts';
import { isPathId } from '../../../ground/text/names.ts';
import type { ComparedSite } from '../../compare/compared-site.ts';
import { fingerprintSite } from '../../compare/fingerprint.ts';
import { readOwnFile, type Unreadable } from '../../compare/own-file.ts';
import type { AddedFile } from '../file.ts';

/** Where the stamp is, below the root of the site. */
export const STAMP_FILE = 'docs-courier.json';

/** Larger replies are not read. */
export const MAX_STAMP_BYTES = 64 * 1024;

/** A time, only in the form that stamps are written in: every reader then reads the same time. */
const instant = z.string().check(z.refine((text) => isoOf(readTime(text)) === text));
const id = z.string().check(z.refine(isPathId));
const line = (chars: number) => z.string().check(z.maxLength(chars));

/**
 * What a site says about itself. It is not signed: a person who can change the site can change it.
 */
const stampSchema = z.object({
  version: z.literal(1),
  /** The domain of the site. */
  site: z.nullable(line(255)),
  /** The id of the project, of an export by project. */
  project: z.nullable(id),
  exportJobId: id,
  /** When the export was requested. ISO 8601, UTC. */
  exportedAt: z.nullable(instant),
  /** The commit that was published for the export, and what names it. */
  commit: z.nullable(
    z.object({
      id: z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)),
      from: z.nullable(line(500)),
    }),
  ),
  /** The version of the documentation, as the step named it. */
  label: z.nullable(line(255)),
  pages: z.int().check(z.minimum(0)),
  /** SHA-256 of the content, in hex: the same for two exports without a change. */
  fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Version and commit of Docs Courier; older stamps lack it. */
  release: z.optional(line(100)),
});
export type Stamp = z.infer<typeof stampSchema>;

/** What is known of an export, apart from its files. */
export interface StampFacts {
  readonly domain: string | undefined;
  readonly projectId: string | undefined;
  readonly jobId: string;
  /** When it was requested; undefined: not known. */
  readonly exportedAt: Date | undefined;
  /** The commit that was published for it; `from`: what names it. */
  readonly commit: { readonly id: string; readonly from: string | undefined } | undefined;
  readonly label: string | undefined;
}

/** The stamp of an export: no link, key, name of a person, or path. */
export async function stampFiles(
  site: ComparedSite,
  facts: StampFacts,
  signal: AbortSignal,
): Promise<AddedFile[]> {
  const commit = facts.commit;
  // What is not known is `null`, so that each stamp has the same fields.
  const stamp: Stamp = {
    version: 1,
    site: facts.domain ?? null,
    project: facts.projectId ?? null,
    exportJobId: facts.jobId,
    exportedAt: facts.exportedAt?.toISOString() ?? null,
    commit: commit === undefined ? null : { id: commit.id, from: commit.from ?? null },
    label: facts.label ?? null,
    pages: site.pageCount,
    fingerprint: await fingerprintSite(site, signal),
    release: describeRelease(ownPackage().release),
  };
  const text = `${JSON.stringify(stamp, undefined, 2)}\n`;
  return [{ path: STAMP_FILE, content: new TextEncoder().encode(text) }];
}

type ReadStamp = Unreadable | { readonly ok: true; readonly stamp: Stamp };

/**
 * The stamp of a published site: a text from outside. What it says may be forged; escape it where
 * it is shown.
 */
export function readStamp(text: string): ReadStamp {
  const read = readOwnFile(text, stampSchema, { kind: 'stamp', field: 'fingerprint' });
  if (!read.ok) return read;
  return { ok: true, stamp: read.value };
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
