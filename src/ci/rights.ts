import { configError, courierError } from '../ground/errors.ts';
import type { Http } from '../http/http.ts';
import { publisherOf } from '../values/values.ts';
import type { AppReport, Cause, CiKind, CiRun, IdTokenRequest } from './port.ts';
import { ciVariable } from './system.ts';

/** What only people with write access can cause. */
const ALLOWED: ReadonlySet<Cause> = new Set([
  'push',
  'schedule',
  'manual',
  'release',
  'merge',
  'parent',
]);

/**
 * The systems that say who caused a run and whether its ref is protected. `local`: on their own
 * machine, people decide themselves what to write.
 */
const VOUCHING: ReadonlySet<CiKind> = new Set(['github', 'gitea', 'forgejo', 'local']);

/**
 * The link, by which a deployment downloads an export, is written only in runs that people with
 * write access cause, from a branch that is meant to be published. Comments, open pull requests and
 * runs of forks are in the hands of strangers: a link to what they changed must not reach the
 * deployment. `publisher` is the GitHub App of the platform, as in the input, whose own events may
 * write. Throws `refused`; `config` if the user has to say first which branch is meant.
 */
export function checkMayWrite(run: CiRun, publisher?: string): void {
  const { appReport: report } = run;
  // Without the input, the event of an App is one that anyone could cause.
  if (report !== undefined && publisher !== undefined)
    checkReport(report, publisher, run.eventName);
  else if (run.kind === 'gitlab') checkGitLab(run);
  else if (VOUCHING.has(run.kind)) checkVouched(run);
  else checkAllowed(run);
}

/**
 * Only people with write access can push to the branch that a preview shows: so each run that they
 * cause may make one. If the system does not say who caused it, the rules are those of a link. Not
 * for runs on open pull requests, which the caller checks itself. Throws as `checkMayWrite`.
 */
export function checkMayPreview(run: CiRun): void {
  const saysWho = run.kind === 'gitlab' || VOUCHING.has(run.kind);
  if (!saysWho) {
    checkMayWrite(run);
    return;
  }
  if (ALLOWED.has(run.cause)) return;
  const event = run.eventName ?? 'that is not known';
  throw courierError(
    'refused',
    `This run may not make a preview: people without write access can cause the event ${event}.`,
    'Previews are made on a push, for an open pull or merge request of the own repository, on a schedule, and manually.',
  );
}

/**
 * Why a report is not by the App `publisher` about its published site, as half a sentence;
 * undefined if it is. Any workflow can report under the name of an environment or a check, so the
 * App that made the report decides.
 */
export function whyNotOfPublisher(report: AppReport, publisher: string): string | undefined {
  const { slug, environment: wanted } = publisherOf(publisher);
  if (report.app !== slug) return `it was not reported by the GitHub App ${slug} (input publisher)`;
  // The report of a check names no environment, so that it fits each one.
  const environment = report.environment ?? wanted;
  if (wanted !== undefined && environment?.toLowerCase() !== wanted.toLowerCase())
    return `it is about another environment than ${wanted} (input publisher)`;
  return report.isTransient ? 'it is about a preview' : undefined;
}

/** Why a report does not show that the default branch was published; undefined if it does. */
function whyUnpublished(report: AppReport, publisher: string): string | undefined {
  const why = whyNotOfPublisher(report, publisher);
  if (why !== undefined) return why;
  if (report.state !== 'success') return 'it does not say that the commit was published';
  if (report.isOnDefaultBranch) return undefined;
  // Without the name of the branch, GitHub could not be asked whether the commit is on it.
  if (report.defaultBranch === '') return 'its event does not name the default branch';
  return `its commit is not on ${report.defaultBranch}, the default branch`;
}

function checkReport(report: AppReport, publisher: string, eventName: string | undefined): void {
  const why = whyUnpublished(report, publisher);
  if (why === undefined) return;
  const condition = eventName === 'check_run' ? ifChecks(publisher) : ifDeployments(publisher);
  throw courierError(
    'refused',
    `The run on ${eventName} may not publish: ${why}.`,
    `Limit the job to a success of the App:\nif: ${condition}`,
  );
}

/** The `if:` of a job that runs on a success of the publisher's checks only. */
function ifChecks(publisher: string): string {
  const event = 'github.event.check_run';
  return `${event}.app.slug == '${publisherOf(publisher).slug}' && ${event}.conclusion == 'success'`;
}

/** The `if:` of a job that runs on a successful deployment of the publisher only. */
function ifDeployments(publisher: string): string {
  const { slug, environment } = publisherOf(publisher);
  const event = 'github.event.deployment';
  const condition = `${event}.creator.login == '${slug}[bot]' && ${event}_status.state == 'success' && !${event}.transient_environment`;
  if (environment === undefined) return condition;
  return `${condition} && ${event}.environment == '${environment.replaceAll("'", "''")}'`;
}

