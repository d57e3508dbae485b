import { CourierError, type Hint } from '../ground/errors.ts';
import { formatDuration } from '../ground/text/amounts.ts';
import { readTime } from '../ground/text/instants.ts';
import type { HttpReply } from '../http/exchange.ts';
import { Http } from '../http/http.ts';
import { proxyName } from '../http/proxy.ts';
import { foreignText, jsonOf, textAt } from '../http/service.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { exportJobs, hintOfStatus, platformService } from '../platform/client.ts';
import { openExport } from '../platform/export-api.ts';
import { type CheckResult, ok, unknown, warning } from '../stores/port.ts';
import {
  attemptCheck,
  broken,
  type Checks,
  type DoctorDeps,
  failed,
  KEYS_PAGE,
} from './finding.ts';

/**
 * An id that no job has. Asking for it starts nothing, and the reply shows whether address and key
 * are right.
 */
const NO_JOB = 'docs-courier-doctor';
const MAX_SKEW_MS = 60_000;
/** Searched for if the inputs name no query: every site has it. */
const USUAL_WORD = 'documentation';

/** Address, proxy, clock, keys, plan, site, project and jobs. */
export async function* checkPlatform(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const { baseUrl } = inputs;
  // Without a problem, no mode that is checked needs the platform.
  if (baseUrl === undefined && inputs.problems.length === 0) return;
  if (baseUrl === undefined)
    return yield unknown('Platform', 'Not checked: base-url is missing or wrong.');
  // A wrong variable for the proxy makes `proxyName` throw: that is the finding then.
  const proxy = await attemptCheck('Proxy', () => {
    const name = proxyName(new URL(baseUrl));
    return ok('Proxy', name === undefined ? 'None is used.' : `${name} is used.`);
  });
  yield proxy;
  // Without the proxy no request can be made.
  if (proxy.outcome === 'error') return;
  let reply: HttpReply;
  try {
    reply = await askForNoJob(baseUrl, inputs, deps);
  } catch (error) {
    yield failed('Address', error);
    return yield unknown('Keys, site and jobs', 'Not checked: the platform was not reached.');
  }
  yield addressFinding(baseUrl, inputs.projectId, reply);
  yield clockFinding(reply, deps);
  // Another server knows neither keys nor jobs.
  if (isPlatform(reply)) {
    yield* adminFindings(baseUrl, inputs, reply, deps);
    yield* jobFindings(inputs, deps);
  }
  const { search } = inputs;
  // With `search-site` a folder is searched, and not the platform.
  const searchesPlatform = search !== undefined && search.searchSite === undefined;
  const site = searchesPlatform ? search.domain : inputs.agent?.relatedDocs?.domain;
  if (site !== undefined) yield searchFinding(site, search?.query ?? USUAL_WORD, deps);
}

/** The statuses by which the platform refuses a key. */
const REFUSED = [401, 402, 403];

const ADDRESS_FIX: Hint = {
  text: `If this is not the address of the API, give the one that ${KEYS_PAGE} shows:`,
  inputs: { 'base-url': '' },
};

/**
 * Asks for a job that does not exist. Any status below 500 except 429 is an answer; after these,
 * which may pass, it asks again. Without a key, the reply shows whether the key is read at all.
 */
function askForNoJob(baseUrl: string, inputs: DoctorInputs, deps: DoctorDeps): Promise<HttpReply> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (inputs.adminApiKey !== undefined) headers.authorization = `Bearer ${inputs.adminApiKey}`;
  return new Http(deps).request({
    service: platformService({ key: 'admin', path: '' }),
    method: 'GET',
    url: new URL(`${baseUrl}/${exportJobs(inputs.projectId)}/${NO_JOB}`),
    headers,
    repeat: 'always',
    accepts: (reply) => reply.status < 500 && reply.status !== 429,
  });
}

/** True if the reply may be from the platform: it is JSON, and not a redirect. */
function isPlatform(reply: HttpReply): boolean {
  const isAnswer = reply.status === 200 || reply.status >= 400;
  return isAnswer && jsonOf(reply) !== undefined;
}

/**
 * True for a status that the platform does not give for a job that does not exist. 405 may come
 * from an installation without this revision of the API.
 */
function isStrange(reply: HttpReply): boolean {
  return reply.status === 200 || reply.status === 405;
}

/** Whether the reply is one of the platform's API. */
function addressFinding(
  baseUrl: string,
  projectId: string | undefined,
  reply: HttpReply,
): CheckResult {
  const answer = `${baseUrl} answers ${reply.status}`;
  if (!isPlatform(reply)) {
    const kind = reply.headers['content-type'] ?? 'no content type';
    const detail = `${answer} with ${kind} instead of JSON: this is not an API.`;
    return broken('Address', detail, ADDRESS_FIX);
  }
  if (isStrange(reply)) {
    const detail = `${answer} where the platform says that a job does not exist.`;
    return warning('Address', detail, ADDRESS_FIX);
  }
  // The API has two revisions, and an address may know only one of them.
  const form = projectId === undefined ? 'by domain' : 'by project';
  return ok('Address', `${baseUrl} answers as an API; it was asked about an export ${form}.`);
}

