import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const soak = process.env['SOAK'] === '1';
const long = process.env['LONG'] === '1';

/**
 * One project per kind of test, which is in its name, so that one kind runs alone: `npx vitest run
 * --project unit`.
 */
function project(name: string, timeoutMs: number, setupFiles: string[] = []) {
  const limit = soak ? timeoutMs * 40 : timeoutMs;
  return {
    extends: true as const,
    test: {
      name,
      include:
        name === 'rules' ? ['test/rules/**/*.test.ts'] : [`{,emulator/}test/**/*.${name}.test.ts`],
      testTimeout: limit,
      hookTimeout: limit,
      setupFiles,
      // A third of the time went into loading the same modules again for each file: they keep no
      // state that a test changes.
      isolate: name === 'real',
    },
  };
}

const quick = [
  project('rules', 60_000),
  project('unit', 40_000, ['test/support/no-network.ts']),
  project('servers', 30_000),
  project('action', 60_000),
];

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // More than there are cores, since most of these tests wait for sockets and child processes. A
    // percentage over 100 would be cut to 100.
    maxWorkers: 2 * availableParallelism(),
    reporters: ['default'],
    setupFiles: ['test/support/seed.ts'],
    // `npm run coverage`: each file of src with the lines that no test in these processes runs.
    // Runs of dist are not counted.
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/**/*.md'],
      reporter: [['text', { skipFull: true }]],
    },
    projects: [
      ...(long ? [] : quick),
      // Packages, whole pages of commands, other programs, chaos, and what needs many processes: a
      // gate of its own, so that `npm test` stays quick.
      ...(long || soak ? [project('long', 180_000)] : []),
      // Against the servers that scripts/real-servers.sh builds: `npm run test:real`.
      ...(process.env['REAL_SERVERS'] === '1' ? [project('real', 300_000)] : []),
    ],
  },
});
