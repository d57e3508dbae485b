import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChromium, openBrowser } from '../../../scripts/browser/browser.ts';
import { readContent } from '../../../src/site/verify/page-scan.ts';
import { Folders } from '../../support/world/folders.ts';

// A browser takes long to start beside other work.
const LIMIT_MS = 120_000;

/** Puts parts into their places, as the script of React does. */
const PLACING = `<script>
function part(place, id, from) {
  const piece = document.getElementById(id);
  piece.remove();
  place.before(...piece.childNodes);
  from.forEach((node) => node.remove());
}
function $RS(id, at) {
  const place = document.getElementById(at);
  part(place, id, [place]);
}
function $RC(at, id) {
  const shown = [];
  let node = document.getElementById(at);
  for (; node.nodeValue !== '/$'; node = node.nextSibling) shown.push(node);
  part(node, id, shown);
}
</script>`;
const STYLE =
  '<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.styled{display:none}</style>';

interface Sample {
  /** The beginning of its row in the table of the rules. */
  readonly rule: string;
  readonly body: string;
  /** Words that are read, and words that Chromium shows, of those in the page. */
  readonly read: readonly string[];
  readonly shown: readonly string[];
}

const BOUNDARY = '<!--$?--><template id="B:0"></template><p>beta</p><!--/$-->';
const SAMPLES: readonly Sample[] = [
  {
    rule: '`main`',
    body: '<header>alpha</header><article>beta</article><main>gamma</main>',
    read: ['gamma'],
    shown: ['alpha', 'beta', 'gamma'],
  },
  {
    rule: '`main`',
    body: '<header>alpha</header><aside>beta</aside><div>gamma</div>',
    read: ['gamma'],
    shown: ['alpha', 'beta', 'gamma'],
  },
  {
    rule: '`nav`',
    body: '<main><nav>alpha</nav><time>beta</time><button>gamma</button>delta</main><footer>epsilon</footer>',
    read: ['delta'],
    shown: ['alpha', 'beta', 'gamma', 'delta', 'epsilon'],
  },
  {
    rule: '`hidden`',
    body: '<main>alpha<script>"beta"</script><template>gamma</template><noscript>delta</noscript></main>',
    read: ['alpha'],
    shown: ['alpha'],
  },
  {
    rule: '`hidden`',
    body: '<main>alpha<p hidden>beta</p><p style="display:none">gamma</p><p style="visibility:hidden">delta</p></main>',
    read: ['alpha'],
    shown: ['alpha'],
  },
  {
    rule: '`hidden`',
    body: '<main>alpha<video><b>beta</b></video><p><canvas><b>gamma</b></p><p><ruby>delta<rp>epsilon</ruby></main>',
    read: ['alpha', 'delta'],
    shown: ['alpha', 'delta'],
  },
  {
    rule: 'Panels',
    body: '<main>alpha<div popover>beta</div><p id="x" hidden>gamma</p><button aria-controls="x"></button></main>',
    read: ['alpha', 'beta', 'gamma'],
    shown: ['alpha'],
  },
  {
    rule: 'Panels',
    body: '<main><button aria-controls="x">alpha</button><p id="x" hidden>beta</p><p role="tabpanel" hidden>gamma</p><p role="region" hidden>delta</p><div hidden="until-found"><b>epsilon</b></div></main>',
    read: ['beta', 'gamma', 'delta', 'epsilon'],
    shown: ['alpha'],
  },
  {
    rule: 'What a style sheet hides',
    body: '<main><p class="styled">alpha</p><p inert>beta</p></main>',
    read: ['alpha', 'beta'],
    shown: ['beta'],
  },
  {
    rule: 'Text for screen readers alone',
    body: '<main><h2>alpha<a href="#a"><span class="sr-only">beta</span></a></h2></main>',
    read: ['alpha'],
    shown: ['alpha'],
  },
  {
    rule: '`aria-hidden',
    body: '<main><p aria-hidden="true">alpha</p><span aria-hidden="true">beta</span><span class="sr-only">gamma</span></main>',
    read: ['alpha', 'gamma'],
    shown: ['alpha', 'beta'],
  },
  {
    rule: 'Buttons in',
    body: '<main><h3><button>alpha</button></h3><dl><dt><button>beta</button></dt></dl><details open><summary><button>gamma</button></summary>delta</details></main>',
    read: ['alpha', 'beta', 'gamma', 'delta'],
    shown: ['alpha', 'beta', 'gamma', 'delta'],
  },
  {
    rule: 'Parts that React',
    body: `<main>${BOUNDARY}</main><div hidden id="S:0"><p>alpha <template id="P:1"></template></p></div><div hidden id="S:1">gamma</div><script>$RS("S:1","P:1");$RC("B:0","S:0")</script>`,
    read: ['alpha', 'gamma'],
    shown: ['alpha', 'gamma'],
  },
  {
    rule: 'Parts that React',
    body: `<main><table><tbody>${BOUNDARY.replace('<p>beta</p>', '<tr><td>beta</td></tr>')}</tbody></table></main><table hidden><tbody id="S:0"><tr><td>alpha</td></tr></tbody></table><script>$RC("B:0","S:0")</script>`,
    read: ['alpha'],
    shown: ['alpha'],
  },
  {
    rule: 'What is shown until',
    body: `<main>alpha${BOUNDARY}</main><div hidden id="S:9">gamma</div>`,
    read: ['alpha'],
    shown: ['alpha', 'beta'],
  },
  {
    rule: 'Labels',
    body: '<main><label>alpha</label><label>beta</label><a class="card"><strong>gamma</strong><span>delta</span></a></main>',
    read: ['alpha', 'beta', 'gamma', 'delta'],
    shown: ['alpha', 'beta', 'gamma', 'delta'],
  },
  {
    rule: 'Characters that nothing shows',
    body: '<main>al&shy;pha be&#8203;ta gam&#8288;ma</main>',
    read: ['alpha', 'beta', 'gamma'],
    shown: ['alpha', 'beta', 'gamma'],
  },
  {
    rule: 'A line that says when',
    body: '<main>alpha<p>Last updated 3 days ago by beta</p></main>',
    read: ['alpha'],
    shown: ['alpha', 'beta'],
  },
];
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
const PAGE = 'docs/explanation/comparing-exports.md';

