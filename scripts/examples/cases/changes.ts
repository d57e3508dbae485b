import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Scope } from '../../../emulator/src/github/emulator.ts';
import type { Stage } from '../stage.ts';
import { REPOSITORY } from '../workspace.ts';
import { assertGreen, type ExampleCase, fetchBundle, startsOf } from './case.ts';

const EXAMPLE = 'hold-back.yml';
const secret: Scope = { scope: 'repository', repository: REPOSITORY };
const changesSchema = z.object({
  added: z.array(z.object({ path: z.string() })),
  changed: z.array(z.object({ path: z.string(), wordsAdded: z.number() })),
  unchanged: z.number(),
});

function linkOf({ github }: Stage): string {
  const found = github.secret(secret, 'DOCS_BUNDLE_URL');
  assert.ok(found, 'the secret was not written');
  return found.value;
}

/** Two exports of a site that changed, and a third one without a third of its pages. */
async function heldBack(stage: Stage): Promise<string> {
  const docs = join(stage.repository, 'docs');
  assertGreen(await stage.run({ example: EXAMPLE, eventName: 'push' }));
  appendFileSync(join(docs, 'how-to/index.md'), '\nA sentence that was not here before.\n');
  writeFileSync(join(docs, 'how-to/new-page.md'), '# A new page\n\nWith a sentence.\n');
  const second = await stage.run({ example: EXAMPLE, eventName: 'push', merges: 7 });
  assertGreen(second);
  const kept = join(stage.folder, 'artifacts/changes');
  const changes = changesSchema.parse(JSON.parse(readFileSync(join(kept, 'changes.json'), 'utf8')));
  assert.deepEqual(
    changes.added.map(({ path }) => path),
    ['/how-to/new-page'],
  );
  assert.deepEqual(
    changes.changed.map(({ path, wordsAdded }) => ({ path, wordsAdded })),
    [{ path: '/how-to', wordsAdded: 7 }],
  );
  assert.ok(changes.unchanged > 50, `${changes.unchanged} pages are unchanged`);
  const [comment, ...others] = stage.github.comments;
  assert.equal(others.length, 0, 'there is more than one comment');
  assert.match(comment?.body ?? '', /1 page added, 1 changed; delivered on/);
  const live = linkOf(stage);
  rmSync(join(docs, 'reference'), { recursive: true });
  const third = await stage.run({ example: EXAMPLE, eventName: 'push' });
  assert.ok(!third.ok, 'an export that lost its reference was published');
  assert.match(
    third.log,
    /fewer \(\d\d\.\d%\) than the \d+ of the earlier one, and max-page-drop is 10%/,
  );
  assert.equal(linkOf(stage), live);
  await fetchBundle(live);
  assert.equal(startsOf(stage), 3);
  assert.deepEqual(readdirSync(kept).sort(), ['changes.html', 'changes.json']);
  const whole = JSON.parse(readFileSync(join(kept, 'changes.json'), 'utf8'));
  assert.match(readFileSync(join(kept, 'changes.html'), 'utf8'), /lost addresses<\/h2>/);
  assert.ok(
    z.object({ lost: z.array(z.unknown()) }).parse(whole).lost.length > 10,
    'no address was lost',
  );
  return '1 page added and 1 changed are shown; also in one comment on the pull request; an export without its reference is not published, and the live link stays';
}

export const changesCases: readonly ExampleCase[] = [
  { example: EXAMPLE, when: 'a page changed, then a third was removed', run: heldBack },
];
