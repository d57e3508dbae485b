import { parseArgs } from 'node:util';
import { guess } from '../../src/ground/text/names.ts';
import { FORGE_USAGE, type ForgeArguments, forgeOptions, readForges } from './cli-forges.ts';
import * as values from './cli-values.ts';
import type { Fault } from './faults.ts';
import type { AgentJobEntity } from './platform/entities.ts';
import { type Keys, PLANS, type Plan } from './platform/options.ts';

/** GitHub's half, if it is requested. */
export interface GitHubArguments {
  readonly port: number;
  /** `owner/name`, at least one. */
  readonly repositories: readonly string[];
  readonly environments: readonly string[];
  /** Login to role. */
  readonly collaborators: Readonly<Record<string, string>>;
  /** Of a GitHub App that may write secrets and variables. */
  readonly secretToken: string | undefined;
  readonly workflowToken: string | undefined;
}

export interface CliArguments extends ForgeArguments {
  readonly sites: Readonly<Record<string, string>>;
  readonly port: number;
  readonly linkLifetimeMs: number;
  readonly exportDurationMs: number;
  readonly agentDurationMs: number;
  readonly searchLagMs: number;
  readonly publishLagMs: number;
  /** Why every update fails; undefined: none does. */
  readonly updateError: string | undefined;
  readonly noUpdates: boolean;
  /** Every site keeps what it serves at the start. */
  readonly isRolledBack: boolean;
  readonly agentJobs: readonly Pick<AgentJobEntity, 'id' | 'source'>[];
  readonly agentSource: AgentJobEntity['source'] | undefined;
  readonly adminKey: string | undefined;
  readonly assistantKey: string | undefined;
  readonly projectId: string | undefined;
  readonly basePath: '' | '/docs' | '/documentation' | undefined;
  readonly plan: Plan;
  readonly privateSites: readonly string[];
  /** Why every export fails; undefined: none does. */
  readonly exportError: string | undefined;
  readonly stallExport: boolean;
  readonly failAgent: boolean;
  readonly faults: readonly Fault[];
  readonly s3Endpoint: string | undefined;
  readonly s3Bucket: string | undefined;
  readonly github: GitHubArguments | undefined;
  readonly quiet: boolean;
  readonly help: boolean;
}

export const USAGE = `Usage: docs-courier emulator --site ID=FOLDER [options]

The platform:
  --site ID=FOLDER             a documentation site: its identifier and its folder of Markdown (may be repeated);
                               the first one is the project's site
  --port NUMBER                port to listen on; 0 is any free one (default 0)
  --project-id ID              project that owns the agent jobs and exports (default random)
  --admin-key KEY              begins svc_ (default random)
  --assistant-key KEY          begins svc_dsc_ (default random)
  --export-duration DURATION   how long an export takes (default 20s)
  --link-lifetime DURATION     how long a bundle link works (default 1h)
  --base-path PATH             prefix of links in an export by project that requests none: /docs or /documentation
  --search-lag DURATION        how long search does not find newly published content (default 0s)
  --publish-lag DURATION       how long a change of a folder is not published, and a requested update takes (default 0s)
  --agent-duration DURATION    how long the agent works on a message (default 20s)
  --agent-job ID=REPO[@REF]    an agent job: its id and the https address of its repository (may be repeated)
  --agent-repository REPO[@REF]  repository of new agent jobs (default https://github.com/acme/docs@main)
  --s3-endpoint URL            keep bundles in an S3-compatible store, which then signs the links; credentials come
                               from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION
  --s3-bucket NAME             with --s3-endpoint: the bucket, which must exist

What goes wrong:
  --plan NAME                  enterprise, or free: exports are answered 402 (default enterprise)
  --private-site ID            a site behind a login: its export is answered 403 (may be repeated)
  --fail-export [REASON]       every export ends as failed
  --stall-export               every export stops halfway, and its updatedAt with it
  --fail-update [REASON]       every requested update ends as failure
  --no-updates                 the installation has no endpoints to request an update
  --rolled-back                every site keeps what it serves at the start: new content is built, and does not go live
  --fail-agent                 every agent job ends as failed
  --status-delay DURATION      delays every reply to a poll of an export
  --fail-rate SHARE            share of requests that get status 500, such as 10%
  --fault 'METHOD PATH STATUS [xN | always] [retry-after=SECONDS]'
                               the next N requests (1) are answered STATUS; * is any method or path, and PATH is
                               searched for in the address (may be repeated)

GitHub:
  --github                     emulate GitHub's API as well: secrets, variables, pull requests, comments
  --github-port NUMBER         its port; 0 is any free one (default 0)
  --github-repository NAME     owner/name (may be repeated; default acme/app)
  --github-environment NAME    an environment of each repository (may be repeated)
  --github-collaborator LOGIN=ROLE  read, triage, write, maintain or admin (may be repeated)
  --github-secret-token TOKEN  of an App that may write secrets and variables (default random)
  --github-workflow-token TOKEN  the token of the workflow run (default random)

${FORGE_USAGE}

  --quiet                      print no line per request
  --help                       print this

It listens on 127.0.0.1 only. Durations are written 500ms, 90s, 30m or 2h.`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

