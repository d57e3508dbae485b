import { afterAll, beforeAll } from 'vitest';
import { describeGitea } from '../../support/gitea-scenarios.ts';
import { RealGitea } from '../../support/gitea-site.ts';

let gitea: RealGitea;
beforeAll(async () => {
  gitea = await RealGitea.start();
});
afterAll(() => gitea[Symbol.asyncDispose]());

describeGitea('a real Gitea', () => gitea.addSite());
