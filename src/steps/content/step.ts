import type { ExportInputs } from '../../inputs/inputs.ts';
import { type Opening, plannedRequest, type Step } from '../step.ts';
import { publishContent, warnIfUnpublished } from './content.ts';
import { type ContentFacts, namedBy } from './summary.ts';

/** The step that lets the platform publish before an export is started, and says what it contains. */
export function openContent(opening: Opening<ContentFacts, ExportInputs>): Step {
  const { inputs, deps, job, delivery } = opening;
  const { publish, projectId } = inputs.content;
  warnIfUnpublished(publish, job, deps);
  return {
    plan() {
      if (job.kind !== 'start' || !publish) return [];
      const request = `POST /v1/project/update/${projectId}`;
      return [plannedRequest(`publish project ${projectId}`, request, inputs.baseUrl)];
    },
    async before() {
      const published = await publishContent(inputs, job, deps, delivery);
      if (published === undefined) return {};
      return { contentCommit: published.commit, contentFrom: namedBy(published) };
    },
  };
}