const options = {
  site: texts,
  port: { ...text, default: '0' },
  'project-id': text,
  'admin-key': text,
  'assistant-key': text,
  'export-duration': { ...text, default: '20s' },
  'link-lifetime': { ...text, default: '1h' },
  'base-path': text,
  'search-lag': { ...text, default: '0s' },
  'publish-lag': { ...text, default: '0s' },
  'agent-duration': { ...text, default: '20s' },
  'agent-job': texts,
  'agent-repository': text,
  's3-endpoint': text,
  's3-bucket': text,
  plan: { ...text, default: 'enterprise' },
  'private-site': texts,
  'fail-export': text,
  'stall-export': flag,
  'fail-update': text,
  'no-updates': flag,
  'rolled-back': flag,
  'fail-agent': flag,
  'status-delay': text,
  'fail-rate': text,
  fault: texts,
  github: flag,
  'github-port': text,
  'github-repository': texts,
  'github-environment': texts,
  'github-collaborator': texts,
  'github-secret-token': text,
  'github-workflow-token': text,
  ...forgeOptions,
  quiet: flag,
  help: flag,
} as const;

type Given = ReturnType<typeof parse>;

/** Throws an error that contains the argument, the value, and what is allowed. */
export function readArguments(args: readonly string[]): CliArguments {
  const given = parse(args);
  const sites = values.sites(given.site ?? []);
  if (given.help !== true && Object.keys(sites).length === 0)
    throw new Error('--site ID=FOLDER is missing: there is nothing to emulate.');
  return {
    sites,
    port: values.port('--port', given.port),
    linkLifetimeMs: values.duration('--link-lifetime', given['link-lifetime']),
    exportDurationMs: values.duration('--export-duration', given['export-duration']),
    agentDurationMs: values.duration('--agent-duration', given['agent-duration']),
    searchLagMs: values.duration('--search-lag', given['search-lag']),
    publishLagMs: values.duration('--publish-lag', given['publish-lag']),
    updateError: ifGiven(given['fail-update'], (reason) => reason || 'The build failed.'),
    noUpdates: given['no-updates'],
    isRolledBack: given['rolled-back'],
    agentJobs: (given['agent-job'] ?? []).map(values.agentJob),
    agentSource: ifGiven(given['agent-repository'], values.agentSource),
    adminKey: values.key('--admin-key', given['admin-key'], 'svc_'),
    assistantKey: values.key('--assistant-key', given['assistant-key'], 'svc_dsc_'),
    projectId: ifGiven(given['project-id'], (id) => values.id('--project-id', id)),
    basePath: ifGiven(given['base-path'], (path) =>
      values.oneOf('--base-path', path, ['/docs', '/documentation']),
    ),
    plan: values.oneOf('--plan', given.plan, PLANS),
    privateSites: (given['private-site'] ?? []).map((id) =>
      values.oneOf('--private-site', id, Object.keys(sites)),
    ),
    exportError: ifGiven(given['fail-export'], (reason) => reason || 'The export failed.'),
    stallExport: given['stall-export'],
    failAgent: given['fail-agent'],
    faults: readFaults(given),
    s3Endpoint: given['s3-endpoint'],
    s3Bucket: given['s3-bucket'],
    github: readGitHub(given),
    ...readForges(given),
    quiet: given.quiet,
    help: given.help,
  };
}