/** Compares the clocks. The reply took some time, so a small difference means nothing. */
function clockFinding(reply: HttpReply, deps: DoctorDeps): CheckResult {
  const platformMs = readTime(reply.headers.date);
  if (platformMs === undefined)
    return unknown('Clock', 'The platform sends no date to compare with.');
  const skewMs = Math.abs(platformMs - deps.clock.now());
  if (skewMs <= MAX_SKEW_MS) return ok('Clock', 'This machine and the platform agree on the time.');
  return warning(
    'Clock',
    `This machine and the platform are ${formatDuration(skewMs)} apart.`,
    'Set the clock of the runner: the expiry of a link is compared with it.',
  );
}

/** What the reply says about the admin key and the plan. */
async function* adminFindings(
  baseUrl: string,
  inputs: DoctorInputs,
  reply: HttpReply,
  deps: DoctorDeps,
): Checks {
  const { checked } = inputs;
  const what = 'Admin API key';
  if (inputs.adminApiKey === undefined) {
    // A search has the assistant key instead.
    if (checked.some((mode) => mode !== 'search'))
      yield unknown(what, 'Not checked: it is missing or wrong.');
    return;
  }
  const { status } = reply;
  if (REFUSED.includes(status)) {
    // The platform may give no text.
    const said = foreignText(textAt(reply, 'error') ?? '', deps.log.redact);
    // Each of these statuses has a hint: the other text is for the compiler.
    const causes = hintOfStatus(status, 'admin', 'export') ?? `Compare it with ${KEYS_PAGE}.`;
    const answer = [`The platform answers ${status}`, said].filter(Boolean).join(': ');
    return yield broken(what, answer, causes);
  }
  if (await isKeyRead(baseUrl, inputs, reply, deps))
    yield ok(what, 'The platform accepts it for reading: without it, it answers 401.');
  else
    yield unknown(
      what,
      `Not rejected. Whether it is accepted is known only when a run uses it: the address answers ${status}.`,
    );
  if (checked.includes('export') || checked.includes('refresh'))
    yield unknown(
      'Plan',
      'A read does not show whether the key may start an export, since it may be read-only, or whether the plan includes static export.',
    );
}

/** True if the platform has read the key: the same request without the key gets status 401. */
async function isKeyRead(
  baseUrl: string,
  inputs: DoctorInputs,
  reply: HttpReply,
  deps: DoctorDeps,
): Promise<boolean> {
  // Such a reply need not be about the key: a 401 without the key would prove nothing.
  if (isStrange(reply)) return false;
  const keyless = await askForNoJob(baseUrl, { ...inputs, adminApiKey: undefined }, deps);
  return keyless.status === 401;
}

/** What the platform says about the jobs that the inputs name. */
async function* jobFindings(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const { export: exported, agent } = inputs;
  // With `export-job-id`, an export continues this job, and a refresh makes a new link for it.
  const link = exported ?? inputs.refresh;
  if (link?.exportJobId !== undefined)
    yield exportJobFinding(link.exportJobId, link.projectId, deps);
  // Without either, the domain is wrong, as the finding about the inputs says.
  else if (exported !== undefined && (exported.domain ?? exported.projectId) !== undefined) {
    const { domain, projectId } = exported;
    const subject = projectId === undefined ? `domain ${domain}` : `project ${projectId}`;
    yield unknown(
      'Site',
      `Whether the platform knows the ${subject} is known only when an export starts.`,
    );
  }
  if (agent === undefined) return;
  if (agent.agentJobId === undefined)
    yield unknown('Agent job', 'It is found from the pull request of each command.');
  else yield agentJobFinding(agent.projectId, agent.agentJobId, deps);
}

/** The status of an export job. A job that the platform does not know is an error: a run fails. */
function exportJobFinding(jobId: string, projectId: string | undefined, deps: DoctorDeps) {
  const what = 'Export job';
  return attemptCheck(what, async () => {
    // A job is polled by its own id and that of its project: only a start needs the domain.
    const source = { domain: undefined, projectId };
    const reply = await openExport({ platform: deps.platform, source }).poll(jobId);
    const { status } = reply.value;
    // A job with any other status has a link, or gets one when it is completed.
    if (status !== 'failed') return ok(what, `${jobId} is ${status}.`);
    return broken(what, `${jobId} has failed.`, 'Start a new export, without export-job-id.');
  });
}

/** The status of an agent job. One that is over is a warning: a command can name another job. */
async function agentJobFinding(projectId: string, id: string, deps: DoctorDeps) {
  const what = 'Agent job';
  try {
    const { status } = (await deps.platform.getAgentJob({ projectId, id })).value;
    const detail = `${id} is ${status}.`;
    const isOver = status === 'failed' || status === 'archived';
    return isOver ? warning(what, detail, 'Link another job.') : ok(what, detail);
  } catch (error) {
    const status = error instanceof CourierError ? error.httpStatus : undefined;
    if (status !== 404 && status !== 405) return failed(what, error);
    // The job does not exist, or this installation has no endpoint for it.
    const fix = `Compare agent-job-id and project-id with ${KEYS_PAGE}: not every installation shows a job.`;
    return unknown(what, `The platform does not show job ${id} of project ${projectId}.`, fix);
  }
}

/** Makes a real search, which changes nothing and shows whether key and site are right. */
function searchFinding(site: string, query: string, deps: DoctorDeps): Promise<CheckResult> {
  const what = 'Assistant API key and site';
  return attemptCheck(what, async () => {
    const { value } = await deps.platform.search(site, { query, pageSize: 1 });
    if (value.length > 0) return ok(what, `A search of ${site} gives results.`);
    const fix = 'Check that the site is published and indexed.';
    return warning(what, `A search of ${site} gives no result.`, fix);
  });
}
