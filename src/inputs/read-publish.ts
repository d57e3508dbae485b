import { handsOnLink } from '../ci/port.ts';
import type { InputName } from '../values/catalog.ts';
import type { InputContext, InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { readOutputFiles } from './output-files.ts';
import { readLive, readRollout } from './read-after.ts';
import { type CommonInputs, readComment, readFollow } from './read-common.ts';
import { asksForDestinations, readDestinations } from './read-destinations.ts';
import { readFrom } from './read-from.ts';
import { readGuard } from './read-guard.ts';
import { basePathFor, checkLiveUrl, readServedAt, type ServedAt } from './read-served-at.ts';

// The modes that write the link of an export to its destinations: export, refresh and rollback.
// Next to the link, each destination has a state, which says which export is live.
//
// Each function below reads all of its inputs before it gives undefined, so that every fault is
// reported. `??` after `required`: the input is wrong, which ends the run, so that no mode sees
// this value. What must not be undefined is taken out of the others, so that the check narrows it.

/** The inputs that export, refresh and rollback have in common. */
function readLink(reader: InputReader, context: InputContext) {
  const adminApiKey = readAdminKey(reader);
  const exportJobId = reader.optional('export-job-id', values.pathId);
  const to = readDestinations(reader, context);
  const bundle = readBundle(reader, context);
  const live = readLive(reader);
  checkLiveUrl(reader, bundle.servedAt, live?.url);
  return {
    /** Empty only with `from`, which asks the platform for nothing. */
    adminApiKey,
    /** For a rollback, the export to put back in place; undefined: the one before the live one. */
    exportJobId,
    /** undefined: the link is an output and nothing more. */
    to,
    /** The other files that the run writes. */
    outputFiles: readOutputFiles(reader, to?.addresses ?? [], context.workspace),
    /** undefined: no pods are restarted. */
    rollout: readRollout(reader, to),
    bundle,
    /** What is added to the site, in `extractTo` and in an image; each part once. */
    add: readAdded(reader),
    /** undefined: the published site is not checked. */
    live,
    /** undefined: no comment is written. */
    comment: readComment(reader, context),
  } as const;
}

function readAdminKey(reader: InputReader): string | undefined {
  const key = values.apiKey('admin');
  if (reader.isGiven('from')) return reader.optional('admin-api-key', key) ?? '';
  return reader.required('admin-api-key', key);
}

/** The inputs of an export. `content`: whether the platform publishes first, and by which App. */
export function readExport(reader: InputReader, context: InputContext, common: CommonInputs) {
  const { adminApiKey, ...link } = readLink(reader, context);
  const from = readFrom(reader, context);
  const asked = reader.optional('publish', values.boolean);
  // The job that is there already has its content.
  const skipsPublish = asked === true && reader.isGiven('export-job-id');
  const publish = !skipsPublish && asked;
  // Publishing first takes longer. undefined: the usual time.
  const follow = readFollow(reader, publish ? PUBLISH_TIMEOUT_MS : undefined);
  const choice = {
    ...follow,
    ...readExportChoice(reader, link.bundle.servedAt),
    ...readGuard(reader, context),
  };
  const content = publish
    ? readPublishing(reader, follow.timeoutMs)
    : { ...readContent(reader, publish, context), skipsPublish };
  refuseStartAlone(reader, follow);
  // A dry run leaves nothing on purpose.
  if (!common.dryRun && from === undefined) refuseUnused(reader, context);
  if (adminApiKey === undefined || content === undefined) return undefined;
  return { mode: 'export', ...common, ...link, adminApiKey, from, ...choice, content } as const;
}

export function readRefresh(reader: InputReader, context: InputContext, common: CommonInputs) {
  const { adminApiKey, ...link } = readLink(reader, context);
  const projectId = reader.optional('project-id', values.pathId);
  const refreshBeforeMs = reader.required('refresh-before', values.duration);
  /** What a refresh does if there was no export yet. */
  const ifNoState =
    reader.required('if-no-state', values.oneOf(['fail', 'skip'])) ?? ('fail' as const);
  // Without a destination only a named job can be refreshed, and then something must use its link.
  if (!asksForDestinations(reader) && !reader.isGiven('export-job-id')) {
    const text =
      'to is missing: it names the destination whose link is kept fresh (or give export-job-id)';
    reader.problem('to', text, { inputs: { to: '' } });
  }
  // Without a named job there is a destination, as was checked above.
  if (!common.dryRun && reader.isGiven('export-job-id')) refuseUnused(reader, context);
  if (adminApiKey === undefined || refreshBeforeMs === undefined) return undefined;
  return {
    mode: 'refresh',
    ...common,
    ...link,
    adminApiKey,
    projectId,
    refreshBeforeMs,
    ifNoState,
  } as const;
}

export function readRollback(reader: InputReader, context: InputContext, common: CommonInputs) {
  const { adminApiKey, to, ...link } = readLink(reader, context);
  const projectId = reader.optional('project-id', values.pathId);
  if (!asksForDestinations(reader)) {
    reader.problem('to', 'to is missing: it names the destination of the link', {
      inputs: { to: '' },
    });
  }
  if (adminApiKey === undefined || to === undefined) return undefined;
  return { mode: 'rollback', ...common, ...link, adminApiKey, to, projectId } as const;
}

/**
 * If no later step gets the link, an export without a destination is a problem: it would not be
 * saved. A check, whose result counts, may have none.
 */
function refuseUnused(reader: InputReader, { run }: InputContext): void {
  if (run === undefined || handsOnLink(run.kind)) return;
  const isDoctor = reader.text('mode') === 'doctor';
  // A person asks doctor about a site; a job in CI tries what its step would need.
  if (isDoctor && run.kind === 'local') return;
  if (asksForDestinations(reader) || isKept(reader) || (!isDoctor && isCheck(reader))) return;
  const link = run.kind === 'local' ? '--print-link' : '--link-file FILE';
  reader.problem(
    'to',
    `The export would not be saved anywhere: give the link a destination (to), or the site an image (image), a folder (extract-to) or a file (bundle-path), or write ${link}`,
    { text: 'Such as:', inputs: { to: '' } },
  );
}

/** True if the run writes the site or its link into a file, or prints the link. */
function isKept(reader: InputReader): boolean {
  const results = ['bundle-path', 'extract-to', 'link-file', 'print-link'] as const;
  return results.some((name) => reader.text(name) !== '');
}

/** True if the run compares the export, or reports on it in a file. */
function isCheck(reader: InputReader): boolean {
  const isReported = reader.text('summary') !== '' || reader.text('junit') !== '';
  return isReported || reader.isGiven('compare-with');
}

/**
 * `timeout: 0s` starts an export and does not wait for it. Without `on-timeout: detach` such a run
 * would always fail, so that is a problem.
 */
function refuseStartAlone(reader: InputReader, follow: ReturnType<typeof readFollow>): void {
  if (follow.timeoutMs > 0 || follow.onTimeout === 'detach') return;
  // The job was started before: the run only asks how it ended.
  if (reader.isGiven('export-job-id')) return;
  reader.problem(
    'timeout',
    'timeout: 0s starts an export and does not wait for it, which needs on-timeout: detach',
  );
}

const START_OPTIONS = [
  'export-version',
  'export-paths',
  'base-path',
] as const satisfies readonly InputName[];

// For the platform, an empty text means no prefix.
const basePath = (text: string) => {
  const path = values.oneOf(['/', '/docs', '/documentation'])(text);
  return path === '/' ? '' : path;
};

/**
 * What to export. An option that would have no effect in this run is a problem.
 */
function readExportChoice(reader: InputReader, servedAt: ServedAt | undefined) {
  const projectId = reader.optional('project-id', values.pathId);
  // Only an export by project has a base path, which can be exchanged for the one of the copy.
  const isBelowPath = servedAt !== undefined && servedAt.path !== '';
  const needsBasePath = isBelowPath && !reader.isGiven('export-job-id');
  // Else, with both inputs, the domain is exported.
  const isByProject = reader.isGiven('project-id') && (!reader.isGiven('domain') || needsBasePath);
  const choice = {
    /** A host name in ASCII form. undefined only with `exportJobId`, `projectId` or `from`. */
    domain: readDomain(reader),
    /** Given: exports are made by project. */
    projectId: isByProject ? projectId : undefined,
    /** The revision of the platform's API. */
    exportVersion: reader.optional('export-version', values.line),
    /** Page paths without a leading slash; undefined: all pages. */
    exportPaths: reader.optional('export-paths', values.lines(values.pagePath)),
    /** `''` for no prefix; undefined: the deployment's own. */
    basePath: readBasePath(reader, servedAt),
  } as const;
  // All of them are forbidden then.
  if (reader.isGiven('from')) return choice;
  if (reader.isGiven('export-job-id')) {
    reader.forbid(
      START_OPTIONS,
      'is read only where an export is started; export-job-id attaches to one',
    );
  } else if (isByProject && needsBasePath) {
    const because = `is part of an export by domain; served-at with the path ${servedAt.path} exports project-id`;
    reader.forbid(['export-version', 'export-paths'], because);
  } else if (isByProject) {
    reader.forbid(
      ['export-version', 'export-paths'],
      'is part of an export by domain; project-id exports a project',
    );
  } else {
    reader.forbid(['base-path'], 'is part of an export by project; give project-id without domain');
  }
  return choice;
}

/** The prefix to ask the platform for; that of the copy, if it is given, decides. */
function readBasePath(reader: InputReader, servedAt: ServedAt | undefined) {
  const given = reader.optional('base-path', basePath);
  const isByProject = reader.isGiven('project-id') && !reader.isGiven('export-job-id');
  if (servedAt === undefined || !isByProject) return given;
  const needed = basePathFor(servedAt);
  if (given !== undefined && given !== needed) {
    reader.problem(
      'base-path',
      `base-path is ${given || '/'}, and served-at (${servedAt.url}) needs another one`,
      { inputs: { 'base-path': needed || '/' } },
    );
  }
  if (servedAt.path === '') return given;
  return needed;
}

/** The default time for publishing and exporting together. */
const PUBLISH_TIMEOUT_MS = 60 * 60_000;

/** Whether the platform publishes before the export. `token` reads the repository of the run. */
type ContentInputs =
  | {
      readonly publish: true;
      readonly skipsPublish?: undefined;
      readonly projectId: string;
      readonly publisher?: undefined;
      readonly token: string | undefined;
    }
  /**
   * undefined: it is not given. `publisher`: the GitHub App of the platform, as `SLUG` or
   * `SLUG/ENVIRONMENT`.
   */
  | {
      readonly publish: false | undefined;
      /** `publish: true` was given together with a job that is there already. */
      readonly skipsPublish?: boolean;
      readonly projectId?: undefined;
      readonly publisher?: string | undefined;
      readonly token?: string | undefined;
    };

/** The content of an export with `publish: true`; undefined: an input is wrong. */
function readPublishing(reader: InputReader, timeoutMs: number): ContentInputs | undefined {
  reader.forbid(
    ['publisher'],
    'is read in runs on events of that App, and publish: true cannot be used on them',
  );
  if (timeoutMs === 0)
    reader.problem(
      'timeout',
      'timeout: 0s cannot be used with publish: true: the run follows what it publishes',
    );
  const token = reader.optional('github-token', values.apiToken);
  const why = ': publish: true publishes this project';
  const projectId = reader.required('project-id', values.pathId, why);
  return projectId === undefined ? undefined : { publish: true, projectId, token };
}

/** The content of an export that exports what is published already. */
function readContent(
  reader: InputReader,
  publish: false | undefined,
  context: InputContext,
): ContentInputs {
  const publisher = reader.optional('publisher', values.publisher);
  if (context.takesNotices === false && reader.isGiven('publisher'))
    reader.problem('publisher', 'publisher works on GitHub Actions only; remove it');
  if (publisher === undefined) return { publish };
  return { publish, publisher, token: reader.optional('github-token', values.apiToken) };
}

/** The site to export. Not required if the project, or the job alone, says what is exported. */
function readDomain(reader: InputReader): string | undefined {
  const isAttached = reader.isGiven('export-job-id');
  const needsNone = reader.isGiven('project-id') || reader.isGiven('from');
  if (needsNone || (isAttached && !asksForDestinations(reader))) {
    return reader.optional('domain', values.hostName);
  }
  const why = isAttached
    ? ': the state next to the link names the site'
    : ' (or give project-id, to export by project)';
  return reader.required('domain', values.hostName, why);
}

/** What to do with the archive and its files. Its paths are absolute. */
export function readBundle(reader: InputReader, context: InputContext) {
  const path = values.pathBelow(context.workspace);
  const bundle = {
    bundlePath: reader.optional('bundle-path', path),
    extractTo: reader.optional('extract-to', path),
    servedAt: readServedAt(reader),
    clean: reader.required('clean', values.boolean) ?? false,
    /**
     * `new`: links that an earlier list of pages does not have as broken are an error. `air-gapped`:
     * as `strict`, and a load from another host is an error.
     */
    verify:
      reader.required('verify', values.oneOf(['off', 'report', 'new', 'strict', 'air-gapped'])) ??
      ('report' as const),
    /** Connections to private addresses are made even if the platform is public. */
    allowPrivateHosts: reader.required('allow-private-hosts', values.boolean) ?? false,
  } as const;
  const isCompared = !['', 'none', 'previous'].includes(reader.text('compare-with'));
  if (bundle.verify === 'new' && !isCompared) {
    reader.problem(
      'verify',
      'verify: new needs an earlier list of pages; write compare-with: live, or the path of a docs-courier.manifest.json',
      { text: 'Or write:', inputs: { verify: 'report' } },
    );
  }
  if (!reader.isGiven('extract-to')) {
    if (!reader.isGiven('image') && !reader.isGiven('from'))
      reader.forbid(['verify'], 'is read only together with extract-to or image');
    if (!reader.isGiven('bundle-path'))
      reader.forbid(['clean'], 'is read only together with extract-to or bundle-path');
  }
  return bundle;
}

/** What is added to the site, each part once. */
function readAdded(reader: InputReader): readonly values.AddedPart[] {
  const parts = reader.optional('add', values.lines(values.oneOf(values.ADDED_PARTS))) ?? [];
  // With `from` the archive is made of the site, so it has what is added.
  const isPacked = reader.isGiven('from') && reader.isGiven('bundle-path');
  if (!reader.isGiven('extract-to') && !reader.isGiven('image') && !isPacked) {
    reader.forbid(
      ['add'],
      'is read only together with extract-to or image; the archive at bundle-path is never changed',
    );
  }
  return [...new Set(parts)];
}