/** The given keys; each missing one comes from `random`. */
export function chooseKeys({ adminKey, assistantKey }: CliArguments, random: Keys): Keys {
  return { admin: adminKey ?? random.admin, assistant: assistantKey ?? random.assistant };
}

function parse(args: readonly string[]) {
  // The only options with an optional value, which the library does not know: without one, it is
  // given as empty.
  const isBare = (arg: string, at: number) =>
    ['--fail-export', '--fail-update'].includes(arg) && (args[at + 1] ?? '--').startsWith('--');
  const completed = args.map((arg, at) => (isBare(arg, at) ? `${arg}=` : arg));
  for (const arg of completed) refuseUnknown(arg);
  const parsed = parseArgs({ args: completed, options, strict: true, allowPositionals: true });
  const [folder] = parsed.positionals;
  if (folder === undefined) return parsed.values;
  // The message repeats the word only if it can be copied into a shell as it is.
  const shown = /^[\w./-]{1,100}$/.test(folder) ? folder : 'FOLDER';
  const site = /^[a-z0-9-]+=[\w./-]{1,100}$/.test(folder) ? folder : `docs=${shown}`;
  throw new Error(`A word alone belongs to no option. For a folder of pages write --site ${site}`);
}

// The library reports an unknown option, but does not suggest the right one.
function refuseUnknown(arg: string): void {
  const name = /^--([^=]+)/.exec(arg)?.[1];
  if (name === undefined || Object.hasOwn(options, name)) return;
  const meant = guess(name, Object.keys(options));
  throw new Error(
    `Unknown option --${name}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`,
  );
}

function ifGiven<T>(given: string | undefined, read: (text: string) => T): T | undefined {
  return given === undefined ? undefined : read(given);
}

const ALWAYS = Number.POSITIVE_INFINITY;

function readFaults(given: Given): Fault[] {
  const delayMs = ifGiven(given['status-delay'], (delay) =>
    values.duration('--status-delay', delay),
  );
  const rate = ifGiven(given['fail-rate'], (share) => values.share('--fail-rate', share));
  const poll = { method: 'GET', path: '/v1/static-export/', times: ALWAYS };
  return [
    ...(given.fault ?? []).map(values.fault),
    ...(rate === undefined
      ? []
      : [
          {
            match: { rate, times: ALWAYS },
            status: 500,
            body: { error: 'The emulator fails on request.' },
          },
        ]),
    ...(delayMs === undefined ? [] : [{ match: poll, delayMs }]),
  ];
}

function readGitHub(given: Given): GitHubArguments | undefined {
  if (!given.github) {
    values.refuseLost('github', Object.keys(given));
    return undefined;
  }
  return {
    port: values.port('--github-port', given['github-port'] ?? '0'),
    repositories: (given['github-repository'] ?? ['acme/app']).map((name) =>
      values.repository(name),
    ),
    environments: given['github-environment'] ?? [],
    collaborators: values.collaborators(given['github-collaborator'] ?? []),
    secretToken: ifGiven(given['github-secret-token'], (token) =>
      values.token('--github-secret-token', token),
    ),
    workflowToken: ifGiven(given['github-workflow-token'], (token) =>
      values.token('--github-workflow-token', token),
    ),
  };
}
