import { afterAll, beforeAll } from 'vitest';
import { describeAgent } from '../support/agent-scenarios.ts';
import { RealAgentGitea } from '../support/agent-sites/gitea-real.ts';

let gitea: RealAgentGitea;
beforeAll(async () => {
  gitea = await RealAgentGitea.start();
});
afterAll(() => gitea[Symbol.asyncDispose]());

describeAgent('a real Gitea', () => gitea.addSite());
