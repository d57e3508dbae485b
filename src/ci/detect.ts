import { CourierError } from '../errors.ts';
import { giteaKind } from './gitea/kind.ts';
import type { CiKind, CiRunner, Env, Host } from './port.ts';

/** How one system is found, and its adapter, which is loaded only then. */
interface System {
  readonly kind: CiKind;
  readonly isHere: (env: Env) => boolean;
  readonly load: (host: Host) => Promise<CiRunner>;
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
    kind: 'other',
    isHere: ({ CI }) => CI !== undefined && CI !== '' && !/^(false|0)$/i.test(CI),
    load: async () => {
      throw new CourierError({
        code: 'config',
        message: 'The variable CI is set, and the CI system is none that this version knows.',
        hint: 'On your own machine, unset CI.',
      });
    },
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