/**
 * For a system that says what caused the run. Throws `refused` if people without write access can
 * cause it, or if the system says that its branch is neither the default one nor protected.
 */
function checkVouched(run: CiRun): void {
  const isAllowed = ALLOWED.has(run.cause);
  // For a manual run and a release, a person has chosen the branch.
  const isBranchRun = ['push', 'schedule', 'merge'].includes(run.cause);
  const isOtherBranch = isBranchRun && run.isDefaultBranch === false && run.refProtected !== true;
  if (isAllowed && !isOtherBranch) return;
  const why = isAllowed
    ? 'it is for a branch that is neither the default branch nor a protected one'
    : 'people without write access can cause it';
  const event = run.eventName ? `the event ${run.eventName}` : 'this event';
  throw courierError(
    'refused',
    `The run on ${event} may not publish: ${why}.`,
    'This is done on a push to the default or a protected branch, on a schedule, on a manual or repository dispatch, on a release, and on a pull request that was merged into one of these branches:\non:\n  push:\n    branches: [BRANCH]',
  );
}

/**
 * On GitLab, people can also start pipelines for unprotected branches manually and by API: so only
 * a protected ref may write.
 */
function checkGitLab(run: CiRun): void {
  if (ALLOWED.has(run.cause) && run.refProtected) return;
  throw courierError(
    'refused',
    `This pipeline may not publish: ${whyNotOnGitLab(run)}.`,
    'This is done in pipelines for a protected branch or tag whose source is push, schedule, web or api:\nrules:\n  - if: $CI_COMMIT_REF_PROTECTED == "true" && $CI_PIPELINE_SOURCE =~ /^(push|schedule|web|api)$/',
  );
}

function whyNotOnGitLab(run: CiRun): string {
  if (run.cause === 'change-request')
    return 'it is for a merge request, which people without write access can open';
  if (ALLOWED.has(run.cause)) return 'its branch or tag is not protected';
  const source = run.eventName ?? 'that is not known';
  return `its source is ${source}, which people without write access may be able to start`;
}

/**
 * What a hint says first on a system that was not recognised: it may be a person's machine, if a
 * variable with a common name is all that speaks for a CI system.
 */
function mayBeLaptop({ kind, env }: CiRun): string {
  const variable = kind === 'other' ? ciVariable(env) : undefined;
  if (variable === undefined) return '';
  return `The variable ${variable} is set, so this run counts as a job of a CI system: if it is not, unset ${variable}. `;
}

/**
 * For a system that does not say which refs are protected: the user names the branches that may
 * write. A branch of a fork can have the same name, so runs for change requests are refused first.
 */
function checkAllowed(run: CiRun): void {
  const { branch, allowWriteFrom = [] } = run;
  // No such system starts a run on a comment today: anyone could write one.
  if (run.cause === 'change-request' || run.cause === 'comment') {
    // undefined if the event alone shows it, as for a shelveset of Azure Pipelines.
    const variable = run.changeRequestVariable;
    const evidence = variable === undefined ? '' : ` (${variable} is set)`;
    throw courierError(
      'refused',
      `This run may not publish: it is for a pull or merge request${evidence}, which people without write access can open.`,
      `${mayBeLaptop(run)}Do this in runs for the branch that is published.`,
    );
  }
  if (allowWriteFrom.length === 0) {
    throw configError(
      '--allow-write-from is missing: this CI system does not say whether the branch of a run is protected. Nothing was sent.',
      {
        text: `${mayBeLaptop(run)}Name the branch from which a run may write. Only people whom you trust may be able to push to it:`,
        // A placeholder is shown if the system names no branch.
        inputs: { 'allow-write-from': branch ?? '' },
      },
    );
  }
  if (branch !== undefined && allowWriteFrom.includes(branch)) return;
  const target =
    branch === undefined ? 'no branch that the CI system names' : `the branch ${branch}`;
  throw courierError(
    'refused',
    `This run may not publish: it is for ${target}, and --allow-write-from allows ${allowWriteFrom.join(', ')}.`,
  );
}

const VARIABLES = {
  vault: 'DOCS_COURIER_ID_TOKEN_VAULT',
  aws: 'DOCS_COURIER_ID_TOKEN_AWS',
} as const;

/**
 * The token by which the run identifies itself: from a variable, else from the CI system. Throws
 * `config` if neither has one.
 */
export async function readIdToken(
  run: CiRun,
  request: IdTokenRequest,
  http: Http,
): Promise<string> {
  const variable = VARIABLES[request.service];
  const handedOver = run.env[variable]?.trim();
  if (handedOver) return handedOver;
  if (run.idToken !== undefined) return run.idToken(request, http);
  throw configError(
    `The run has no id token: the variable ${variable} is empty.`,
    `In GitLab CI, let the job make one:\nid_tokens:\n  ${variable}:\n    aud: ${JSON.stringify(request.audience)}`,
  );
}
