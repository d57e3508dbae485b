import { CourierError } from '../errors.ts';
import { type HttpReply, proxyName } from '../http/exchange.ts';
import { Http } from '../http/http.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { platformService } from '../platform/client.ts';
import { openExport } from '../platform/export-api.ts';
import type { CheckResult } from '../stores/port.ts';
import { formatDuration } from '../text/amounts.ts';
import { readTime } from '../text/instants.ts';
import { parseJson } from '../text/json.ts';
import {
  attemptCheck,
  broken,
  type Checks,
  type DoctorDeps,
  failed,
  KEYS_PAGE,
  ok,
  unknown,
  warning,
} from './finding.ts';

/** An id that no job has: the reply to it shows whether address and key are right, and starts nothing. */
const NO_JOB = 'docs-courier-doctor';
const MAX_SKEW_MS = 60_000;

/** Address, proxy, clock, keys, plan, site, project and jobs. */
export async function* checkPlatform(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const { baseUrl } = inputs;
  if (baseUrl === undefined) return yield unknown('Platform', 'Not checked: base-url is missing or wrong.');
  const proxy = await attemptCheck('Proxy', () => {
    const name = proxyName(new URL(baseUrl));
    return ok('Proxy', name === undefined ? 'None is used.' : `${name} is used.`);
  });
  yield proxy;
  if (proxy.outcome === 'error') return;
  let reply: HttpReply;
  try {
    reply = await probe(baseUrl, inputs, deps);
  } catch (error) {
    yield failed('Address', error);
    return yield unknown('Keys, site and jobs', 'Not checked: the platform was not reached.');
  }
  yield addressFinding(baseUrl, reply);
  yield clockFinding(reply, deps);
  if (isPlatform(reply)) {
    yield* adminFindings(inputs, reply);
    yield* jobFindings(inputs, deps);
  }
  const site =
    (inputs.search?.searchSite === undefined ? inputs.search?.domain : undefined) ?? inputs.agent?.relatedDocs?.domain;
  if (site !== undefined) yield searchFinding(site, inputs.search?.query, deps);
}

/** One request, whatever status it is answered with. */
function probe(baseUrl: string, { adminApiKey }: DoctorInputs, deps: DoctorDeps): Promise<HttpReply> {
  return new Http(deps).request({
    service: platformService({ key: 'admin', hourlyLimit: undefined, path: '' }),
    method: 'GET',
    url: new URL(`${baseUrl}/v1/static-export/jobs/${NO_JOB}`),
    headers: {
      accept: 'application/json',
      ...(adminApiKey !== undefined && { authorization: `Bearer ${adminApiKey}` }),
    },
    repeat: 'always',
    accepts: ({ status }) => status < 500 && status !== 429,
  });
}

function isPlatform({ status, body }: HttpReply): boolean {
  return (status === 200 || status >= 400) && parseJson(body.toString('utf8')) !== undefined;
}

/** JSON, and not what the platform answers about a job that no one has started. An installation without this revision may say 405. */
function isStrange({ status }: HttpReply): boolean {
  return status === 200 || status === 405;
}

function addressFinding(baseUrl: string, reply: HttpReply): CheckResult {
  if (isPlatform(reply) && !isStrange(reply)) return ok('Address', `${baseUrl} answers as an API.`);
  if (isPlatform(reply)) {
    return warning('Address', `${baseUrl} answers ${reply.status} where the platform says that a job does not exist.`, {
      text: `If this is not the address of the API, give the one that ${KEYS_PAGE} shows:`,
      inputs: { 'base-url': '' },
    });
  }
  const kind = reply.headers['content-type'] ?? 'no content type';
  return broken('Address', `${baseUrl} answers ${reply.status} with ${kind} instead of JSON: this is not an API.`, {
    text: `Give the address of the API, which ${KEYS_PAGE} shows:`,
    inputs: { 'base-url': '' },
  });
}

