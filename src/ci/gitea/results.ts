import type { Toolkit } from '../../log.ts';
import { cut, inertLines } from '../../text/escape.ts';
import type { Results } from '../port.ts';

const MAX_LOGGED_BYTES = 64 * 1024;

/**
 * The summary goes to its file, where the runner names one, and into the log as well: Gitea before 1.27 and Forgejo show it
 * nowhere, and a step cannot know on which version it runs.
 */
export function withLoggedSummary(results: Results, toolkit: Toolkit): Results {
  return {
    writeOutputs: (values) => results.writeOutputs(values),
    writeReport: (json) => results.writeReport(json),
    writeSummary(markdown) {
      toolkit.startGroup('Summary');
      for (const line of inertLines(cut(markdown, { bytes: MAX_LOGGED_BYTES }))) toolkit.info(line);
      toolkit.endGroup();
      results.writeSummary(markdown);
    },
  };
}
