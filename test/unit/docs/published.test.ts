import { describe, expect, it } from 'vitest';
import { readPageTexts } from '../../../scripts/docs/page-texts.ts';
import { writePublishedNames } from '../../../scripts/docs/published.ts';
import { ACTION, COMMAND, IMAGE } from '../../../src/cli/published.ts';
import { filesBelow, ROOT, readText } from './pages.ts';

const local = { action: ACTION, command: COMMAND, image: IMAGE };
const released = {
  action: 'docs-courier/docs-courier@v1',
  command: 'npx --yes docs-courier@1',
  image: 'registry.example.com/docs-courier/docs-courier:1',
};
const LOCAL = `- uses: ./.github/actions/docs-courier
- uses: ./.github/actions/docs-courier/emulator
  script: npx --yes ./docs-courier.tgz export
  image: registry.example.com/docs-courier:1
  image: registry.example.com/docs:1
`;
const RELEASED = `- uses: docs-courier/docs-courier@v1
- uses: docs-courier/docs-courier/emulator@v1
  script: npx --yes docs-courier@1 export
  image: registry.example.com/docs-courier/docs-courier:1
  image: registry.example.com/docs:1
`;

describe('published names', () => {
  it('The names of a release replace what works from a clone, and the other way round', () => {
    expect(writePublishedNames(LOCAL, released)).toBe(RELEASED);
    expect(writePublishedNames(RELEASED, local)).toBe(LOCAL);
  });

  const texts = new Map([
    ...readPageTexts(ROOT),
    ...['examples', 'templates'].flatMap((folder) =>
      filesBelow(folder).map((name): [string, string] => [`${folder}/${name}`, readText(`${folder}/${name}`)]),
    ),
  ]);

  it.each([...texts.keys()])(
    'Before the first release, %s runs no package, action or image of ours by its name',
    (path) => {
      const text = texts.get(path) ?? '';
      expect(text).not.toMatch(/\b(npx|npm (install|exec)|yarn dlx|pnpm dlx)\b[^\n]*[ ,]docs-courier\b(?![.-])/);
      expect(text).not.toMatch(/(uses|image):\s*([\w.-]+\/)?docs-courier\//);
      expect(text).not.toMatch(/docker (run|pull)[^\n]*docs-courier\/docs-courier/);
    },
  );

  it.each([...texts.keys()])('Every job in %s that runs the copied action checks it out first', (path) => {
    const text = texts.get(path) ?? '';
    const blocks = path.endsWith('.md')
      ? [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, yaml = '']) => yaml)
      : [text];
    const jobs = blocks.flatMap((block) => block.split(/^ *steps:/m).slice(1));
    for (const job of jobs.filter((steps) => steps.includes('uses: ./.github/actions/')))
      expect(job.indexOf('uses: actions/checkout@'), job).toBeGreaterThanOrEqual(0);
  });
});
