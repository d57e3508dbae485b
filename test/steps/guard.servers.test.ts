import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/failure.ts';
import { bundleInputs, makeDestination } from '../support/make-inputs.ts';
import { BUNDLE, NAME, POLL, TARGET } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

/** The next polls find the job finished, with this page count, or without one. */
function finishWith(world: World, pageCount: number | undefined): void {
  const body = { jobId: 'job-1', status: 'completed', pageCount };
  world.platform.inject({ match: { ...POLL, times: Number.POSITIVE_INFINITY }, status: 200, body });
}

async function startFinished(pageCount: number | undefined): Promise<World> {
  const world = await startWorld();
  await world.platform.addExportJob({ jobId: 'job-1' });
  finishWith(world, pageCount);
  return world;
}

const ATTACH = { exportJobId: 'job-1', to: makeDestination() } as const;

describe('an export without pages', () => {
  it('An export without pages fails before a link is made, and the secret stays unchanged', async () => {
    await using world = await startFinished(0);
    const { error, recorded } = await world.export(ATTACH);
    expect(error).toMatchObject({
      code: 'checks-failed',
      message: expect.stringContaining('0 pages, and min-pages is 1'),
      hint: expect.objectContaining({ inputs: { 'min-pages': '0' } }),
    });
    expect(recorded.jobId).toBe('job-1');
    expect(world.calls(BUNDLE)).toEqual([]);
    expect(world.github.secret(TARGET, NAME)).toBeUndefined();
  });

  it('An export without pages succeeds with min-pages: 0', async () => {
    await using world = await startFinished(0);
    const { facts } = await world.export({ ...ATTACH, minPages: 0 });
    expect(facts.status).toBe('completed');
    expect(world.secret()).toBeDefined();
  });
});

it('An export without a page count fails only if min-pages asks for more than one page', async () => {
  await using world = await startFinished(undefined);
  const { error } = await world.export({ ...ATTACH, minPages: 7 });
  expect(error?.message).toContain('min-pages could not be checked');
  expect((await world.export({ ...ATTACH, minPages: 1 })).facts.status).toBe('completed');
});

describe('an export whose archive is downloaded', () => {
  it('The pages of a downloaded archive count instead of those of the job, and too few pages change nothing', async () => {
    await using world = await startFinished(500);
    const bundle = bundleInputs({
      extractTo: join(world.root, 'workspace/site'),
      bundlePath: join(world.root, 'temp/d.tgz'),
    });
    const { error } = await world.export({ ...ATTACH, bundle, minPages: 3 });
    expectError(error, { code: 'checks-failed', message: '2 pages, and min-pages is 3' });
    expect(world.files().filter((path) => !path.includes('docs-courier-verify'))).toEqual([]);
    expect(world.github.secret(TARGET, NAME)).toBeUndefined();
    expect((await world.export({ ...ATTACH, bundle, minPages: 2 })).facts.status).toBe('completed');
  });

  it('The pages of a downloaded archive are the page count if the platform reports none', async () => {
    await using world = await startFinished(undefined);
    const bundle = bundleInputs({ extractTo: join(world.root, 'workspace/site') });
    const { recorded } = await world.export({ ...ATTACH, bundle });
    expect(recorded.pageCount).toBe(2);
    expect(recorded.bundle?.pages).toBe(2);
  });
});
