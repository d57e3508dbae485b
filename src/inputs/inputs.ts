import type { Hint } from '../errors.ts';
import type { Address, KubernetesAddress } from '../stores/address.ts';
import type { StoreCredentials } from '../stores/credentials.ts';

/** What the user asked for, checked: the only form in which inputs go further into the program. */
export type Inputs = WorkInputs | PlanInputs | DoctorInputs;

/** Inputs of the modes that do something. */
export type WorkInputs = ExportInputs | RefreshInputs | RollbackInputs | AgentInputs | SearchInputs;

export const MODES = ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'] as const;
export type Mode = (typeof MODES)[number];
export type WorkMode = WorkInputs['mode'];

export interface CommonInputs {
  /** Without a trailing slash; a path prefix is kept. */
  readonly baseUrl: string;
  readonly dryRun: boolean;
}

/** Where the link goes, and what the stores need. */
export interface DestinationInputs {
  /** At least one, no two of the same destination, each in its shortest form; paths are absolute. */
  readonly addresses: readonly Address[];
  readonly credentials: StoreCredentials;
  /** The link may replace what is not a link of this site. */
  readonly takeOver?: boolean | undefined;
}

export const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset'] as const;

/** What runs pods that read the link when they start, or have the image. */
export interface Workload {
  readonly kind: (typeof WORKLOAD_KINDS)[number];
  readonly name: string;
  /** The volume or container that gets the image of the run; undefined: its pods read the link from a Secret. */
  readonly image?: string | undefined;
}

export interface RolloutInputs {
  /** At least one, no two the same; all in `namespace`. */
  readonly workloads: readonly Workload[];
  readonly namespace: string;
  /** The destinations of the link in this cluster, all in `namespace`. */
  readonly destinations: readonly KubernetesAddress[];
  readonly timeoutMs: number;
  readonly onFailure: 'fail' | 'undo';
}

/** What to do with the archive itself; all paths absolute and checked. */
export interface BundleInputs {
  readonly bundlePath: string | undefined;
  readonly extractTo: string | undefined;
  readonly clean: boolean;
  /** `air-gapped`: as `strict`, and a load from another host is an error. */
  readonly verify: 'off' | 'report' | 'strict' | 'air-gapped';
  /** Connections to private addresses are made also where the platform is public. */
  readonly allowPrivateHosts?: boolean | undefined;
}

interface LinkInputs extends CommonInputs {
  readonly adminApiKey: string;
  /** undefined: the link is an output and nothing more. */
  readonly to: DestinationInputs | undefined;
  readonly bundle: BundleInputs;
  /** undefined: no pods are restarted. */
  readonly rollout: RolloutInputs | undefined;
  /** undefined: the published site is not checked. */
  readonly live: LiveInputs | undefined;
  /** undefined: no comment is written. */
  readonly comment?: CommentInputs | undefined;
}

interface FollowInputs {
  /** 0 or more. */
  readonly timeoutMs: number;
  readonly onTimeout: 'fail' | 'detach';
}

/** `/` for no prefix; the platform knows it as an empty text, which no input can say. */
export const BASE_PATH_CHOICES = ['/', '/docs', '/documentation'] as const;
type BasePathChoice = (typeof BASE_PATH_CHOICES)[number];

/** What is to be exported, and which revision of the platform's API is to do it. */
export interface ExportChoice {
  /** A host name in ASCII form. undefined only together with `exportJobId` or `projectId`. */
  readonly domain: string | undefined;
  /** Given: exports are made by project. */
  readonly projectId: string | undefined;
  readonly exportVersion: string | undefined;
  /** Page paths without a leading slash; undefined: all pages. */
  readonly exportPaths: readonly string[] | undefined;
  /** undefined: the deployment's own. */
  readonly basePath: BasePathChoice | undefined;
}

/** `previous`: the export that is live in the destination. The others name the manifest of an earlier export. */
export type CompareWith =
  | { readonly kind: 'none' | 'previous' }
  /** Absolute. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string };

/** The most pages that an export may have less than the one before; `%`: 0 to 100. */
export interface PageDrop {
  readonly unit: '%' | 'pages';
  readonly most: number;
}

/** What keeps an export from being published. */
export interface GuardInputs {
  readonly compareWith: CompareWith;
  /** 0 or more. */
  readonly minPages: number;
  readonly maxPageDrop: PageDrop | undefined;
  /** Addresses and patterns, or the absolute path of a file with one a line. */
  readonly requiredPages: { readonly pages: readonly string[] } | { readonly file: string } | undefined;
  readonly forbidLostAddresses: 'off' | 'warn' | 'fail';
  /** Of all files, unpacked. */
  readonly maxSizeBytes: number | undefined;
  readonly force: boolean;
}

/** How the content of the run's commit is published before it is exported. `token` reads the repository of the run. */
export type ContentInputs =
  | { readonly kind: 'off'; readonly publisher?: string | undefined; readonly token?: string | undefined }
  | {
      readonly kind: 'trigger';
      readonly projectId: string;
      readonly publisher?: undefined;
      readonly token: string | undefined;
    }
  /** `publisher`: the slug of the platform's GitHub App. */
  | { readonly kind: 'wait'; readonly publisher: string; readonly token: string };

export interface ExportInputs extends LinkInputs, FollowInputs, ExportChoice, GuardInputs {
  readonly mode: 'export';
  readonly content: ContentInputs;
  readonly exportJobId: string | undefined;
}

