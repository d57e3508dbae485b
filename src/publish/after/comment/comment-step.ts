import type { ExportInputs, RefreshInputs, RollbackInputs } from '../../../inputs/inputs.ts';
import type { Context } from '../../../run/context.ts';
import type { Write } from '../../../run/report.ts';
import { pageUrls } from '../../../text/names.ts';
import { destinationsText } from '../../destinations-text.ts';
import type { AfterStep, DeliveredExport } from '../step.ts';
import { type ChangesCommentInit, commentOnChanges, commentOnRenewal, commentOnRollback } from './changes-comment.ts';

/** The comment about what an export changed: written by the export, brought up to date by each refresh of its link and by a rollback. */
export class CommentStep implements AfterStep {
  readonly #inputs: ExportInputs | RefreshInputs | RollbackInputs;
  readonly #init: ChangesCommentInit;

  constructor(
    inputs: ExportInputs | RefreshInputs | RollbackInputs,
    comment: ChangesCommentInit['inputs'],
    deps: Context,
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
      const destinations = destinationsText(this.#inputs.to) ?? '';
      const toUrl = pageUrls(this.#inputs.live?.url);
      return commentOnChanges(this.#init, { jobId, site, destinations, comparison, isLive, toUrl });
    }
    const commitOf = (id: string) => delivery?.exports?.find(({ job }) => job === id)?.commit;
    const renewed = { jobId, commit: commitOf(jobId), expiresAt };
    if (replacedJobId === undefined) return commentOnRenewal(this.#init, renewed);
    return commentOnRollback(this.#init, renewed, { jobId: replacedJobId, commit: commitOf(replacedJobId) });
  }
}
