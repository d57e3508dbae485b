import { giteaKind } from './gitea/kind.ts';
import type { CiKind, CiRunner, Env, Host } from './port.ts';
import { findVendor } from './vendors.ts';

/** How one system is found, and its adapter, which is loaded only then. */
interface System {
  readonly kind: CiKind;
  readonly isHere: (env: Env) => boolean;
  readonly load: (host: Host) => Promise<CiRunner>;
}

/** Variables that systems have in common: where one is set, nobody sits in front of the machine. */
const GENERAL = ['CONTINUOUS_INTEGRATION', 'BUILD_NUMBER', 'CI_NAME', 'CI_BUILD_ID', 'CI_PIPELINE_ID'] as const;

function isSet(value: string | undefined): boolean {
  return value !== undefined && !/^(|false|0)$/i.test(value);
}

/** In this order: some systems set the variables of others too. A further one is one entry here and a folder next to this file. */
const SYSTEMS: readonly System[] = [
  ...(['gitea', 'forgejo'] as const).map((kind) => ({
    kind,
    isHere: (env: Env) => giteaKind(env) === kind,
    async load(host: Host) {
      const [{ createCommandRunner }, { createGiteaRunner }] = await Promise.all([
        import('./github-actions/runner.ts'),
        import('./gitea/runner.ts'),
      ]);
      return createGiteaRunner(kind, createCommandRunner(host), host.env, (text) =>
        host.write(text.replace(/\r?\n$/, '')),
      );
    },
  })),
  {
    kind: 'github',
    isHere: ({ GITHUB_ACTIONS }) => GITHUB_ACTIONS === 'true',
    load: async (host) => (await import('./github-actions/runner.ts')).createCommandRunner(host),
  },
  {
    kind: 'gitlab',
    isHere: ({ GITLAB_CI }) => GITLAB_CI === 'true',
    load: async (host) => (await import('./gitlab/runner.ts')).createGitLabRunner(host),
  },
  {
    kind: 'azure',
    isHere: ({ TF_BUILD }) => isSet(TF_BUILD),
    load: async (host) => (await import('./azure/runner.ts')).createAzureRunner(host),
  },
  {
    kind: 'jenkins',
    // People set JENKINS_URL alone on their own machines.
    isHere: ({ JENKINS_URL, BUILD_ID }) => isSet(JENKINS_URL) && isSet(BUILD_ID),
    load: async (host) => (await import('./jenkins/runner.ts')).createJenkinsRunner(host),
  },
  {
    kind: 'buildkite',
    isHere: ({ BUILDKITE }) => isSet(BUILDKITE),
    load: async (host) => (await import('./buildkite/runner.ts')).createBuildkiteRunner(host),
  },
  {
    kind: 'circleci',
    isHere: ({ CIRCLECI }) => isSet(CIRCLECI),
    load: async (host) => (await import('./circleci/runner.ts')).createCircleRunner(host),
  },
  {
    kind: 'bitbucket',
    isHere: ({ BITBUCKET_BUILD_NUMBER }) => isSet(BITBUCKET_BUILD_NUMBER),
    load: async (host) => (await import('./bitbucket/runner.ts')).createBitbucketRunner(host),
  },
  {
    kind: 'woodpecker',
    isHere: ({ CI }) => CI === 'woodpecker',
    load: async (host) => (await import('./woodpecker/runner.ts')).createWoodpeckerRunner(host),
  },
  {
    kind: 'other',
    isHere: (env) => isSet(env.CI) || GENERAL.some((name) => isSet(env[name])) || findVendor(env) !== undefined,
    load: async (host) => (await import('./other/runner.ts')).createOtherRunner(host),
  },
];

const LOCAL: System = {
  kind: 'local',
  isHere: () => true,
  load: async (host) => (await import('./local/runner.ts')).createLocalRunner(host),
};

/** The system that this process runs in. `local`: none was found, so it is a person's machine. */
export function detectCi(env: Env): Pick<System, 'kind' | 'load'> {
  return SYSTEMS.find(({ isHere }) => isHere(env)) ?? LOCAL;
}
