import { expect, test } from 'vitest';
import { detectCi } from '../../src/ci/detect.ts';

const JOB = {
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://gitlab.example.com',
  CI_PROJECT_PATH: 'acme/docs',
  CI_PIPELINE_ID: '1001',
  CI_JOB_ID: '50001',
  CI_JOB_NAME: 'export-docs',
  CI_PIPELINE_CREATED_AT: '2026-03-01T12:00:00Z',
};

test.each([
  [{ CI_PIPELINE_SOURCE: 'push' }, { kind: 'push', time: new Date('2026-03-01T12:00:00Z') }],
  [{ CI_PIPELINE_SOURCE: 'push', CI_PIPELINE_CREATED_AT: '' }, undefined],
  [{ CI_PIPELINE_SOURCE: 'schedule' }, undefined],
  [{ CI_PIPELINE_SOURCE: 'web' }, undefined],
])('A GitLab pipeline with %j follows the change %j', (env, change) => {
  const host = { env: { ...JOB, ...env }, cwd: '/builds/acme/docs', temp: '/tmp', write: () => {} };
  expect(detectCi(host.env).load(host).readRun().change).toEqual(change);
});
