import { parseArgs } from 'node:util';
import { isPathId } from '../text/path-id.ts';
import type { AgentJobEntity } from './platform/entities.ts';
import type { Keys } from './platform/options.ts';

export interface CliArguments {
  readonly sites: Readonly<Record<string, string>>;
  readonly port: number;
  readonly linkLifetimeMs: number;
  readonly exportDurationMs: number;
  readonly agentDurationMs: number;
  readonly searchLagMs: number;
  readonly agentJobs: readonly Pick<AgentJobEntity, 'id' | 'source'>[];
  readonly adminKey: string | undefined;
  readonly assistantKey: string | undefined;
  readonly projectId: string | undefined;
  readonly s3Endpoint: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly quiet: boolean;
  readonly help: boolean;
}

export const USAGE = `Usage: npm run emulator -- --site ID=FOLDER [options]

  --site ID=FOLDER             a documentation site: its identifier and its folder of Markdown (may be repeated)
  --port NUMBER                port to listen on; 0 is any free one (default 0)
  --link-lifetime DURATION     how long a bundle link works (default 1h)
  --export-duration DURATION   how long an export takes (default 20s)
  --agent-duration DURATION    how long the agent works on a message (default 20s)
  --search-lag DURATION        how long search does not know yet what was published (default 0s)
  --agent-job ID=REPO[@REF]    an agent job: its id and the https address of its repository (may be repeated)
  --project-id ID              project that owns the agent jobs (default random)
  --admin-key KEY              begins svc_ (default random)
  --assistant-key KEY          begins svc_dsc_ (default random)
  --s3-endpoint URL            keep bundles in an S3-compatible store, which then makes the links; credentials come
                               from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION
  --s3-bucket NAME             with --s3-endpoint: the bucket, which must exist
  --quiet                      print no line per request
  --help                       print this

Durations are written 500ms, 90s, 30m or 2h.`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

const options = {
  site: texts,
  port: { ...text, default: '0' },
  'link-lifetime': { ...text, default: '1h' },
  'export-duration': { ...text, default: '20s' },
  'agent-duration': { ...text, default: '20s' },
  'search-lag': { ...text, default: '0s' },
  'agent-job': texts,
  'project-id': text,
  'admin-key': text,
  'assistant-key': text,
  's3-endpoint': text,
  's3-bucket': text,
  quiet: flag,
  help: flag,
} as const;

/** Throws an error whose message names the argument, what was given, and what is allowed. */
export function readArguments(args: readonly string[]): CliArguments {
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  return {
    sites: readSites(values.site ?? [], values.help),
    port: readPort(values.port),
    linkLifetimeMs: readDuration('--link-lifetime', values['link-lifetime']),
    exportDurationMs: readDuration('--export-duration', values['export-duration']),
    agentDurationMs: readDuration('--agent-duration', values['agent-duration']),
    searchLagMs: readDuration('--search-lag', values['search-lag']),
    agentJobs: (values['agent-job'] ?? []).map(readAgentJob),
    adminKey: readKey('--admin-key', values['admin-key'], /^svc_(?!dsc_)[\w-]+$/),
    assistantKey: readKey('--assistant-key', values['assistant-key'], /^svc_dsc_[\w-]+$/),
    projectId: values['project-id'] === undefined ? undefined : readId('--project-id', values['project-id']),
    s3Endpoint: values['s3-endpoint'],
    s3Bucket: values['s3-bucket'],
    quiet: values.quiet,
    help: values.help,
  };
}

/** The keys given, each missing one from `random`. */
export function chooseKeys({ adminKey, assistantKey }: CliArguments, random: Keys): Keys {
  return { admin: adminKey ?? random.admin, assistant: assistantKey ?? random.assistant };
}

function wrong(name: string, given: string, allowed: string): Error {
  return new Error(`${name}: ${JSON.stringify(given)} is not ${allowed}.`);
}

function readSites(given: readonly string[], help: boolean): Record<string, string> {
  if (given.length === 0 && !help) throw new Error('--site ID=FOLDER is missing: there is nothing to emulate.');
  const sites = new Map<string, string>();
  for (const pair of given) {
    const [, id, folder] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (!id || !folder) throw wrong('--site', pair, 'of the form ID=FOLDER');
    // It is the leading label of a host name.
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(id)) throw wrong('--site', id, 'an identifier of a-z, 0-9 and -');
    if (sites.has(id)) throw new Error(`--site: ${id} is given twice.`);
    sites.set(id, folder);
  }
  return Object.fromEntries(sites);
}

function readPort(given: string): number {
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) throw wrong('--port', given, 'a number from 0 to 65535');
  return Number(given);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function readDuration(name: string, given: string): number {
  const [, number, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(given) ?? [];
  const unitMs = UNITS_MS[unit ?? ''];
  if (number === undefined || unitMs === undefined)
    throw wrong(name, given, 'a duration such as 500ms, 90s, 30m or 2h');
  return Number(number) * unitMs;
}

function readId(name: string, given: string): string {
  if (!isPathId(given)) throw wrong(name, given, 'an id of A-Z a-z 0-9 . _ ~ -');
  return given;
}

function readKey(name: string, given: string | undefined, form: RegExp): string | undefined {
  if (given === undefined || form.test(given)) return given;
  // Not repeated: what was given may be a real key.
  throw new Error(`${name}: must begin with ${name === '--admin-key' ? 'svc_ (and not svc_dsc_)' : 'svc_dsc_'}.`);
}

function readAgentJob(given: string): Pick<AgentJobEntity, 'id' | 'source'> {
  const [, id, repository, ref] = /^([^=]+)=(https?:\/\/[^@\s]+)(?:@(\S+))?$/.exec(given) ?? [];
  if (!id || !repository)
    throw wrong('--agent-job', given, 'of the form ID=https://github.com/owner/repository[@branch]');
  return { id: readId('--agent-job', id), source: { repository, ref: ref ?? null } };
}
