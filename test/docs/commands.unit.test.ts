import { expect, test } from 'vitest';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { GUIDES } from './guides.ts';
import { CHECKOUT, codeBlocks, shellBlocks } from './terminals.ts';

const PROGRAM = /^(\$ )?(docs-courier|npm|npx|git|curl|docker|kubectl|helm|vault|aws|gh|tar) /m;

test('Every command on a page is run by a test', () => {
  const tried = [
    ...GUIDES.map((name) => `docs/how-to/${name}.md`), // in guides.long.test.ts
    'docs/how-to/add-a-search.md', // in test/search
    'README.md', // in commands.long.test.ts; `npm test` is what runs this
    'docs/how-to/air-gapped-hand-over.md',
    'docs/how-to/from-a-curl-loop.md',
    'docs/how-to/publish-an-image.md', // its attestations in attestations.real.test.ts
    'docs/how-to/run-the-emulator.md',
    'docs/how-to/serve-the-site.md', // in test/cli
    'docs/how-to/without-the-enterprise-plan.md', // in test/publish
    'docs/tutorial/first-export.md',
    // `npm run check:dist` is a separate check; `gh attestation verify` needs a published release.
    'docs/reference/versions.md',
  ];
  const pages = [...readPageTexts(CHECKOUT).keys()].filter((path) => shellBlocks(path).length > 0);
  expect(pages.sort()).toEqual(tried.sort());
});

test('A guide has no command in a block that is not run', () => {
  const guides = [...readPageTexts(CHECKOUT).keys()].filter((path) =>
    path.startsWith('docs/how-to/'),
  );
  const hidden = guides.flatMap((path) =>
    codeBlocks(path)
      .filter(
        ({ language, code }) =>
          language === 'console' || (language === 'text' && PROGRAM.test(code)),
      )
      .map(({ code }) => `${path}: ${code}`),
  );
  expect(hidden).toEqual([]);
});
