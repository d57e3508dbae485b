import { posix } from 'node:path';
import { type CourierError, configError } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { countOf } from '../../ground/text/amounts.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { ServedAt } from '../../inputs/read-served-at.ts';
import type { BundleFile } from '../archive/sink.ts';
import { type ComparedSite, makeComparedSite } from '../compare/compared-site.ts';
import { fingerprintSite, keepFingerprint } from '../compare/fingerprint.ts';
import {
  type ComparingReader,
  type InspectedSite,
  type InspectionInit,
  inspect,
} from '../inspection.ts';
import type { Finding } from '../verify/finding.ts';
import type { PageReader } from '../verify/site-check.ts';
import { readSiteOrigin, type SiteOrigin } from './base-path.ts';
import { type MovedSite, moveSite, nameHost } from './move-site.ts';

interface MovedInspection {
  readonly inspection: Omit<InspectionInit, 'pageReaders' | 'comparison'>;
  /** Compares a site that was built for this base path. */
  readonly openComparison: (basePath: string | undefined) => Promise<ComparingReader | undefined>;
  readonly openReaders: (site: ComparedSite) => Promise<readonly PageReader[]>;
  readonly servedAt: ServedAt;
  /** The input that delivers the archive too, whose addresses stay. */
  readonly archiveInput?: 'to' | 'bundle-path' | undefined;
  /** Whether the fingerprint of the export is asked for later. */
  readonly usesFingerprint?: boolean | undefined;
}

/**
 * Compares a site, exchanges the base path that it has for that of `servedAt`, and verifies the
 * result: what changed is found in the export, so that another address changes no page. Throws
 * `config` if the site cannot be moved, or if the archive is delivered too, which stays as it is.
 */
export async function inspectMoved(init: MovedInspection): Promise<InspectedSite> {
  const { inspection, openReaders, openComparison, servedAt, archiveInput } = init;
  const { site: exported, log } = inspection;
  const from = readSiteOrigin(exported);
  const { basePath } = from;
  const isAtTop = servedAt.path === '';
  if (basePath === undefined && !isAtTop) explainNoPath(from, log);
  const keepsPath = basePath === undefined || basePath === servedAt.path || isAtTop;
  const namesHost = from.lacksHost && archiveInput === undefined;
  if (keepsPath && !namesHost) {
    const opened = await openComparison(basePath);
    const pageReaders = await openReaders(exported);
    const result = await inspect({ ...inspection, comparison: opened, pageReaders });
    return { ...result, site: exported, moved: [] };
  }
  if (!keepsPath && archiveInput !== undefined)
    throw otherArchive(basePath, servedAt, archiveInput);
  // At the top of a host too, the site may have a base path, and keeps it.
  let to = basePath;
  if (!keepsPath) to = servedAt.path;
  const origin = { ...inspection.origin, basePath };
  const { comparison } = await inspect({
    ...inspection,
    origin,
    verify: 'off',
    comparison: await openComparison(basePath),
    pageReaders: [],
  });
  const { site, moved, unsure } = await move(init, { ...from, keepsPath, namesHost });
  // Otherwise they are among the findings of the verification.
  if (inspection.verify === 'off') warnOfUnsure(unsure, log);
  const { facts } = await inspect({
    ...inspection,
    site,
    origin: { ...origin, basePath: to },
    comparison: undefined,
    pageReaders: await openReaders(site),
    unsure,
  });
  return { facts, comparison, site, moved };
}

function explainNoPath({ absolute }: SiteOrigin, log: Log): void {
  if (absolute === undefined)
    log.info(
      'No address that begins with one slash was found: nothing is exchanged for served-at. Addresses with a host stay as they are.',
    );
  else
    log.notice(
      `No address that begins with a slash, such as ${plainLine(absolute, 100)}, leads to a file of the site: nothing is exchanged for served-at.`,
    );
}

const MOST_WARNINGS = 10;

function warnOfUnsure(unsure: readonly Finding[], log: Log): void {
  for (const { page, reason, target } of unsure.slice(0, MOST_WARNINGS))
    log.warning(plainLine(`${page}: ${reason} (${target})`));
  const more = unsure.length - MOST_WARNINGS;
  if (more > 0)
    log.warning(`${countOf(more, 'more address', 'more addresses')} may not be exchanged.`);
}

interface Exchanges extends SiteOrigin {
  /** True: the site keeps its base path, and only addresses without a host change. */
  readonly keepsPath: boolean;
  readonly namesHost: boolean;
}

async function move(
  { inspection, servedAt, usesFingerprint = false }: MovedInspection,
  { basePath = '', keepsPath, namesHost, ...from }: Exchanges,
) {
  const { site: exported, origin, log, signal } = inspection;
  // Asked for now, and kept: it is that of the export.
  if (usesFingerprint) await fingerprintSite(exported, signal);
  const hosts = [...from.hosts, origin.domain].filter((host) => host !== undefined);
  const { isOfStyles } = from;
  const init = { site: exported, from: { basePath, hosts, isOfStyles }, to: servedAt, signal };
  let named: MovedSite['files'] = new Map();
  // Without an exchange, the whole path of an address is below `served-at`, or begins with its path.
  if (namesHost && keepsPath)
    named = await nameHost({ ...init, from: { ...init.from, basePath: servedAt.path } });
  else if (namesHost) named = await nameHost(init);
  if (named.size > 0)
    log.info(
      `The address of ${countOf(named.size, 'file')} was built without a host: it is below ${servedAt.url} now.`,
    );
  let result: MovedSite = { files: new Map(), unsure: [] };
  if (!keepsPath) result = await moveSite(init);
  const { files: moved, unsure } = result;
  const changed = new Map([...named, ...moved]);
  const { jobId, folder, root = '' } = exported;
  const inArchive = (file: BundleFile) => ({ ...file, path: posix.join(folder, file.path) });
  const files = exported.files.map((file) => inArchive(changed.get(file.path) ?? file));
  const site = makeComparedSite(jobId, files, posix.join(root, folder && '..'));
  keepFingerprint(exported, site);
  if (!keepsPath)
    log.info(
      `The base path ${plainLine(basePath || '/', 100)} of the site was exchanged for ${servedAt.path} in ${countOf(moved.size, 'file')}.`,
    );
  return { site, moved: Array.from(changed.values(), inArchive), unsure };
}

/** `config`: the archive would lead readers to another address than the copy. */
function otherArchive(
  basePath: string,
  { path, url }: ServedAt,
  input: 'to' | 'bundle-path',
): CourierError {
  return configError(
    `served-at: the addresses of the site begin with ${plainLine(basePath || '/', 100)} and not with ${path}. They can be exchanged in extract-to and image alone, and ${input} delivers the archive as it is. Nothing was delivered.`,
    `Remove ${input}, which a separate step without served-at can deliver, or serve the archive at the path that it was exported for, and not at ${url}.`,
  );
}
