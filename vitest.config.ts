import { defineConfig } from 'vitest/config';

const soak = process.env['SOAK'] === '1';
/**
 * Packages, whole pages of commands, other programs, chaos, and what needs many processes: `npm run test:long`, a gate of its
 * own, so that `npm test` stays quick.
 */
const LONG = [
  'test/action/agent/agent.test.ts',
  'test/action/changes/**/*.test.ts',
  'test/action/chaos/**/*.test.ts',
  'test/action/export/{hostile,publish}.test.ts',
  'test/action/gitea/**/*.test.ts',
  'test/action/lifecycle/{cancel,limits,rollback}.test.ts',
  'test/action/packed/npm-package.test.ts',
  'test/action/secrets/{cancel,resume,stores}.test.ts',
  'test/integration/agent/once.test.ts',
  'test/integration/bundle/foreign/**/*.test.ts',
  'test/integration/bundle/large.test.ts',
  'test/integration/added-search/**/*.test.ts',
  'test/integration/changes-page/**/*.test.ts',
  'test/integration/cli/{sites,terminal}.test.ts',
  'test/integration/docs/{commands,guides}.test.ts',
  'test/integration/ecosystem/s3-store.test.ts',
  'emulator/test/integration/cli.test.ts',
  'test/integration/publish/chaos.test.ts',
  'test/integration/live/foreign/**/*.test.ts',
  'test/integration/rollout/cluster.test.ts',
  'test/integration/stores/{all-interleavings,concurrent,held,sequences}.test.ts',
];
const long = process.env['LONG'] === '1';

/** One project per kind of test, so that one kind runs alone: `npx vitest run --project unit`. */
function project(name: string, timeoutMs: number, setupFiles: string[] = []) {
  const limit = soak ? timeoutMs * 40 : timeoutMs;
  return {
    extends: true as const,
    test: {
      name,
      include: long ? LONG.filter((path) => path.includes(`test/${name}/`)) : [`{,emulator/}test/${name}/**/*.test.ts`],
      exclude: long || soak ? [] : LONG,
      testTimeout: limit,
      hookTimeout: limit,
      setupFiles,
      // A third of the time went into loading the same modules again for each file: they keep no state that a test changes.
      isolate: name === 'real',
    },
  };
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // More than there are cores: most of these tests wait for sockets and child processes.
    maxWorkers: '200%',
    reporters: ['default'],
    setupFiles: ['test/support/seed.ts'],
    projects: [
      project('rules', 20_000),
      project('unit', 20_000, ['test/support/no-network.ts']),
      project('integration', 30_000),
      project('action', 60_000),
      // Against the servers that scripts/real-servers.sh builds: `npm run test:real`.
      ...(process.env['REAL_SERVERS'] === '1' ? [project('real', 300_000)] : []),
    ],
  },
});
