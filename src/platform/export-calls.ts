import { CourierError, type Hint, hasCode } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import { plainLine } from '../text/escape.ts';
import type { Reply } from './call.ts';
import type { ExportJobBusy, ExportJobStarted } from './contract.ts';
import type { ExportApi, StartOutcome } from './export-api.ts';

/** Adds what a failure of the first call may mean: an installation may have the other revision only. */
export class FirstCall {
  readonly #otherMeant: Hint;
  #isFirst = true;

  constructor(otherMeant: Hint) {
    this.#otherMeant = otherMeant;
  }

  async make<T>(call: () => Promise<T>): Promise<T> {
    try {
      const value = await call();
      this.#isFirst = false;
      return value;
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus === undefined) throw error;
      const isFirst = this.#isFirst;
      // Any other status shows that the endpoint is there.
      if (error.httpStatus !== 404 && error.httpStatus !== 405) this.#isFirst = false;
      else if (isFirst) throw error.with({ hint: this.#otherMeant });
      throw error;
    }
  }
}

/** The reply does not have to carry the id; where it does, it must be the one that was asked for. */
export function sameJob<T extends { readonly jobId?: unknown }>(reply: Reply<T>, asked: string): Reply<T> {
  const { jobId } = reply.value;
  if (jobId === undefined || jobId === null || jobId === asked) return reply;
  throw new CourierError({
    code: 'protocol',
    message: `The platform was asked about export job ${asked} and answered about ${plainLine(String(jobId), 140)}.`,
    hint: 'Run again with export-job-id; if it happens again, report it to the platform.',
  });
}

/** Makes the start call once; what the platform says of a refused start becomes advice. */
export async function startOnce(
  api: ExportApi,
  call: () => Promise<Reply<ExportJobStarted | ExportJobBusy>>,
): Promise<StartOutcome> {
  try {
    const { value } = await call();
    if (!('busy' in value)) return { kind: 'started', jobId: value.jobId };
    return { kind: 'busy', jobId: value.busy.jobId, error: busyError(api, value.busy) };
  } catch (error) {
    // A 409 whose body says nothing.
    if (hasCode(error, 'conflict')) return { kind: 'busy', jobId: undefined, error: busyError(api, {}, error) };
    throw withStartAdvice(api, error);
  }
}

function busyError(api: ExportApi, { error, jobId }: ExportJobBusy['busy'], cause?: CourierError): CourierError {
  const which = jobId === undefined ? '' : ` (job ${jobId})`;
  const words = error === undefined ? '' : ` The platform says: ${foreignText(error, (text) => text)}`;
  const where = jobId === undefined ? "The platform's dashboard shows its id. " : '';
  return new CourierError({
    code: 'conflict',
    message: `An export of ${api.subject} is running already${which}: ${api.requests.start()} answered 409.${words}`,
    hint: {
      text: `The platform runs one export at a time. Run again when it has finished. ${where}To attach to it, which starts no second export:`,
      inputs: { 'export-job-id': jobId ?? 'the id of that job' },
    },
    httpStatus: 409,
    cause,
  });
}

// A project that the organization does not have is answered in the same way.
function ofProject({ source }: ExportApi): string {
  return source.projectId === undefined
    ? ''
    : ` as project-id (${source.projectId}), which the API keys page of the platform's dashboard shows`;
}

function withStartAdvice(api: ExportApi, error: unknown): unknown {
  if (!(error instanceof CourierError)) return error;
  switch (error.httpStatus) {
    case 402:
      return error.with({ code: 'forbidden', hint: 'Static export requires the Enterprise plan of the platform.' });
    case 403:
      return error.with({
        hint: `A site that readers reach only after a login cannot be exported: check this for ${api.subject}. Otherwise check that the plan is Enterprise, and that the key in admin-api-key belongs to the same organization${ofProject(api)}.`,
      });
    default:
      return error;
  }
}