export interface RefreshInputs extends LinkInputs {
  readonly mode: 'refresh';
  /** The project that owns the job; undefined: as the stored state says, else by domain. */
  readonly projectId: string | undefined;
  readonly exportJobId: string | undefined;
  readonly refreshBeforeMs: number;
  /** What a refresh does before the first export. */
  readonly ifNoState: 'fail' | 'skip';
}

export interface RollbackInputs extends LinkInputs {
  readonly mode: 'rollback';
  readonly to: DestinationInputs;
  /** The project that owns the job; undefined: as the stored state says, else by domain. */
  readonly projectId: string | undefined;
  /** The export to put back in place; undefined: the one before the live one. */
  readonly exportJobId: string | undefined;
}

/** Inputs of the modes that publish a link. */
export type PublishInputs = ExportInputs | RefreshInputs | RollbackInputs;

export const PERMISSIONS = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const CONTEXT_PARTS = ['description', 'files', 'diff', 'comments', 'docs'] as const;
type ContextPart = (typeof CONTEXT_PARTS)[number];

export interface AgentInputs extends CommonInputs, FollowInputs {
  readonly mode: 'agent';
  readonly adminApiKey: string;
  readonly githubToken: string;
  /** Only on Gitea and Forgejo: asks what people may do, instead of `githubToken`. */
  readonly rankToken?: string | undefined;
  readonly projectId: string;
  readonly agentJobId: string | undefined;
  /** Make a job where none is bound. */
  readonly createAgentJob: boolean;
  readonly prompt: string | undefined;
  /** A template on the default branch, instead of `prompt`: below the root, without `..`. */
  readonly promptFile: string | undefined;
  /** Patterns of changed files, one of which must match; undefined: any. Only with `prompt` or `promptFile`. */
  readonly onlyPaths: readonly string[] | undefined;
  /** One word, such as `/docs-agent`. */
  readonly command: string;
  readonly pullRequest: number | undefined;
  readonly requiredPermission: Permission;
  readonly allowedBots: readonly string[];
  readonly allowOutsideText: boolean;
  /** `owner/name`, without the current repository. */
  readonly agentRepositories: readonly string[];
  readonly context: readonly ContextPart[];
  /** The site that is searched for related pages; undefined unless `docs` is a part of the context. */
  readonly relatedDocs: { readonly domain: string; readonly assistantApiKey: string } | undefined;
  readonly statusComment: boolean;
}

export const BASELINE_UPDATES = ['never', 'default-branch', 'always'] as const;
type BaselineUpdate = (typeof BASELINE_UPDATES)[number];

export interface SearchInputs extends CommonInputs {
  readonly mode: 'search';
  readonly assistantApiKey: string;
  /** The site's identifier, without a dot. */
  readonly domain: string;
  /** Exactly one of `query` and `queriesFile` is given. */
  readonly query: string | undefined;
  /** Absolute path as given; the reader checks that its real path lies in the workspace. */
  readonly queriesFile: string | undefined;
  readonly filter: {
    readonly version?: string | undefined;
    readonly language?: string | undefined;
    readonly tag?: string | undefined;
    readonly groups?: readonly string[] | undefined;
  };
  /** undefined: 1, or 0 where a query only names pages that must be absent. */
  readonly minResults: number | undefined;
  readonly baselineFile: string | undefined;
  /** When this run is written to `baselineFile`. */
  readonly baselineUpdate: BaselineUpdate;
  /** `worse`: only a query that is worse than in the baseline fails the run; given together with `baselineFile`. */
  readonly failOn: 'missed' | 'worse';
  readonly waitForIndexMs: number | undefined;
  /** undefined: no comment is written. */
  readonly comment?: CommentInputs | undefined;
}

/** Nothing is sent: only files of the workspace are read. */
export interface PlanInputs {
  readonly mode: 'plan';
  readonly baseUrl: undefined;
  /** As it was given. */
  readonly configFile: string;
  /** A commit; undefined: the one that the CI system names. */
  readonly changedSince: string | undefined;
}

/** Everything that a workflow with these inputs would do is tried; what is wrong with an input is a finding like others. */
export interface DoctorInputs {
  readonly mode: 'doctor';
  /** undefined: it is missing or wrong, and so in `problems`. */
  readonly baseUrl: string | undefined;
  readonly adminApiKey: string | undefined;
  readonly assistantApiKey: string | undefined;
  readonly githubToken: string | undefined;
  /** The modes that the given inputs belong to, each with its inputs; undefined where these are incomplete or wrong. */
  readonly checked: readonly WorkMode[];
  readonly export: ExportInputs | undefined;
  readonly refresh: RefreshInputs | undefined;
  readonly rollback: RollbackInputs | undefined;
  readonly agent: AgentInputs | undefined;
  readonly search: SearchInputs | undefined;
  readonly problems: readonly InputProblem[];
}

export interface InputProblem {
  readonly text: string;
  /** What to type. */
  readonly fix: Hint;
}

/** How the published site is compared with the export, after the delivery. */
export interface LiveInputs {
  /** Of its start page, without a trailing slash, user name and query. */
  readonly url: string;
  /** 0 or more. */
  readonly timeoutMs: number;
  readonly onNotLive: 'fail' | 'warn';
  /** Names in lower case. Secrets, for the origin of `url` alone. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The comment about what an export changed, or about a search check. */
export interface CommentInputs {
  readonly token: string;
  /** Titles and addresses of pages are shown in a public repository too. */
  readonly titles: boolean;
}
