import { randomUUID } from 'node:crypto';
import type { CiRunner, Env, Host } from '../port.ts';
import { branchOfRef } from '../system-run.ts';
import { createSystemRunner } from '../system-runner.ts';
import { findVendor } from '../vendors.ts';

/** The variables of the branch, and of the tag where the first then holds its name, by the name of the system in `ci-info`. */
const BRANCHES: Readonly<Record<string, { readonly branch: string; readonly tag?: string }>> = {
  APPVEYOR: { branch: 'APPVEYOR_REPO_BRANCH', tag: 'APPVEYOR_REPO_TAG_NAME' },
  BAMBOO: { branch: 'bamboo_planRepository_branchName' },
  BITRISE: { branch: 'BITRISE_GIT_BRANCH', tag: 'BITRISE_GIT_TAG' },
  BUDDY: { branch: 'BUDDY_EXECUTION_BRANCH', tag: 'BUDDY_EXECUTION_TAG' },
  CIRRUS: { branch: 'CIRRUS_BRANCH', tag: 'CIRRUS_TAG' },
  CODEBUILD: { branch: 'CODEBUILD_WEBHOOK_HEAD_REF' },
  CODEFRESH: { branch: 'CF_BRANCH' },
  CODEMAGIC: { branch: 'CM_BRANCH', tag: 'CM_TAG' },
  DRONE: { branch: 'DRONE_BRANCH', tag: 'DRONE_TAG' },
  SCREWDRIVER: { branch: 'GIT_BRANCH' },
  SEMAPHORE: { branch: 'SEMAPHORE_GIT_BRANCH', tag: 'SEMAPHORE_GIT_TAG_NAME' },
  TRAVIS: { branch: 'TRAVIS_BRANCH', tag: 'TRAVIS_TAG' },
  VELA: { branch: 'VELA_BUILD_BRANCH', tag: 'VELA_BUILD_TAG' },
};

/** A system without an adapter of its own. What is not known is not guessed: each call of the command is a run of its own. */
export function createOtherRunner(host: Host): CiRunner {
  const id = randomUUID();
  return createSystemRunner({
    host,
    emptyInputs: ['the CI system does not hand the secret over to this job'],
    read: () => ({ kind: 'other', key: ['other', id], attempt: 1, branch: branchOf(host.env) }),
  });
}

function branchOf(env: Env): string | undefined {
  const names = BRANCHES[findVendor(env)?.constant ?? ''];
  if (names === undefined || (names.tag !== undefined && env[names.tag])) return undefined;
  const value = env[names.branch];
  return value?.startsWith('refs/') === true ? branchOfRef(value) : value;
}
