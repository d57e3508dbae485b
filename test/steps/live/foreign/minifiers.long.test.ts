import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderSite } from '../../../../emulator/src/site/render.ts';
import { readSource } from '../../../../emulator/src/site/source.ts';
import { findTool } from '../../../../scripts/examples/tools.ts';
import { readPageText } from '../../../../src/site/pages.ts';
import { comparePage } from '../../../../src/steps/live/compare.ts';
import { ROOT } from '../../../docs/pages.ts';

/**
 * Programs that remove from a page what a browser does not need, each with all its HTML options.
 */
const MINIFIERS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['minify', ['--type', 'html']],
  [
    'html-minifier-terser',
    [
      '--collapse-whitespace',
      '--remove-comments',
      '--remove-optional-tags',
      '--remove-attribute-quotes',
      '--remove-redundant-attributes',
      '--collapse-boolean-attributes',
      '--decode-entities',
      '--minify-css',
      'true',
      '--minify-js',
      'true',
    ],
  ],
];

/**
 * Content that is hard to preserve: text between elements of a line, code, entities, comments, and
 * optional tags.
 */
const HARD = `<!doctype html>
<html>
  <head>
    <title>Hard &amp; fast</title>
    <style> p { color : red } </style>
  </head>
  <body>
    <p>One <b>two</b> <i>three</i>, <code>four</code> .</p>
    <p>v<!-- -->1<!-- x -->2 &lt;tag&gt; &copy; &nbsp; &eacute; &#x1F600;</p>
    <pre>
  a  b
    c
</pre>
    <ul> <li> x </li> <li> y </li> </ul>
    <table> <tr> <td> 1 </td> <td> 2 </td> </tr> </table>
    <p>Write to help@acme.example, or to <a href="mailto:a@b.example"> a@b.example </a>.</p>
    <textarea> kept   as it is </textarea> <button> Press </button>
    <svg viewBox="0 0 1 1"><title>picture</title><text>in it</text></svg>
    <script> if (1 < 2) { document.write("<p>never</p>") } </script>
    <noscript><p>no scripts</p></noscript>
  </body>
</html>`;

async function pages(): Promise<Map<string, string>> {
  const files = await readSource(`${ROOT}/docs`);
  const site = await renderSite({ name: 'Docs', domain: 'docs.example.com', files, basePath: '' });
  const html = [...site].filter(([path]) => path.endsWith('.html')).slice(0, 12);
  return new Map([
    ...html.map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')] as const),
    ['hard.html', HARD],
  ]);
}

for (const [name, args] of MINIFIERS) {
  const program = findTool(name);
  if (program === undefined)
    console.warn(`${name} is not installed (scripts/tools.sh): its pages are not compared.`);
  describe.skipIf(program === undefined)(`pages that ${name} made smaller`, () => {
    it(`Pages that ${name} made smaller show what was exported, and other pages do not`, async () => {
      const exported = await pages();
      expect(exported.size).toBe(13);
      const small = new Map<string, string>();
      for (const [path, input] of exported)
        small.set(path, execFileSync(program ?? '', args, { input, encoding: 'utf8' }));
      for (const [path, html] of exported) {
        const smaller = small.get(path) ?? '';
        expect(smaller.length, path).toBeLessThan(html.length);
        expect(comparePage(readPageText(html), readPageText(smaller)), path).toBeUndefined();
        const others = [...small]
          .filter(([other]) => other !== path)
          .map(([, other]) => readPageText(other));
        expect(
          others.filter((other) => comparePage(readPageText(html), other) === undefined),
          path,
        ).toEqual([]);
      }
    }, 120_000);
  });
}
