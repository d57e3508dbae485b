import * as core from '@actions/core';
import type { WorkflowStep } from './runner.ts';

/**
 * The step of the action. What is not safe to hand to the runner as it is was made so by the log
 * and by `createResults`.
 */
export const actionStep: WorkflowStep = {
  toolkit: core,
  setOutput: core.setOutput,
  async writeSummary(markdown) {
    await core.summary.addRaw(markdown, true).write();
  },
  readEvent: async () => (await import('@actions/github')).context.payload,
};