/** The text of each node that Chromium paints, without what has no width. */
function paintedTexts(): string {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const element = node.parentElement;
    const isShown = element?.checkVisibility({ visibilityProperty: true }) ?? false;
    if (isShown && (element?.getBoundingClientRect().width ?? 0) > 1)
      texts.push(node.textContent ?? '');
  }
  return texts.join(' ');
}

function hasChromium(): boolean {
  try {
    findChromium();
    return true;
  } catch {
    console.log('no Chromium: what is read was not compared with what it shows');
    return false;
  }
}

it('Each rule of the table of what is read has a page, and each page a rule', () => {
  const text = readFileSync(join(import.meta.dirname, '../../..', PAGE), 'utf8');
  const section = text.split('## The content of a page')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!-|What \|)/.test(line));
  const rules = new Set(SAMPLES.map(({ rule }) => rule));
  for (const rule of rules)
    expect(rows.filter((row) => row.startsWith(`| ${rule}`))).toHaveLength(1);
  expect(rows).toHaveLength(rules.size);
});

it.skipIf(!hasChromium())(
  'What is read of a page, and what Chromium shows of it, is what the table says',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    using folders = new Folders();
    await using browser = await openBrowser({
      chromium: findChromium(),
      profile: join(folders.root, 'profile'),
    });
    const tab = await browser.context.newPage();
    for (const { body, read, shown } of SAMPLES) {
      const html = `<!doctype html><html lang="en"><head>${STYLE}${PLACING}</head><body>${body}</body></html>`;
      await tab.setContent(html);
      const painted = (await tab.evaluate(paintedTexts)).replace(/[\u00ad\u200b\u2060]/g, '');
      const words = (text: string) => WORDS.filter((word) => text.split(/\s+/).includes(word));
      expect(words(painted), `shown of ${body}`).toEqual(shown);
      expect(words(readContent(html).blocks.join(' ')), `read of ${body}`).toEqual(read);
    }
  },
);
