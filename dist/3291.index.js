export const id = 3291;
export const ids = [3291];
export const modules = {

/***/ 3291:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderChangesPage: () => (/* binding */ renderChangesPage)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
;// CONCATENATED MODULE: ./build/src/publish/changes/page/entries.js
const KINDS = ['added', 'changed', 'moved', 'removed'];
const NOTHING = { headings: [], excerpts: [] };
/** Everything that changed, by path. */
function entriesOf({ added, changed, moved, removed }) {
    const found = [
        ...added.map(({ path, title }) => ({ ...NOTHING, kind: 'added', path, title })),
        ...changed.map(toEntry),
        ...moved.map(({ from, to, title }) => ({ ...NOTHING, kind: 'moved', path: from, title, target: to })),
        ...removed.map(({ path, title, redirect }) => ({
            ...NOTHING,
            kind: 'removed',
            path,
            title,
            target: redirect,
        })),
    ];
    return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
function toEntry(page) {
    const { path, title, wordsAdded, wordsRemoved = 0, headings, excerpts = [] } = page;
    return {
        kind: 'changed',
        path,
        title,
        words: wordsAdded === undefined ? undefined : { added: wordsAdded, removed: wordsRemoved },
        headings: [
            ...(headings?.added ?? []).map((text) => ({ text, isNew: true })),
            ...(headings?.removed ?? []).map((text) => ({ text, isNew: false })),
        ],
        excerpts,
    };
}
/** The sections of the comparison that have an entry, by name. */
function sectionsOf(entries, { sections }) {
    const pages = new Map(sections.map(({ section, pages: count }) => [section, count]));
    const found = new Map();
    for (const entry of entries) {
        const name = sectionOf(entry, pages);
        const own = found.get(name);
        if (own === undefined)
            found.set(name, [entry]);
        else
            own.push(entry);
    }
    return [...found]
        .map(([name, own]) => ({ name, pages: pages.get(name) ?? 0, entries: own }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}
/** The nearest folder above the page that is a section; a page that moved belongs to where it is now. */
function sectionOf({ kind, path, target }, sections) {
    const parts = (kind === 'moved' ? (target ?? path) : path).split('/').slice(1, -1);
    for (let depth = parts.length; depth > 0; depth -= 1) {
        const name = `/${parts.slice(0, depth).join('/')}`;
        if (sections.has(name))
            return name;
    }
    return '/';
}

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/publish/changes/page/html.js

/** Markup that was made by `html`: what is put into it was escaped. */
class Html {
    markup;
    constructor(markup) {
        this.markup = markup;
    }
}
/** A template whose values are text, unless they are markup of this very function. `undefined` is nothing. */
function html(texts, ...parts) {
    return new Html(texts.map((text, index) => text + toMarkup(parts[index])).join(''));
}
function toMarkup(part) {
    if (part === undefined)
        return '';
    if (part instanceof Html)
        return part.markup;
    return typeof part === 'object' ? part.map(({ markup }) => markup).join('') : escapeHtml(String(part));
}
const ENTITIES = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};
// Characters without ink could make an address look like another one.
function escapeHtml(text) {
    return (0,text_escape/* stripInvisible */._0)(text).text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
/** One line of at most so many characters. */
function html_short(text, chars) {
    return (0,text_escape/* cut */.Jj)(text.replace(/\s+/g, ' ').trim(), { chars });
}
function join(parts, between) {
    return new Html(parts.map(({ markup }) => markup).join(escapeHtml(between)));
}

;// CONCATENATED MODULE: ./build/src/publish/changes/page/mark-words.js
// A table of this many cells takes some milliseconds; longer texts are marked from their first to their last difference.
const MAX_CELLS = 250_000;
/** Two versions of a text, each in pieces, with the words marked that the other one does not have. */
function markWords(before, after) {
    const from = wordsOf(before);
    const to = wordsOf(after);
    const head = commonStart(from, to);
    const tail = commonStart(from.slice(head).reverse(), to.slice(head).reverse());
    const left = from.slice(head, from.length - tail);
    const right = to.slice(head, to.length - tail);
    const kept = left.length * right.length > MAX_CELLS ? mark_words_NOTHING : commonWords(left, right);
    return {
        before: pieces(from, (index) => index < head || index >= from.length - tail || kept.left.has(index - head)),
        after: pieces(to, (index) => index < head || index >= to.length - tail || kept.right.has(index - head)),
    };
}
function wordsOf(text) {
    return text.match(/\S+/g) ?? [];
}
function commonStart(from, to) {
    const most = Math.min(from.length, to.length);
    let count = 0;
    while (count < most && from[count] === to[count])
        count += 1;
    return count;
}
const mark_words_NOTHING = { left: new Set(), right: new Set() };
/** The destinations of a longest common subsequence. */
function commonWords(left, right) {
    const width = right.length + 1;
    const longest = new Uint16Array((left.length + 1) * width);
    for (let row = left.length - 1; row >= 0; row -= 1) {
        for (let column = right.length - 1; column >= 0; column -= 1) {
            const at = row * width + column;
            longest[at] =
                left[row] === right[column]
                    ? (longest[at + width + 1] ?? 0) + 1
                    : Math.max(longest[at + width] ?? 0, longest[at + 1] ?? 0);
        }
    }
    const kept = { left: new Set(), right: new Set() };
    for (let row = 0, column = 0; row < left.length && column < right.length;) {
        const at = row * width + column;
        if (left[row] === right[column]) {
            kept.left.add(row++);
            kept.right.add(column++);
        }
        else if ((longest[at + width] ?? 0) >= (longest[at + 1] ?? 0))
            row += 1;
        else
            column += 1;
    }
    return kept;
}
function pieces(words, isKept) {
    const found = [];
    for (const [index, word] of words.entries()) {
        const changed = !isKept(index);
        const last = found.at(-1);
        if (last?.changed === changed)
            last.text += ` ${word}`;
        else
            found.push({ text: word, changed });
    }
    return found;
}

;// CONCATENATED MODULE: ./build/src/publish/changes/page/rows.js



const KIND_NAMES = {
    added: 'Added',
    changed: 'Changed',
    moved: 'Moved',
    removed: 'Removed',
};
const MAX_PATH = 300;
const MAX_TITLE = 200;
const MAX_EXCERPT = 1200;
const MAX_LINKS = 5;
/** One entry of the list, without what can be unfolded below it. */
function plainRow(entry, toUrl) {
    return html `<li data-kind="${entry.kind}"><div class="row">${line(entry, toUrl)}</div></li>`;
}
/** One entry with its excerpts; undefined where there is nothing to unfold. */
function unfoldingRow(entry, toUrl) {
    const { excerpts, headings } = entry;
    if (excerpts.length + headings.length === 0)
        return undefined;
    return html `<li data-kind="${entry.kind}"><details><summary class="row">${line(entry, () => undefined)}</summary>\
<div class="more">${openLink(entry, toUrl)}${headingList(headings)}${excerpts.map(excerpt)}</div></details></li>`;
}
function line(entry, toUrl) {
    const { kind, title, target, words } = entry;
    const name = title === '' ? undefined : html `<bdi class="title">${html_short(title, MAX_TITLE)}</bdi> `;
    return html `<span class="kind ${kind}">${KIND_NAMES[kind]}</span><span class="what">${name}${address(entry, toUrl)}\
${target === undefined ? undefined : html ` <span class="muted">→</span> ${path(target, toUrl)}`}</span>${words && wordCounts(words)}`;
}
function address({ kind, path: own }, toUrl) {
    return path(own, kind === 'added' || kind === 'changed' ? toUrl : () => undefined);
}
function path(text, toUrl) {
    const shown = html `<bdi class="path">${html_short(text, MAX_PATH)}</bdi>`;
    const url = toUrl(text);
    return url === undefined ? shown : html `<a href="${url}" rel="noreferrer">${shown}</a>`;
}
function openLink({ kind, path: own }, toUrl) {
    const url = kind === 'changed' ? toUrl(own) : undefined;
    return url === undefined ? undefined : html `<p><a href="${url}" rel="noreferrer">Open the published page</a></p>`;
}
function wordCounts({ added, removed }) {
    if (added + removed === 0)
        return html `<span class="words">structure only</span>`;
    const up = added === 0 ? undefined : html `<span class="up">+${added.toLocaleString('en-US')}</span> `;
    const down = removed === 0 ? undefined : html `<span class="down">−${removed.toLocaleString('en-US')}</span> `;
    return html `<span class="words">${up}${down}${added + removed === 1 ? 'word' : 'words'}</span>`;
}
function headingList(headings) {
    if (headings.length === 0)
        return undefined;
    const items = headings.map(({ text, isNew }) => {
        const shown = html_short(text, MAX_TITLE);
        return isNew ? html `<li><ins>${shown}</ins></li>` : html `<li><del>${shown}</del></li>`;
    });
    return html `<p class="label">Headings</p><ul class="heads">${items}</ul>`;
}
function excerpt({ before, after }) {
    const marked = markWords(html_short(before, MAX_EXCERPT), html_short(after, MAX_EXCERPT));
    return html `<div class="both"><div><p class="label">Before</p><p dir="auto">${rows_pieces(marked.before, 'del')}</p></div>\
<div><p class="label">After</p><p dir="auto">${rows_pieces(marked.after, 'ins')}</p></div></div>`;
}
function rows_pieces(found, tag) {
    if (found.length === 0)
        return html `<span class="muted">nothing</span>`;
    return join(found.map(({ text, changed }) => {
        if (!changed)
            return html `${text}`;
        return tag === 'ins' ? html `<ins>${text}</ins>` : html `<del>${text}</del>`;
    }), ' ');
}
/** An address that leads nowhere now, or to another one. */
function lostRow({ path: own, title, redirect, movedTo, links, linkedFrom }) {
    const target = redirect === undefined ? undefined : html ` <span class="muted">→</span> ${path(redirect, () => undefined)}`;
    const elsewhere = redirect !== undefined || movedTo === undefined
        ? undefined
        : html `<br><span class="muted">The page is at ${path(movedTo, () => undefined)} now, but there is no redirect to it.</span>`;
    const name = title === '' ? undefined : html ` <bdi>${html_short(title, MAX_TITLE)}</bdi>`;
    return html `<li>${path(own, () => undefined)}${target}${name}${elsewhere}${linksText(links, linkedFrom)}</li>`;
}
function linksText(links, linkedFrom) {
    if (links === 0)
        return undefined;
    const shown = linkedFrom.slice(0, MAX_LINKS).map((from) => path(from, () => undefined));
    const more = links > shown.length ? ` and ${(0,markdown/* countOf */.pq)(links - shown.length, 'more page')}` : undefined;
    return html `<br><span class="muted">Linked from ${join(shown, ', ')}${more}</span>`;
}

;// CONCATENATED MODULE: ./build/src/publish/changes/page/chart.js



const MAX_BARS = 40;
const WIDTH = 1000;
const MAX_NAME = 80;
function sectionName(name) {
    return name === '/' ? 'Top of the site' : html_short(name, MAX_NAME);
}
/** A table of the sections with most changes, a bar in each row. The bars say nothing that the numbers do not. */
function sectionChart(sections) {
    const counted = sections.map((section, index) => ({ section, index, counts: count(section.entries) }));
    const shown = counted.toSorted((a, b) => b.section.entries.length - a.section.entries.length).slice(0, MAX_BARS);
    const most = shown[0]?.section.entries.length ?? 1;
    const left = counted.length - shown.length;
    return html `<table><thead><tr><th scope="col">Section</th><th scope="col" class="num">Pages</th>\
${KINDS.map((kind) => html `<th scope="col" class="num">${KIND_NAMES[kind]}</th>`)}<td class="bar"></td></tr></thead><tbody>
${shown.map((row) => sectionRow(row, most))}</tbody></table>\
${left > 0 ? html `<p class="muted">and ${left} more, none with more changes</p>` : undefined}`;
}
function sectionRow({ section: { name, pages }, index, counts }, most) {
    const link = html `<a href="#s${index}" data-section="${index}"><bdi>${sectionName(name)}</bdi></a>`;
    return html `<tr><th scope="row">${link}</th>${numberCell(pages)}${KINDS.map((kind) => numberCell(counts[kind]))}\
<td class="bar">${bar(counts, most)}</td></tr>
`;
}
function count(entries) {
    const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
    for (const { kind } of entries)
        counts[kind] += 1;
    return counts;
}
function numberCell(value) {
    return html `<td class="num${value === 0 ? ' zero' : ''}">${value.toLocaleString('en-US')}</td>`;
}
// Attributes alone: the page's policy allows no style in an element.
function bar(counts, most) {
    let x = 0;
    const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
        const width = (counts[kind] / most) * WIDTH;
        const part = html `<rect class="${kind}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="14"/>`;
        x += width;
        return part;
    });
    return html `<svg class="bars" viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}

;// CONCATENATED MODULE: ./build/src/publish/changes/page/script.js
/** In the head: what a reader chose is there before anything is painted. */
const EARLY_SCRIPT = `try{const t=localStorage.getItem('docs-courier-theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch{}`;
/** In the reader's browser: filters, keys and colours. It fetches nothing and writes no markup; without it everything is shown. */
const SCRIPT = `'use strict';
(() => {
  const root = document.documentElement;
  const theme = document.querySelector('[data-theme-switch]');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const nameTheme = () => { theme.textContent = isDark() ? 'Light colours' : 'Dark colours'; };
  theme.hidden = false;
  nameTheme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', nameTheme);
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    nameTheme();
    try { localStorage.setItem('docs-courier-theme', root.dataset.theme); } catch { /* not allowed here */ }
  });

  const tools = document.querySelector('[data-tools]');
  if (!tools) return;
  const field = tools.querySelector('input');
  const choice = tools.querySelector('select');
  const chips = [...tools.querySelectorAll('[data-chip]')];
  const shown = tools.querySelector('output');
  const unfold = tools.querySelector('[data-unfold]');
  const empty = document.querySelector('[data-empty]');
  const groups = [...document.querySelectorAll('[data-group]')].map((element) => ({
    element,
    count: element.querySelector('[data-count]'),
    rows: [...element.querySelectorAll('[data-kind]')].map((row) => ({ row, kind: row.dataset.kind, text: undefined })),
  }));
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const number = (value) => value.toLocaleString('en-US');
  const textOf = (entry) => (entry.text ??= entry.row.textContent.toLowerCase());

  function filter() {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const kinds = new Set(chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.dataset.chip));
    let left = 0;
    groups.forEach(({ element, count, rows }, index) => {
      const isChosen = choice.value === '' || choice.value === String(index);
      let own = 0;
      for (const entry of rows) {
        const fits = isChosen && (kinds.size === 0 || kinds.has(entry.kind)) && words.every((word) => textOf(entry).includes(word));
        if (entry.row.hidden === fits) entry.row.hidden = !fits;
        if (fits) own += 1;
      }
      element.hidden = own === 0;
      const text = number(own);
      if (count.textContent !== text) count.textContent = text;
      left += own;
    });
    shown.textContent = left === total ? number(total) + (total === 1 ? ' page' : ' pages') : number(left) + ' of ' + number(total) + ' pages';
    empty.hidden = left > 0;
  }

  let waiting;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); };
  field.addEventListener('input', soon);
  choice.addEventListener('change', filter);
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  for (const link of document.querySelectorAll('[data-section]')) {
    link.addEventListener('click', () => { choice.value = link.dataset.section; filter(); });
  }

  const visible = () => groups.flatMap(({ element, rows }) => (element.hidden ? [] : rows.filter(({ row }) => !row.hidden).map(({ row }) => row)));
  const MOST_AT_ONCE = 200;
  unfold?.addEventListener('click', () => {
    const foldable = visible().flatMap((row) => [...row.querySelectorAll('details')]).slice(0, MOST_AT_ONCE);
    const open = foldable.some((one) => !one.open);
    for (const one of foldable) one.open = open;
    unfold.textContent = open ? 'Hide excerpts' : 'Show excerpts';
  });

  const handleOf = (row) => {
    const handle = row.querySelector('summary') ?? row;
    if (handle === row) row.tabIndex = -1;
    return handle;
  };
  const goTo = (row) => {
    if (!row) return false;
    handleOf(row).focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const move = (from, step) => {
    const rows = visible();
    const at = rows.indexOf(from);
    if (step === 'first') return goTo(rows[0]);
    if (step === 'last') return goTo(rows.at(-1));
    return at + step < 0 ? (field.focus(), true) : goTo(rows[at + step]);
  };
  const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === 'Escape' && target === field) {
      field.value = '';
      filter();
    } else if (event.key === 'ArrowDown' && target === field) {
      if (move(undefined, 'first')) event.preventDefault();
    } else if (!isTyping && event.key in STEPS) {
      const row = target instanceof Element ? target.closest('[data-kind]') : null;
      if (row && move(row, STEPS[event.key])) event.preventDefault();
    }
  });

  tools.hidden = false;
  document.querySelector('[data-keys]').hidden = false;
  filter();
})();
`;

;// CONCATENATED MODULE: ./build/src/publish/changes/page/style.js
const LIGHT = `--bg:#fff;--panel:#f6f7f9;--line:#dfe3e8;--text:#25303d;--muted:#586575;--strong:#0f1720;--accent:#3b46c4;--soft:#eceefb;
--added:#146c3b;--added-bg:#e4f5ea;--changed:#7a4d00;--changed-bg:#fdf1d8;--moved:#3b46c4;--moved-bg:#eceefb;--removed:#ab1f2d;--removed-bg:#fdeaec;
--ins:#d3f2dd;--del:#fbdde0;--bar-added:#2f9e5f;--bar-changed:#d99411;--bar-moved:#6570e3;--bar-removed:#d64553;color-scheme:light;`;
const DARK = `--bg:#0e141b;--panel:#161d26;--line:#2a3441;--text:#cdd6e0;--muted:#93a1b1;--strong:#f2f5f8;--accent:#a9b2ff;--soft:#20264a;
--added:#7fdba3;--added-bg:#12301f;--changed:#f0c36d;--changed-bg:#35280d;--moved:#b3baff;--moved-bg:#20264a;--removed:#ff9ea6;--removed-bg:#3d171c;
--ins:#1d4a30;--del:#5a232a;--bar-added:#3fae70;--bar-changed:#d9a133;--bar-moved:#7f89ee;--bar-removed:#e0606c;color-scheme:dark;`;
/** Everything that the page looks like. It loads no font and no picture. */
const STYLE = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;scroll-padding-top:72px}
body{margin:0 auto;max-width:1080px;padding:40px 28px 96px;background:var(--bg);color:var(--text);font:15.5px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:5px}
h1,h2,h3{color:var(--strong);line-height:1.25;letter-spacing:-.012em;margin:0}
h1{font-size:2rem;font-weight:700}
h2{font-size:1.22rem;font-weight:660;margin:52px 0 14px}
h3{font-size:.95rem;font-weight:640;margin:26px 0 6px;display:flex;gap:8px;align-items:baseline}
h3 .n{font-weight:400;color:var(--muted)}
p{margin:.5em 0}
code,.path{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
bdi{unicode-bidi:isolate}
.muted{color:var(--muted)}
.skip{position:absolute;left:-9999px}.skip:focus{left:16px;top:12px;background:var(--bg);padding:8px 12px;z-index:9}

.head{display:flex;gap:20px;align-items:flex-start}
.head>div{flex:1;min-width:0}
.eyebrow{margin:0 0 4px;color:var(--muted);font-size:.86rem;font-weight:600}
.head .sub{margin:8px 0 0;color:var(--muted)}
button,select,input{font:inherit;color:var(--text)}
button{cursor:pointer}
.theme{flex:none;padding:6px 12px;border:1px solid var(--line);border-radius:8px;background:var(--panel);font-size:.86rem}

.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:12px;margin:30px 0 0;padding:0;list-style:none}
.tiles li{padding:14px 16px;border:1px solid var(--line);border-radius:12px;background:var(--panel)}
.tiles b{display:block;font-size:1.7rem;line-height:1.15;font-weight:680;color:var(--strong);font-variant-numeric:tabular-nums}
.tiles span{color:var(--muted);font-size:.88rem}
.tiles .added b{color:var(--added)}.tiles .changed b{color:var(--changed)}.tiles .moved b{color:var(--moved)}.tiles .removed b{color:var(--removed)}
.facts{margin:14px 0 0;color:var(--muted);font-size:.9rem}
.notes{margin:18px 0 0;padding:12px 16px;border:1px solid var(--line);border-left:4px solid var(--bar-changed);border-radius:8px;list-style:none}
.notes li+li{margin-top:4px}

.panel{margin:36px 0 0;padding:18px 22px;border:1px solid var(--line);border-radius:12px}
.panel h2{margin:0 0 4px}
.panel.lost{border-color:var(--bar-removed);background:var(--removed-bg)}
.panel.lost h2{color:var(--removed)}
.panel.lost .muted{color:var(--text)}
.panel.fine h2{color:var(--added)}
.panel ul{margin:12px 0 0;padding:0;list-style:none}
.panel li{padding:7px 0;border-top:1px solid var(--line)}
.panel.lost li{border-color:color-mix(in srgb,var(--bar-removed) 30%,transparent)}
.panel details{margin-top:12px}

table{width:100%;border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px 7px 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:middle}
thead th{color:var(--muted);font-weight:560;font-size:.86rem;white-space:nowrap}
tbody th{font-weight:560;min-width:104px}
td.num,th.num{text-align:right}
td.bar{width:34%;padding-right:0}
.bars{display:block;width:100%;height:14px;border-radius:4px;overflow:hidden}
.bars .added{fill:var(--bar-added)}.bars .changed{fill:var(--bar-changed)}.bars .moved{fill:var(--bar-moved)}.bars .removed{fill:var(--bar-removed)}
.zero{color:var(--muted)}

.tools{position:sticky;top:0;z-index:5;display:flex;flex-wrap:wrap;gap:10px;align-items:center;padding:12px 0;background:var(--bg);border-bottom:1px solid var(--line)}
.tools input,.tools select{height:36px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
.tools input{flex:1 1 240px;min-width:0}
.tools select{max-width:220px}
.chips{display:flex;flex-wrap:wrap;gap:6px}
.chips button,.tools .plain{height:36px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:transparent;font-size:.88rem}
.chips button[aria-pressed=true]{border-color:currentColor;font-weight:620}
.chips .added[aria-pressed=true]{color:var(--added);background:var(--added-bg)}
.chips .changed[aria-pressed=true]{color:var(--changed);background:var(--changed-bg)}
.chips .moved[aria-pressed=true]{color:var(--moved);background:var(--moved-bg)}
.chips .removed[aria-pressed=true]{color:var(--removed);background:var(--removed-bg)}
.tools output{margin-left:auto;color:var(--muted);font-size:.88rem}
.keys{margin:10px 0 0;color:var(--muted);font-size:.86rem}
kbd{padding:1px 6px;border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;background:var(--panel);font:.86em ui-monospace,Menlo,Consolas,monospace;color:var(--text)}

.group{content-visibility:auto;contain-intrinsic-size:auto 600px}
.rows{margin:0;padding:0;list-style:none;border-top:1px solid var(--line)}
.rows>li{border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 48px}
.row{display:grid;grid-template-columns:92px minmax(0,1fr) auto 18px;gap:4px 14px;align-items:center;padding:9px 4px}
summary.row{cursor:pointer;list-style:none}
summary.row::-webkit-details-marker{display:none}
summary.row::after{content:"";justify-self:end;width:8px;height:8px;border:solid var(--muted);border-width:0 2px 2px 0;transform:rotate(45deg);grid-column:-2;grid-row:1}
details[open]>summary.row::after{transform:rotate(225deg)}
summary.row:hover{background:var(--panel)}
.what{min-width:0}
.what .title{color:var(--strong);font-weight:560;margin-right:10px}
.what .path{color:var(--muted)}
.kind{justify-self:start;white-space:nowrap;padding:1px 9px;border-radius:99px;font-size:.8rem;font-weight:600}
.kind.added{color:var(--added);background:var(--added-bg)}.kind.changed{color:var(--changed);background:var(--changed-bg)}
.kind.moved{color:var(--moved);background:var(--moved-bg)}.kind.removed{color:var(--removed);background:var(--removed-bg)}
.words{white-space:nowrap;font-size:.86rem;font-variant-numeric:tabular-nums;color:var(--muted)}
.words .up{color:var(--added)}.words .down{color:var(--removed)}
.more{padding:2px 4px 18px 110px}
.more .label{margin:12px 0 4px;font-size:.84rem;font-weight:600;color:var(--muted)}
.both{display:grid;grid-template-columns:1fr 1fr;gap:14px;margin-top:8px}
.both>div{padding:10px 14px;border:1px solid var(--line);border-radius:10px;background:var(--panel);min-width:0}
.both p{margin:0}.both .label{margin:0 0 4px}
del{background:var(--del);text-decoration-color:var(--removed);border-radius:3px;padding:0 2px}
ins{background:var(--ins);text-decoration-color:var(--added);border-radius:3px;padding:0 2px}
.heads{margin:0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:6px 10px}
.empty{padding:32px 0;color:var(--muted)}
footer{margin-top:56px;padding-top:18px;border-top:1px solid var(--line);color:var(--muted);font-size:.86rem}

@media (max-width:720px){body{padding:24px 16px 64px}h1{font-size:1.5rem}.row{grid-template-columns:minmax(0,1fr) 18px}.what{grid-column:1}.words{grid-column:1}.more{padding-left:4px}.both{grid-template-columns:1fr}.tools{position:static}.tools output{margin-left:0;width:100%}td.bar,th.bar{display:none}th,td{padding-right:8px}}
@media (prefers-contrast:more){:root{--muted:var(--text);--line:var(--text)}}
@media print{:root,:root[data-theme=dark]{${LIGHT}}body{max-width:none;padding:0;font-size:11pt}.theme,.tools,.keys,.skip{display:none!important}
.tiles li,.panel,.rows>li{break-inside:avoid}.group,.rows>li{content-visibility:visible}details::details-content{content-visibility:visible;display:block}summary.row::after{display:none}a{color:inherit}}
`;

;// CONCATENATED MODULE: ./build/src/publish/changes/page/page.js









const PAGE_LIMITS = { rows: 10 * 1024 ** 2, excerpts: 6 * 1024 ** 2 };
const MAX_LOST = 500;
/**
 * One HTML file that shows a comparison. It loads nothing, and nothing in it runs but its own script: all other text is
 * escaped, and its policy names the script by hash. Works from a `file:` address, and without scripts.
 */
function renderChangesPage(page, limits = PAGE_LIMITS) {
    const { changes, site, comparedAt } = page;
    const name = html_short(site ?? 'Documentation', 120);
    const entries = entriesOf(changes);
    const list = listOf(sectionsOf(entries, changes), (0,names/* pageUrls */.Ub)(page.siteUrl), limits);
    const body = html `<a class="skip" href="#pages">Skip to the pages</a>
<header class="head"><div><p class="eyebrow">What changed</p><h1><bdi>${name}</bdi></h1>
<p class="sub">Export <code>${html_short(changes.to.jobId, 128)}</code> with ${(0,markdown/* countOf */.pq)(changes.to.pages, 'page')}, compared with \
<code>${html_short(changes.from.jobId, 128)}</code> with ${(0,markdown/* countOf */.pq)(changes.from.pages, 'page')}</p></div>
<button class="theme" type="button" data-theme-switch hidden>Dark colours</button></header>
<main>
${tiles(entries, changes)}
${list.notes.length === 0 ? undefined : html `<ul class="notes">${list.notes.map((note) => html `<li>${note}</li>`)}</ul>`}
${lostSection(changes)}
${entries.length === 0 ? html `<p class="empty">Every page is the same in both exports.</p>` : pagesSection(list)}
</main>
<footer>Compared on ${(0,markdown/* formatInstant */.r4)(comparedAt)}. This file is complete: it loads nothing from anywhere.</footer>`;
    return documentOf(`${name}: what changed`, body);
}
function documentOf(title, body) {
    const policy = [
        "default-src 'none'",
        'img-src data:',
        `style-src ${hashOf(STYLE)}`,
        `script-src ${hashOf(EARLY_SCRIPT)} ${hashOf(SCRIPT)}`,
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].join('; ');
    return html `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<script>${new Html(EARLY_SCRIPT)}</script>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.markup;
}
function hashOf(text) {
    return `'sha256-${(0,external_node_crypto_.createHash)('sha256').update(text).digest('base64')}'`;
}
function tiles(entries, changes) {
    const count = (kind) => entries.filter((entry) => entry.kind === kind).length;
    const tile = (value, text, className) => html `<li class="${value === 0 ? '' : className}"><b>${value.toLocaleString('en-US')}</b><span>${text}</span></li>`;
    return html `<ul class="tiles">${KINDS.map((kind) => tile(count(kind), `${count(kind) === 1 ? 'page' : 'pages'} ${kind}`, kind))}\
${tile(changes.unchanged, 'unchanged', 'unchanged')}</ul>${factLines(changes)}`;
}
function factLines({ from, to, basis, assets }) {
    const { added, changed, removed } = assets;
    const grown = to.bytes - from.bytes;
    const size = grown === 0 ? '' : `, ${(0,markdown/* formatBytes */.z3)(Math.abs(grown))} ${grown > 0 ? 'more' : 'less'} than before`;
    const hashes = basis === 'content'
        ? undefined
        : html `<p class="facts">Only a manifest of the earlier export was there: every file that differs is a change, and there are no words and excerpts.</p>`;
    return html `<p class="facts">Other files: ${added} added, ${changed} changed, ${removed} removed. All files together: ${(0,markdown/* formatBytes */.z3)(to.bytes)}${size}.</p>${hashes}`;
}
/** What needs a person first: addresses that worked before and lead nowhere now. */
function lostSection({ from, lost: addresses }) {
    const lost = addresses.filter(({ redirect }) => redirect === undefined);
    const covered = addresses.filter(({ redirect }) => redirect !== undefined);
    const led = covered.length === 0
        ? undefined
        : html `<details><summary>${(0,markdown/* countOf */.pq)(covered.length, 'address', 'addresses')} with a redirect</summary>${lostList(covered)}</details>`;
    if (lost.length === 0) {
        return html `<section class="panel fine" aria-labelledby="lost"><h2 id="lost">No address was lost</h2>\
<p class="muted">${from.pages === 0 ? 'There was no page before.' : 'Every address that worked before works now, or has a redirect.'}</p>${led}</section>`;
    }
    return html `<section class="panel lost" aria-labelledby="lost"><h2 id="lost">${(0,markdown/* countOf */.pq)(lost.length, 'lost address', 'lost addresses')}</h2>\
<p class="muted">A page was there before. Now there is no page, and no redirect.</p>${lostList(lost)}${led}</section>`;
}
function lostList(addresses) {
    const shown = addresses.slice(0, MAX_LOST);
    const more = addresses.length - shown.length;
    return html `<ul>${shown.map(lostRow)}</ul>${more > 0 ? html `<p class="muted">and ${more.toLocaleString('en-US')} more, in the list of pages</p>` : undefined}`;
}
/** As many rows as fit, and as many of their excerpts. */
class RowBudget {
    #toUrl;
    #rows;
    #excerpts;
    missingRows = 0;
    missingExcerpts = 0;
    constructor({ rows, excerpts }, toUrl) {
        this.#toUrl = toUrl;
        this.#rows = rows;
        this.#excerpts = excerpts;
    }
    row(entry) {
        const plain = plainRow(entry, this.#toUrl);
        if (plain.markup.length > this.#rows) {
            this.missingRows += 1;
            this.#rows = 0;
            return undefined;
        }
        this.#rows -= plain.markup.length;
        return this.#unfolding(entry, plain.markup.length) ?? plain;
    }
    // Once one did not fit, the rest is not tried: marking words takes time.
    #unfolding(entry, plainChars) {
        if (entry.excerpts.length + entry.headings.length === 0)
            return undefined;
        const row = this.#excerpts > 0 ? unfoldingRow(entry, this.#toUrl) : undefined;
        this.#excerpts = Math.max(0, this.#excerpts - ((row?.markup.length ?? 0) - plainChars));
        if (row !== undefined && this.#excerpts > 0)
            return row;
        this.missingExcerpts += 1;
        return undefined;
    }
}
function listOf(sections, toUrl, limits) {
    const budget = new RowBudget(limits, toUrl);
    const filled = sections
        .map((section) => ({ section, rows: section.entries.flatMap((entry) => budget.row(entry) ?? []) }))
        .filter(({ rows }) => rows.length > 0);
    return {
        sections: filled.map(({ section }) => section),
        groups: filled.map(({ section, rows }, index) => group(section.name, index, rows)),
        notes: notesOf(budget, (0,markdown/* formatBytes */.z3)(limits.rows + limits.excerpts)),
    };
}
function notesOf({ missingRows, missingExcerpts }, size) {
    const notes = [
        missingRows > 0 &&
            `${(0,markdown/* countOf */.pq)(missingRows, 'page')} of the list ${missingRows === 1 ? 'is' : 'are'} left out, so that this file stays below ${size}. The file at changes-path names all of them.`,
        missingExcerpts > 0 &&
            `The excerpts of ${(0,markdown/* countOf */.pq)(missingExcerpts, 'page')} are left out, so that this file stays below ${size}. The file at changes-path has all of them.`,
    ];
    return notes.filter((note) => note !== false);
}
function group(name, index, rows) {
    return html `<section class="group" id="s${index}" data-group><h3><bdi>${sectionName(name)}</bdi> \
<span class="n" data-count>${rows.length.toLocaleString('en-US')}</span></h3><ol class="rows">
${rows.map((row) => html `${row}
`)}</ol></section>
`;
}
function pagesSection({ sections, groups }) {
    return html `<section aria-labelledby="sections"><h2 id="sections">By section</h2>${sectionChart(sections)}</section>
<section aria-labelledby="pages"><h2 id="pages">Pages</h2>
<div class="tools" role="search" data-tools hidden>
<input type="search" placeholder="Filter by address, title or text" aria-label="Filter the pages" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<select aria-label="Section"><option value="">All sections</option>${sections.map(({ name }, index) => html `<option value="${index}">${sectionName(name)}</option>`)}</select>
<div class="chips" role="group" aria-label="Kind of change">${KINDS.map((kind) => html `<button type="button" class="${kind}" data-chip="${kind}" aria-pressed="false">${KIND_NAMES[kind]}</button>`)}</div>
<button type="button" class="plain" data-unfold>Show excerpts</button>
<output aria-live="polite"></output>
</div>
<p class="keys" data-keys hidden><kbd>/</kbd> filter, <kbd>↓</kbd> <kbd>↑</kbd> from page to page, <kbd>Enter</kbd> shows its excerpts, <kbd>Esc</kbd> clears the filter</p>
${groups}<p class="empty" data-empty hidden>No page fits the filter.</p></section>`;
}


/***/ })

};
