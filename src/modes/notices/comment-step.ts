import type { ExportInputs, RefreshInputs, RollbackInputs } from '../../inputs/inputs.ts';
import type { Write } from '../../report/report.ts';
import { pageUrls } from '../../text/page-url.ts';
import type { AfterStep, DeliveredExport } from '../after-step.ts';
import type { Surroundings } from '../deps.ts';
import { placesText } from '../places-text.ts';
import { type ChangesCommentInit, commentOnChanges, commentOnRenewal, commentOnRollback } from './changes-comment.ts';

/** The comment about what an export changed: written by the export, brought up to date by each refresh of its link and by a rollback. */
export class CommentStep implements AfterStep {
  readonly #inputs: ExportInputs | RefreshInputs | RollbackInputs;
  readonly #init: ChangesCommentInit;

  constructor(
    inputs: ExportInputs | RefreshInputs | RollbackInputs,
    comment: ChangesCommentInit['inputs'],
    deps: Surroundings,
  ) {
    this.#inputs = inputs;
    this.#init = { inputs: comment, adminApiKey: inputs.adminApiKey, deps };
  }

  plan(): Write[] {
    const target = `the merged pull request of ${this.#init.deps.github.run.repository}`;
    return [{ action: 'comment on what changed', target }];
  }

  async run(delivered: DeliveredExport): Promise<void> {
    const { jobId, api, delivery, comparison, isLive = false, expiresAt, replacedJobId } = delivered;
    if (this.#inputs.mode === 'export') {
      const { domain = '', projectId = '' } = api.source;
      const site = domain || projectId || 'of this repository';
      const places = placesText(this.#inputs.to) ?? '';
      const toUrl = pageUrls(this.#inputs.live?.url);
      return commentOnChanges(this.#init, { jobId, site, places, comparison, isLive, toUrl });
    }
    const commitOf = (id: string) => delivery?.exports?.find(({ job }) => job === id)?.commit;
    const renewed = { jobId, commit: commitOf(jobId), expiresAt };
    if (replacedJobId === undefined) return commentOnRenewal(this.#init, renewed);
    return commentOnRollback(this.#init, renewed, { jobId: replacedJobId, commit: commitOf(replacedJobId) });
  }
}
