import { expect, test } from 'vitest';
import { writePaths } from '../../scripts/measure/paths.ts';
import { followPaths } from '../../scripts/measure/runs.ts';
import { ROOT, readText } from './pages.ts';

test('The paths of CONTRIBUTING are those of an export and of a comment that run now', async () => {
  expect(writePaths(ROOT, await followPaths())).toBe(readText('CONTRIBUTING.md'));
});
