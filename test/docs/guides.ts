/** The guides whose commands are run in one go, each in a new folder. */
export const GUIDES = [
  'any-other-ci',
  'deliver-to-a-file',
  'deliver-to-aws',
  'deliver-to-kubernetes',
  'deliver-to-vault',
  'gitlab-ci',
  'instruct-the-agent-without-a-comment',
  'instruct-the-docs-agent',
  'kubernetes-in-detail',
  'many-sites',
  'roll-back',
  'run-on-your-own-machine',
] as const;

export type Guide = (typeof GUIDES)[number];
