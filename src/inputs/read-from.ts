import { isSameOrBelow } from '../ground/confined-files.ts';
import type { InputName } from '../values/catalog.ts';
import type { InputContext, InputReader } from '../values/reader.ts';
import { pathBelow } from '../values/values.ts';

/** What is asked of the platform, or of the job on it that makes an export. */
const OF_JOB = [
  'domain',
  'project-id',
  'export-job-id',
  'export-version',
  'export-paths',
  'base-path',
  'publish',
  'publisher',
  'timeout',
  'on-timeout',
] as const satisfies readonly InputName[];

/** What is done with a link, or with the state that is kept next to one. */
const OF_LINK = ['to', 'rollout'] as const satisfies readonly InputName[];
const LINK_OPTIONS = ['to-command', 'state', 'link-file', 'print-link'] as const;

/**
 * The absolute path of a site that is there already, as an archive or a folder, instead of an
 * export of the platform; undefined: none is given, or it is wrong. What can have no effect then is
 * a problem.
 */
export function readFrom(reader: InputReader, { workspace }: InputContext): string | undefined {
  const from = reader.optional('from', pathBelow(workspace));
  if (!reader.isGiven('from')) return undefined;
  reader.forbid(
    OF_JOB,
    'is about an export of the platform, and from takes a site that is there already; remove one of the two',
  );
  if (from !== undefined && isSameOrBelow(workspace, from)) {
    const text =
      'from is the working folder or a folder around it; name the folder with the built site';
    reader.problem('from', text, { inputs: { from: '' } });
  }
  if (/\.(?:zip|tar)$/i.test(reader.text('bundle-path'))) {
    const text = 'bundle-path is written as a .tar.gz with from; name it like one';
    reader.problem('bundle-path', text, { inputs: { 'bundle-path': 'site.tar.gz' } });
  }
  const linkless = 'needs a link, which only an export of the platform has, and from has none';
  reader.forbid(OF_LINK, `${linkless}; remove one of the two`);
  for (const option of LINK_OPTIONS)
    if (reader.text(option) !== '') reader.problem(option, `${option} ${linkless}`);
  return from;
}
