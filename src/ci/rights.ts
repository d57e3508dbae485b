import { CourierError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import { publisherOf } from '../values/values.ts';
import type { AppReport, Cause, CiKind, CiRun, IdTokenRequest } from './port.ts';

const ALLOWED: ReadonlySet<Cause> = new Set(['push', 'schedule', 'manual', 'release', 'merge']);

/**
 * The systems that say who caused a run and whether its ref is protected; on their own machine,
 * people decide themselves.
 */
const VOUCHING: ReadonlySet<CiKind> = new Set(['github', 'gitea', 'forgejo', 'local']);

/**
 * A link is written only in runs that people with write access cause, from a branch that is meant
 * to be published. Comments, open pull requests and runs of forks are in the hands of strangers: a
 * link to what they changed must not reach the deployment. `publisher` is the GitHub App of the
 * platform, as in the input, whose own events may write. Throws `refused`; `config` if the user has
 * to say first which branch is meant.
 */
export function checkMayWrite(run: CiRun, publisher?: string): void {
  const { appReport: report } = run;
  if (report !== undefined && publisher !== undefined) checkReport(report, publisher, run);
  else if (run.kind === 'gitlab') checkGitLab(run);
  else if (VOUCHING.has(run.kind)) checkVouched(run);
  else checkAllowed(run);
}

/**
 * A preview shows a branch of the repository, which only people with write access can push to; so
 * it is made in every run that they cause. Where the system does not say who caused a run, it takes
 * what writing a link does. Throws as `checkMayWrite`.
 */
export function checkMayPreview(run: CiRun): void {
  const { kind, cause, eventName = 'that is not known' } = run;
  const saysWho = kind === 'gitlab' || VOUCHING.has(kind);
  if (!saysWho) checkMayWrite(run);
  if (!saysWho || ALLOWED.has(cause)) return;
  throw refused(
    `This run may not make a preview: people without write access can cause the event ${eventName}.`,
    'Previews are made on a push, for an open pull or merge request of the own repository, on a schedule, and manually.',
  );
}

/**
 * Why a report is not one of the publisher about its published site. Names are not enough: only the
 * App itself counts.
 */
export function whyNotOfPublisher(report: AppReport, publisher: string): string | undefined {
  const { app, isTransient, environment } = report;
  const { slug, environment: wanted } = publisherOf(publisher);
  if (app !== slug) return `it was not reported by the GitHub App ${slug} (input publisher)`;
  if (
    environment !== undefined &&
    wanted !== undefined &&
    environment.toLowerCase() !== wanted.toLowerCase()
  ) {
    return `it is about another environment than ${wanted} (input publisher)`;
  }
  return isTransient ? 'it is about a preview' : undefined;
}

function whyUnpublished(report: AppReport, publisher: string): string | undefined {
  const { state, defaultBranch, isOnDefaultBranch } = report;
  const why = whyNotOfPublisher(report, publisher);
  if (why !== undefined) return why;
  if (state !== 'success') return 'it does not say that the commit was published';
  if (isOnDefaultBranch === true) return undefined;
  return defaultBranch === ''
    ? 'its event does not name the default branch'
    : `its commit is not on ${defaultBranch}, the default branch`;
}

function checkReport(report: AppReport, publisher: string, { eventName }: CiRun): void {
  const why = whyUnpublished(report, publisher);
  if (why === undefined) return;
  const { slug, environment } = publisherOf(publisher);
  throw refused(
    `The run on ${eventName} may not publish: ${why}.`,
    `Limit the job to a success of the App:\n${eventName === 'check_run' ? ofChecks(slug) : ofDeployments(slug, environment)}`,
  );
}

function ofChecks(slug: string): string {
  return `if: github.event.check_run.app.slug == '${slug}' && github.event.check_run.conclusion == 'success'`;
}

function ofDeployments(slug: string, environment: string | undefined): string {
  const event = 'github.event.deployment';
  const ofSite =
    environment === undefined
      ? ''
      : ` && ${event}.environment == '${environment.replaceAll("'", "''")}'`;
  return `if: ${event}.creator.login == '${slug}[bot]' && ${event}_status.state == 'success' && !${event}.transient_environment${ofSite}`;
}

function refused(message: string, hint?: string): CourierError {
  return new CourierError({ code: 'refused', message, hint });
}

function checkVouched({ cause, isDefaultBranch, refProtected, eventName }: CiRun): void {
  const isBranchRun = cause === 'push' || cause === 'schedule' || cause === 'merge';
  const isPublished = isDefaultBranch !== false || refProtected === true;
  if (ALLOWED.has(cause) && (!isBranchRun || isPublished)) return;
  const why = ALLOWED.has(cause)
    ? 'it is for a branch that is neither the default branch nor a protected one'
    : 'people without write access can cause it';
  throw refused(
    `The run on ${eventName ? `the event ${eventName}` : 'this event'} may not publish: ${why}.`,
    'This is done on a push to the default or a protected branch, on a schedule, on a manual or repository dispatch, on a release, and on a pull request that was merged into one of these branches:\non:\n  push:\n    branches: [main]',
  );
}

/**
 * GitLab starts pipelines of every branch manually and by API too: its protected refs are what
 * decides.
 */
function checkGitLab({ cause, refProtected, eventName = 'that is not known' }: CiRun): void {
  if (ALLOWED.has(cause) && refProtected === true) return;
  throw refused(
    `This pipeline may not publish: ${whyNotOnGitLab(cause, eventName)}.`,
    'This is done in pipelines for a protected branch or tag whose source is push, schedule, web or api:\nrules:\n  - if: $CI_COMMIT_REF_PROTECTED == "true" && $CI_PIPELINE_SOURCE =~ /^(push|schedule|web|api)$/',
  );
}

function whyNotOnGitLab(cause: CiRun['cause'], eventName: string): string {
  if (cause === 'change-request')
    return 'it is for a merge request, which people without write access can open';
  if (ALLOWED.has(cause)) return 'its branch or tag is not protected';
  return `its source is ${eventName}, which people without write access may be able to start`;
}

/**
 * Nothing but this variable distinguishes a CI system that is not known from a person's machine.
 */
const ONLY_CI =
  'The variable CI is set, so this run counts as a job of a CI system: if it is not, unset CI. ';

/**
 * The name of a branch says nothing: a branch of a fork can be called main. So what comes from a
 * change request is refused first.
 */
function checkAllowed({
  kind,
  cause,
  branch,
  changeRequestVariable,
  allowWriteFrom = [],
}: CiRun): void {
  if (cause === 'change-request' || cause === 'comment') {
    const sign = changeRequestVariable === undefined ? '' : ` (${changeRequestVariable} is set)`;
    throw refused(
      `This run may not publish: it is for a pull or merge request${sign}, which people without write access can open.`,
      'Do this in runs for the branch that is published.',
    );
  }
  if (allowWriteFrom.length === 0) {
    throw new CourierError({
      code: 'config',
      message:
        '--allow-write-from is missing: this CI system does not say whether the branch of a run is protected. Nothing was sent.',
      hint: {
        text: `${kind === 'other' ? ONLY_CI : ''}Name the branch from which a run may write. Only people whom you trust may be able to push to it:`,
        inputs: { 'allow-write-from': branch ?? 'main' },
      },
    });
  }
  if (branch !== undefined && allowWriteFrom.includes(branch)) return;
  const found =
    branch === undefined ? 'no branch that the CI system names' : `the branch ${branch}`;
  throw refused(
    `This run may not publish: it is for ${found}, and --allow-write-from allows ${allowWriteFrom.join(', ')}.`,
  );
}

const VARIABLES = {
  vault: 'DOCS_COURIER_ID_TOKEN_VAULT',
  aws: 'DOCS_COURIER_ID_TOKEN_AWS',
} as const;

/**
 * The token by which the run identifies itself: from a variable, else from the CI system. Throws
 * `config` if there is none.
 */
export async function readIdToken(
  run: CiRun,
  request: IdTokenRequest,
  http: Http,
): Promise<string> {
  const variable = VARIABLES[request.service];
  const given = run.env[variable]?.trim();
  if (given) return given;
  if (run.idToken !== undefined) return run.idToken(request, http);
  throw new CourierError({
    code: 'config',
    message: `The run has no id token: the variable ${variable} is empty.`,
    hint: `In GitLab CI, let the job make one:\nid_tokens:\n  ${variable}:\n    aud: ${JSON.stringify(request.audience)}`,
  });
}
