/**
 * dist/index.js: the action and the emulator in one build, so that they share what both load. A
 * runner starts it as the action; each file of dist/emulator imports it with a query that selects
 * another program.
 */
const PROGRAMS: ReadonlyMap<string, () => Promise<unknown>> = new Map([
  // Eager: the code of the action is in this file, so that it starts without reading a second one.
  ['', () => import(/* webpackMode: "eager" */ './action.ts')],
  ['?index', () => import('../../emulator/src/cli.ts')],
  ['?start', () => import('../../emulator/src/action/start.ts')],
  ['?stop', () => import('../../emulator/src/action/stop.ts')],
]);

await PROGRAMS.get(new URL(import.meta.url).search)?.();