function clockFinding({ headers }: HttpReply, { clock }: DoctorDeps): CheckResult {
  const theirs = readTime(headers.date);
  if (theirs === undefined) return unknown('Clock', 'The platform sends no date to compare with.');
  const skewMs = Math.abs(theirs - clock.now());
  if (skewMs <= MAX_SKEW_MS) return ok('Clock', 'This machine and the platform agree on the time.');
  return warning(
    'Clock',
    `This machine and the platform are ${formatDuration(skewMs)} apart.`,
    'Set the clock of the runner: the expiry of a link is compared with it.',
  );
}

function* adminFindings({ adminApiKey, checked }: DoctorInputs, reply: HttpReply): Iterable<CheckResult> {
  const { status } = reply;
  const what = 'Admin API key';
  if (adminApiKey === undefined) {
    if (checked.some((mode) => mode !== 'search')) yield unknown(what, 'Not checked: it is missing or wrong.');
    return;
  }
  if (status === 401) {
    const text = `Make a new key on ${KEYS_PAGE}, and give it:`;
    return yield broken(what, 'The platform does not accept it.', { text, inputs: { 'admin-api-key': '' } });
  }
  if (isStrange(reply)) return yield unknown(what, 'Not rejected. Whether it is accepted is known only in a run.');
  const isRefused = status === 402 || status === 403;
  yield ok(what, `The platform ${isRefused ? 'knows' : 'accepts'} it.`);
  if (!checked.some((mode) => mode === 'export' || mode === 'refresh' || mode === 'rollback')) return;
  const fix = 'Static export needs the Enterprise plan; check also the scope of the key and an IP allow-list.';
  yield isRefused
    ? broken('Plan', `Static export is refused with ${status}.`, fix)
    : unknown('Plan', 'Not rejected. Whether the plan includes static export is known only when an export starts.');
}

async function* jobFindings({ export: own, refresh, agent }: DoctorInputs, deps: DoctorDeps): Checks {
  const job = own ?? refresh;
  if (job?.exportJobId !== undefined) yield exportJobFinding(job.exportJobId, job.projectId, deps);
  else if (own !== undefined) {
    const subject = own.projectId === undefined ? `domain ${own.domain}` : `project ${own.projectId}`;
    yield unknown('Site', `Whether the platform knows the ${subject} is known only when an export starts.`);
  }
  if (agent?.agentJobId !== undefined) {
    yield agentJobFinding({ projectId: agent.projectId, id: agent.agentJobId }, deps);
  } else if (agent !== undefined) yield unknown('Agent job', 'It is found from the pull request of each command.');
}

function exportJobFinding(jobId: string, projectId: string | undefined, deps: DoctorDeps) {
  const what = 'Export job';
  return attemptCheck(what, async () => {
    const api = openExport({ platform: deps.platform, source: { domain: undefined, projectId } });
    const { status } = (await api.poll(jobId)).value;
    const fix = 'Start a new export, without export-job-id.';
    return status === 'failed' ? broken(what, `${jobId} has failed.`, fix) : ok(what, `${jobId} is ${status}.`);
  });
}

function agentJobFinding(job: { projectId: string; id: string }, { platform }: DoctorDeps) {
  const what = 'Agent job';
  return attemptCheck(what, async () => {
    try {
      const { status } = (await platform.getAgentJob(job)).value;
      const isOver = status === 'failed' || status === 'archived';
      const detail = `${job.id} is ${status}.`;
      return isOver ? warning(what, detail, 'Link another job.') : ok(what, detail);
    } catch (error) {
      if (!(error instanceof CourierError) || (error.httpStatus !== 404 && error.httpStatus !== 405)) throw error;
      const fix = `Compare agent-job-id and project-id with ${KEYS_PAGE}: not every installation shows a job.`;
      return unknown(what, `The platform does not show job ${job.id} of project ${job.projectId}.`, fix);
    }
  });
}

/** A real search: it changes nothing, and shows key and site at once. */
function searchFinding(site: string, query: string | undefined, { platform }: DoctorDeps): Promise<CheckResult> {
  const what = 'Assistant API key and site';
  return attemptCheck(what, async () => {
    const { value } = await platform.search(site, { query: query ?? 'documentation', pageSize: 1 });
    if (value.length > 0) return ok(what, `A search of ${site} gives results.`);
    return warning(what, `A search of ${site} gives no result.`, 'Check that the site is published and indexed.');
  });
}
