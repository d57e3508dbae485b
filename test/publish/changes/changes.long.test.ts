import { expect, test } from 'vitest';
import { SECRET_TOKEN } from '../../support/make-inputs.ts';
import { NAME, TARGET } from '../../support/world/names.ts';
import { startWorld } from '../../support/world.ts';

/** The built action on a site that changes between its runs. */
async function startSite() {
  const files: Record<string, string> = { 'index.md': '# Docs\n\nHello.' };
  for (let at = 0; at < 9; at += 1) files[`guide/page-${at}.md`] = `# Page ${at}\n\nText of page ${at}.`;
  const world = await startWorld({ clock: 'system', platform: { sites: { acme: files } } });
  const inputs = { to: `github:secret/${NAME}`, 'secret-token': SECRET_TOKEN, 'compare-with': 'previous' };
  return { files, world, inputs, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('Two exports of a changed site produce a table, a chart, an output and a file', async () => {
  await using site = await startSite();
  const { world, files, inputs } = site;
  const first = await world.step(inputs);
  expect(first.exitCode, first.log).toBe(0);
  expect(first.summary).toContain('Not compared. The variable DOCS\\_BUNDLE\\_URL\\_STATE');
  files['guide/page-1.md'] = '# Page 1\n\nText of <page> one | `x`.';
  files['api/new.md'] = '# New';
  const second = await world.step(inputs);
  expect(second.exitCode, second.log).toBe(0);
  expect(second.summary).toContain('| 1 | 1 | 0 | 0 | 9 |');
  expect(second.summary).toContain('| added | `/api/new` | New |  |');
  expect(second.summary).toContain('| changed | `/guide/page-1` | Page 1 | words: 2 more, 1 fewer |');
  expect(second.summary).toMatch(
    /xychart-beta\n {2}title "Changed pages by section"\n {2}x-axis \["\/api", "\/guide"\]/,
  );
  expect(second.outputs['changes-path']).toMatch(/docs-courier-changes-\w+\/changes\.json$/);
  const written = second.tempFiles.map((file) => file.replace(/^(docs-courier-(?:changes-)?)\w+\//, '$1/')).sort();
  expect(written).toEqual(expect.arrayContaining(['docs-courier-/report.json', 'docs-courier-changes-/changes.json']));
  expect(JSON.parse(second.outputs.report ?? '')).toMatchObject({
    changes: { added: 1, changed: 1, unchanged: 9, lost: 0 },
  });
});

test('A site that lost a third of its pages is held back, and the live link stays until a person forces the export', async () => {
  await using site = await startSite();
  const { world, files, inputs } = site;
  expect((await world.step(inputs)).exitCode).toBe(0);
  const live = world.github.secret(TARGET, NAME)?.value;
  for (const at of [1, 2, 3]) delete files[`guide/page-${at}.md`];
  const rules = {
    ...inputs,
    'max-page-drop': '10%',
    'required-pages': '/\n/guide/page-1',
    'forbid-lost-addresses': 'fail',
  };
  const held = await world.step(rules);
  expect(held.exitCode).toBe(1);
  expect(held.outputs).toMatchObject({ status: 'failed', 'error-code': 'checks-failed', 'bundle-url': '' });
  expect(held.outputs['job-id']).toMatch(/./);
  expect(held.log).toContain('3 fewer (30.0%) than the 10 of the earlier one, and max-page-drop is 10%');
  expect(held.summary).toContain('**The export was held back.** What was live is still live.');
  expect(held.summary).toContain('| removed | `/guide/page-1` | Page 1 |');
  expect(world.github.secret(TARGET, NAME)?.value).toBe(live);
  const refused = await world.step({ ...rules, force: 'true' });
  expect(refused.outputs['error-code']).toBe('config');
  const forced = await world.step({ ...rules, force: 'true' }, { eventName: 'workflow_dispatch' });
  expect(forced.exitCode, forced.log).toBe(0);
  expect(forced.summary).toContain('**Published although checks failed**');
  expect(world.github.secret(TARGET, NAME)?.value).not.toBe(live);
});
