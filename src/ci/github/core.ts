import * as core from '@actions/core';
import type { WorkflowStep } from './results.ts';

/**
 * How the action talks to the runner. The log and `createResults` have made every text safe for the
 * runner before it gets here.
 */
export const actionStep: WorkflowStep = {
  toolkit: core,
  setOutput: core.setOutput,
  async writeSummary(markdown) {
    // `true`: with a line end after it.
    await core.summary.addRaw(markdown, true).write();
  },
  readEvent: async () => (await import('@actions/github')).context.payload,
};
