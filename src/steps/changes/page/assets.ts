const LIGHT = `--bg:#fff;--panel:#f6f7f9;--line:#dfe3e8;--text:#25303d;--muted:#586575;--strong:#0f1720;--accent:#3b46c4;--soft:#eceefb;
--added:#146c3b;--added-bg:#e4f5ea;--changed:#7a4d00;--changed-bg:#fdf1d8;--moved:#3b46c4;--moved-bg:#eceefb;--removed:#ab1f2d;--removed-bg:#fdeaec;
--ins:#d3f2dd;--del:#fbdde0;--bar-added:#2f9e5f;--bar-changed:#d99411;--bar-moved:#6570e3;--bar-removed:#d64553;color-scheme:light;`;
const DARK = `--bg:#0e141b;--panel:#161d26;--line:#2a3441;--text:#cdd6e0;--muted:#93a1b1;--strong:#f2f5f8;--accent:#a9b2ff;--soft:#20264a;
--added:#7fdba3;--added-bg:#12301f;--changed:#f0c36d;--changed-bg:#35280d;--moved:#b3baff;--moved-bg:#20264a;--removed:#ff9ea6;--removed-bg:#3d171c;
--ins:#1d4a30;--del:#5a232a;--bar-added:#3fae70;--bar-changed:#d9a133;--bar-moved:#7f89ee;--bar-removed:#e0606c;color-scheme:dark;`;

/** Everything that the page looks like. It loads no font and no picture. */
export const STYLE = `:root{${LIGHT}}
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
.exports{margin:10px 0 0;color:var(--muted)}.exports>div{display:flex;gap:10px}.exports dt{flex:none;width:64px;font-weight:600;white-space:nowrap}.exports dd{margin:0;min-width:0}
.ids{margin:6px 0 0;color:var(--muted);font-size:.86rem}
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

@media (max-width:720px){body{padding:24px 16px 64px}h1{font-size:1.5rem}.head{display:block}.theme{margin-top:14px}.row{grid-template-columns:minmax(0,1fr) 18px}.what{grid-column:1}.words{grid-column:1}.more{padding-left:4px}.both{grid-template-columns:1fr}.tools{position:static}.tools output{margin-left:0;width:100%}td.bar,th.bar{display:none}th,td{padding-right:8px}}
@media (max-width:480px){table{font-size:.84rem}thead th{font-size:.7rem}th,td{padding-right:5px}th:last-child,td:last-child,.num:nth-last-child(2){padding-right:0}tbody th{min-width:64px}}
@media (prefers-contrast:more){:root{--muted:var(--text);--line:var(--text)}}
@media print{:root,:root[data-theme=dark]{${LIGHT}}body{max-width:none;padding:0;font-size:11pt}.theme,.tools,.keys,.skip{display:none!important}
.tiles li,.panel,.rows>li{break-inside:avoid}.group,.rows>li{content-visibility:visible}details::details-content{content-visibility:visible;display:block}summary.row::after{display:none}a{color:inherit}}
`;

/** In the head: what a reader chose is there before anything is painted. */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('docs-courier-theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch{}`;

/**
 * In the reader's browser: filters, keys and colours. It fetches nothing and writes no markup;
 * without it everything is shown.
 */
export const SCRIPT = `'use strict';
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

  const goTo = (row) => {
    if (!row) return false;
    const handle = row.querySelector('summary') ?? row;
    if (handle.tabIndex < 0) handle.tabIndex = -1;
    handle.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const STEPS = {
    ArrowDown: (rows, at) => rows[at + 1],
    ArrowUp: (rows, at) => (at === 0 ? field : rows[at - 1]),
    Home: (rows) => rows[0],
    End: (rows) => rows.at(-1),
  };

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
      if (goTo(visible()[0])) event.preventDefault();
    } else if (!isTyping && event.key in STEPS) {
      const row = target instanceof Element ? target.closest('[data-kind]') : null;
      const rows = visible();
      if (row && goTo(STEPS[event.key](rows, rows.indexOf(row)))) event.preventDefault();
    }
  });

  tools.hidden = false;
  document.querySelector('[data-keys]').hidden = false;
  filter();
})();
`;
