/** The guides whose commands are run in one go, each in a new folder. */
export const GUIDES = [
  'any-other-ci',
  'deliver-to-kubernetes',
  'deliver-to-vault-or-aws',
  'gitlab-ci',
  'instruct-the-agent-without-a-comment',
  'instruct-the-docs-agent',
  'many-sites',
  'refresh-on-a-schedule',
  'roll-back',
  'run-on-your-own-machine',
] as const;

export type Guide = (typeof GUIDES)[number];
