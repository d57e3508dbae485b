import { CourierError } from '../errors.ts';
import type { Reply } from './call.ts';
import type { ExportSelection, PlatformClient } from './client.ts';
import type { ExportBundle, ExportJob } from './contract.ts';
import type { ExportApi, ExportSource, StartOutcome } from './export-api.ts';
import { FirstCall, sameJob, startOnce } from './export-calls.ts';

interface ExportByDomainInit {
  readonly platform: PlatformClient;
  readonly source: ExportSource;
  readonly selection?: ExportSelection | undefined;
}

/** The first revision, which every installation has: jobs of a domain, and an endpoint that makes the link. */
export class ExportByDomain implements ExportApi {
  readonly #platform: PlatformClient;
  readonly #selection: ExportSelection;
  readonly #first = new FirstCall({
    text: "Check domain, and base-url: this request was made by domain. A newer installation of the platform exports by project: then give its id, from the API keys page of the platform's dashboard:",
    inputs: { 'project-id': 'the id of the project' },
  });
  readonly source: ExportSource;
  readonly requests = {
    start: () => 'POST /v1/static-export/jobs',
    poll: (jobId: string) => `GET /v1/static-export/jobs/${jobId}`,
    link: (jobId: string) => `POST /v1/static-export/jobs/${jobId}/bundle`,
  };

  constructor({ platform, source, selection = {} }: ExportByDomainInit) {
    this.#platform = platform;
    this.source = source;
    this.#selection = selection;
  }

  get subject(): string {
    return this.source.domain ?? 'the site';
  }

  async start(): Promise<StartOutcome> {
    const { domain } = this.source;
    if (domain === undefined) throw new CourierError({ code: 'config', message: 'domain is missing.' });
    return startOnce(this, () => this.#first.make(() => this.#platform.startExport(domain, this.#selection)));
  }

  async poll(jobId: string, timeLimitMs?: number): Promise<Reply<ExportJob>> {
    return sameJob(await this.#first.make(() => this.#platform.getExportJob(jobId, { timeLimitMs })), jobId);
  }

  async link(jobId: string): Promise<Reply<ExportBundle>> {
    return sameJob(await this.#first.make(() => this.#platform.createBundle(jobId)), jobId);
  }
}
