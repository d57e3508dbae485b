import { describe, expect, it } from 'vitest';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { writePublishedNames } from '../../scripts/docs/published.ts';
import { ACTION, COMMAND, IMAGE, REPOSITORY } from '../../src/ground/published.ts';
import { filesBelow, ROOT, readText } from './pages.ts';

const local = { action: ACTION, command: COMMAND, image: IMAGE, repository: REPOSITORY };
const released = {
  action: 'docs-courier/docs-courier@v1',
  command: 'npx --yes docs-courier@1',
  image: 'registry.example.com/docs-courier/docs-courier:1',
  repository: 'https://github.com/docs-courier/docs-courier',
};
const LOCAL = `- uses: ./.github/actions/docs-courier
- uses: ./.github/actions/docs-courier/emulator
  script: npx --yes ./docs-courier.tgz export
  image: registry.example.com/docs-courier:1
  image: registry.example.com/docs:1
git clone https://git.example.com/docs-courier.git
`;
const RELEASED = `- uses: docs-courier/docs-courier@v1
- uses: docs-courier/docs-courier/emulator@v1
  script: npx --yes docs-courier@1 export
  image: registry.example.com/docs-courier/docs-courier:1
  image: registry.example.com/docs:1
git clone https://github.com/docs-courier/docs-courier.git
`;

describe('published names', () => {
  it('The names of a release replace what works from a clone, and the other way round', () => {
    expect(writePublishedNames(LOCAL, released)).toBe(RELEASED);
    expect(writePublishedNames(RELEASED, local)).toBe(LOCAL);
  });

  it('An action that is published by commit keeps its version as a comment, also in a folder', () => {
    const action = `docs-courier/docs-courier@${'a1'.repeat(20)} # v1.0.0`;
    const pinned = writePublishedNames(LOCAL, { ...released, action });
    expect(pinned).toContain(`- uses: ${action}\n`);
    expect(pinned).toContain(
      `- uses: docs-courier/docs-courier/emulator@${'a1'.repeat(20)} # v1.0.0\n`,
    );
    expect(writePublishedNames(pinned, released)).toBe(RELEASED);
    expect(writePublishedNames(pinned, local)).toBe(LOCAL);
  });

  /**
   * A host on which a stranger could register the name of this project, and a name of the form that
   * such hosts have.
   */
  const REGISTRABLE =
    /\b(?:github|gitlab|bitbucket)\.(?:com|org)[/:]docs-courier\b|\b(?:ghcr|quay|docker)\.io\/docs-courier\b|githubusercontent\.com\/docs-courier\b|(?:\b|%2F)docs-courier(?:\/|%2F)docs-courier\b/gi;

  const texts = new Map([
    ...readPageTexts(ROOT),
    ...['examples', 'templates'].flatMap((folder) =>
      filesBelow(folder).map((name): [string, string] => [
        `${folder}/${name}`,
        readText(`${folder}/${name}`),
      ]),
    ),
  ]);

  it.each([...texts.keys()])(
    'Before the first release, %s runs no package, action or image of ours by its name',
    (path) => {
      const text = texts.get(path) ?? '';
      expect(text).not.toMatch(
        /\b(npx|npm (install|exec)|yarn dlx|pnpm dlx)\b[^\n]*[ ,]docs-courier\b(?![.-])/,
      );
      expect(text).not.toMatch(/(uses|image):\s*([\w.-]+\/)?docs-courier\//);
      expect(text).not.toMatch(/docker (run|pull)[^\n]*docs-courier\/docs-courier/);
    },
  );

  it.each([...texts.keys(), '.github/ISSUE_TEMPLATE/config.yml', 'CONTRIBUTING.md', 'Dockerfile'])(
    'Before the first release, %s has no address of ours that a stranger could register',
    (path) => {
      expect(readText(path).match(REGISTRABLE) ?? []).toEqual([]);
    },
  );

  it('Until a repository is published, its address is on a host that cannot be registered', () => {
    expect(new URL(REPOSITORY).hostname).toMatch(/\.example(?:\.com)?$/);
  });

  it.each([
    'git clone https://github.com/docs-courier/docs-courier.git',
    'git@github.com:docs-courier/docs-courier.git',
    'oci://ghcr.io/docs-courier/docs-courier:1',
    '--repo docs-courier/docs-courier',
    'new?url=https%3A%2F%2Fgithub.com%2Fdocs-courier%2Fdocs-courier&public=false',
  ])('A name that could be registered is found: %s', (line) => {
    expect(line.match(REGISTRABLE)).not.toBeNull();
  });

  it.each([...texts.keys()])(
    'Every job in %s that runs the copied action checks it out first',
    (path) => {
      const text = texts.get(path) ?? '';
      const blocks = path.endsWith('.md')
        ? [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, yaml = '']) => yaml)
        : [text];
      const jobs = blocks.flatMap((block) => block.split(/^ *steps:/m).slice(1));
      for (const job of jobs.filter((steps) => steps.includes('uses: ./.github/actions/')))
        expect(job.indexOf('uses: actions/checkout@'), job).toBeGreaterThanOrEqual(0);
    },
  );
});
