import { CourierError } from '../errors.ts';
import { plainLine } from '../text/escape.ts';
import type { Reply } from './call.ts';
import type { PlatformClient, ReadOptions } from './client.ts';
import type { BasePath, ExportBundle, ExportJob } from './contract.ts';
import type { ExportApi, ExportSource, StartOutcome } from './export-api.ts';
import { FirstCall, sameJob, startOnce } from './export-calls.ts';

interface ExportByProjectInit {
  readonly platform: PlatformClient;
  readonly source: ExportSource & { readonly projectId: string };
  /** undefined: the deployment's own. */
  readonly basePath?: BasePath | undefined;
}

/** The second revision: jobs of a project. The reply of a completed job carries the link; there is no progress. */
export class ExportByProject implements ExportApi {
  readonly #platform: PlatformClient;
  readonly #projectId: string;
  readonly #basePath: BasePath | undefined;
  readonly #first: FirstCall;
  readonly source: ExportSource;
  readonly requests;

  constructor({ platform, source, basePath }: ExportByProjectInit) {
    this.#platform = platform;
    const { projectId } = source;
    this.#projectId = projectId;
    this.#first = new FirstCall({
      text: `Compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. An installation that exports by domain only needs the site instead of project-id:`,
      inputs: { domain: 'docs.example.com' },
    });
    this.#basePath = basePath;
    this.source = source;
    const jobs = `/v1/static-export/${projectId}/jobs`;
    this.requests = {
      start: () => `POST ${jobs}`,
      poll: (jobId: string) => `GET ${jobs}/${jobId}`,
      link: (jobId: string) => `GET ${jobs}/${jobId}`,
    };
  }

  get subject(): string {
    return this.source.domain ?? `project ${this.#projectId}`;
  }

  start(): Promise<StartOutcome> {
    return startOnce(this, () =>
      this.#first.make(() => this.#platform.startProjectExport(this.#projectId, this.#basePath)),
    );
  }

  async poll(jobId: string, timeLimitMs?: number): Promise<Reply<ExportJob>> {
    const reply = await this.#get(jobId, { timeLimitMs });
    const { bundleUrl: _, sizeBytes: __, expiresAt: ___, ...job } = reply.value;
    return { ...reply, value: job };
  }

  async link(jobId: string): Promise<Reply<ExportBundle>> {
    const { value, serverTime } = await this.#get(jobId, { repeat: 'always' });
    const { bundleUrl, expiresAt, sizeBytes, status } = value;
    if (bundleUrl === undefined) throw noLink(jobId, status, this.requests.link(jobId));
    return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTime };
  }

  async #get(jobId: string, options: ReadOptions) {
    const job = { projectId: this.#projectId, jobId };
    return sameJob(await this.#first.make(() => this.#platform.getProjectExportJob(job, options)), jobId);
  }
}

function noLink(jobId: string, status: string, request: string): CourierError {
  if (status === 'failed') {
    return new CourierError({
      code: 'job-failed',
      message: `Export job ${jobId} failed: there is no bundle to make a link for.`,
      hint: 'Run an export again: it starts a new job.',
    });
  }
  return new CourierError({
    code: 'conflict',
    message: `${request} answered without a link: export job ${jobId} is ${plainLine(status, 40)}.`,
    hint: 'Wait until the job has completed, then run again.',
  });
}
