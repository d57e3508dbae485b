export const id=`steps.changes.page.page`;export const ids=[`steps.changes.page.page`];export const modules={5458:((e,t,n)=>{n.d(t,{Dc:()=>compareExports,Y$:()=>LostLinks,f2:()=>byPath});var r=n(2339),i=n(3660),a=n(4770),o=n(3342),s=n(2568),c=n(4707),l=n(7311);async function compareExports(e){let{from:t,to:n,same:r=new Set,addresses:i=n.pages.keys()}=e,{links:a=new LostLinks([])}=e,o=pagesOnlyIn(t,n),s=pagesOnlyIn(n,t),c=[];for(let e of n.pages.values()){let n=t.pages.get(e.path);n!==void 0&&n.fingerprint!==e.fingerprint&&c.push(nameOf(e))}let l=r.size+n.pages.size-s.length-c.length,u=findRedirects(o,n,r),d=await findMoves(o,s,u,e.signal),f=new Map,p=[];for(let{from:e,to:t,similarity:n}of d){f.set(e.path,t.path);let{path:r,title:i}=t;p.push({from:e.path,to:r,title:i,similarity:n}),e.fingerprint!==t.fingerprint&&c.push({path:r,title:i,movedFrom:e.path})}let m=new Set(f.values()),h=o.map(e=>({...nameOf(e),redirect:u.get(e.path),movedTo:f.get(e.path)})),g={added:s.filter(e=>!m.has(e.path)).map(nameOf),removed:h.filter(e=>!f.has(e.path)),moved:p.sort((e,t)=>compareText(e.from,t.from)),changed:c.sort(byPath)};return{version:1,...g,unchanged:l,assets:compareAssets(t.assets,n.assets),lost:h.map(e=>({...e,...a.linksTo(e.path)})),sections:findSections([...i],g)}}function pagesOnlyIn(e,t){return[...e.pages.values()].filter(e=>!t.pages.has(e.path)).sort(byPath)}function findRedirects(e,t,n){let r=new Map,a=t.redirects;if(a===void 0)return r;let o=new Set(t.assets.map(e=>`/${e.path}`)),isThere=e=>[t.pages,n,o].some(t=>t.has(addressOf(e)));for(let t of e){let e=(0,i.FE)(t.path,e=>a(addressOf(e)),isThere);e!==void 0&&r.set(t.path,addressOf(e))}return r}function addressOf(e){return(0,i._K)(e)?e:(0,r.Fu)(e.replace(/^\/|\/$/g,``))}async function findMoves(e,t,n,r){let i=[],a=new Map(t.map(e=>[e.path,e])),o=new Set(e.filter(e=>!n.has(e.path))),pair=(e,t,n)=>{if(t===void 0)return;let r=a.get(t);r!==void 0&&(i.push({from:e,to:r,similarity:n}),a.delete(r.path),o.delete(e))};for(let t of e)pair(t,n.get(t.path));let s=uniquePages(a.values());for(let[e,t]of uniquePages(o))pair(t,s.get(e)?.path);let c=await(0,l.pn)([...o],[...a.values()],r);for(let{from:e,to:t,similarity:n}of c)o.has(e)&&pair(e,t.path,n);return i}function uniquePages(e){let t=new Map,n=new Set;for(let r of e)t.has(r.fingerprint)&&n.add(r.fingerprint),t.set(r.fingerprint,r);for(let e of n)t.delete(e);return t}function compareAssets(e,t){let n=stableNames((0,c.re)(t,e,({content:e})=>e),t),r=stableNames((0,c.re)(e,t,({content:e})=>e),e),i=(0,c.re)(n,r).length,a=n.length-i;return{added:i,removed:r.length-a,changed:a}}function stableNames(e,t){if(e.length===0)return[];let n=new a.X(t.map(({path:e})=>e));return e.map(({path:e})=>n.stable(e))}function nameOf(e){return{path:e.path,title:e.title}}function byPath(e,t){return compareText(e.path,t.path)}function compareText(e,t){return e===t?0:e<t?-1:1}class LostLinks{#e=new Map;#t=new Map;constructor(e){for(let[t,n]of e){let e=t.slice(1);for(let r of[e,`${e}/`,`${e}.html`,`${e}/index.html`,n.path])this.#e.set(r.normalize(`NFC`),t)}}add(e,t,n){let r=this.#e.get(n.normalize(`NFC`));if(r===void 0)return;let i=(0,o.OK)(e,t),a=this.#t.get(r)??{pages:0,last:``,first:[]};this.#t.set(r,a),a.last!==i&&(a.last=i,a.pages+=1,a.first.length<20&&a.first.push(i))}linksTo(e){let t=this.#t.get(e);return{links:t?.pages??0,linkedFrom:t?.first.toSorted()??[]}}}function findSections(e,t){let n=commonDepth([...e,...t.removed.map(e=>e.path)]),r={pages:0,added:0,removed:0,moved:0,changed:0},i=new Map,count=(e,t)=>{let a=sectionOf(t,n),o=i.get(a)??{...r};o[e]+=1,i.set(a,o)};for(let t of e)count(`pages`,t);for(let e of t.added)count(`added`,e.path);for(let e of t.removed)count(`removed`,e.path);for(let e of t.moved)count(`moved`,e.to);for(let e of t.changed)count(`changed`,e.path);return Array.from(i,([e,t])=>({section:e,...t})).sort((e,t)=>(0,s.N0)(t)-(0,s.N0)(e)||compareText(e.section,t.section))}function commonDepth(e){let t=e.filter(e=>e!==`/`),[n=`/`]=t,r=`/`,i=0;for(let e of n.split(`/`).slice(1,-1)){if(r+=`${e}/`,!t.every(e=>e.startsWith(r)))break;i+=1}return i}function sectionOf(e,t){let n=0;for(let r=0;r<=t;r+=1){let t=e.indexOf(`/`,n+1);if(t<0)break;n=t}return e.slice(0,n)||`/`}}),7311:((e,t,n)=>{n.d(t,{M2:()=>a,Mn:()=>sketchOf,pn:()=>similarPairs});var r=n(7514),i=n(7188);let a=500,o=/[\p{L}\p{N}]+/gu;function sketchOf(e){let t=e.join(` `).match(o)??[],n=new Set;for(let e=0;e+3<=t.length;e+=1)n.add(mixed((0,r.XN)(t.slice(e,e+3).join(` `))));return Uint32Array.from(n).sort().slice(0,256)}function mixed(e){let t=Math.imul(e^e>>>16,2246822507);return Math.imul(t^t>>>13,3266489909)>>>0}function similarityOf(e,t){let n=0,r=0,i=0,a=0;for(;i<256&&(n<e.length||r<t.length);){let o=e[n]??1/0,s=t[r]??1/0;o===s&&(a+=1),o<=s&&(n+=1),s<=o&&(r+=1),i+=1}return Math.round(a/i*100)/100}async function similarPairs(e,t,n){let r=[],a=t.flatMap(withSketch);return await(0,i.g)(e.flatMap(withSketch),n,([e,t])=>{for(let[n,i]of a){let a=similarityOf(t,i);a>=.5&&r.push({from:e,to:n,similarity:a})}}),r.sort((e,t)=>t.similarity-e.similarity)}function withSketch(e){let{sketch:t}=e;return t===void 0||t.length<20?[]:[[e,t]]}}),414:((e,t,n)=>{n.d(t,{renderChangesPage:()=>renderChangesPage});var r=n(7598),i=n(9680),a=n(1317),o=n(2568);let s=`--bg:#fff;--panel:#f6f7f9;--line:#dfe3e8;--text:#25303d;--muted:#586575;--strong:#0f1720;--accent:#3b46c4;--soft:#eceefb;
--added:#146c3b;--added-bg:#e4f5ea;--changed:#7a4d00;--changed-bg:#fdf1d8;--moved:#3b46c4;--moved-bg:#eceefb;--removed:#ab1f2d;--removed-bg:#fdeaec;
--ins:#d3f2dd;--del:#fbdde0;--bar-added:#2f9e5f;--bar-changed:#d99411;--bar-moved:#6570e3;--bar-removed:#d64553;color-scheme:light;`,c=`--bg:#0e141b;--panel:#161d26;--line:#2a3441;--text:#cdd6e0;--muted:#93a1b1;--strong:#f2f5f8;--accent:#a9b2ff;--soft:#20264a;
--added:#7fdba3;--added-bg:#12301f;--changed:#f0c36d;--changed-bg:#35280d;--moved:#b3baff;--moved-bg:#20264a;--removed:#ff9ea6;--removed-bg:#3d171c;
--ins:#1d4a30;--del:#5a232a;--bar-added:#3fae70;--bar-changed:#d9a133;--bar-moved:#7f89ee;--bar-removed:#e0606c;color-scheme:dark;`,l=`:root{${s}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${c}}}
:root[data-theme=dark]{${c}}
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
@media print{:root,:root[data-theme=dark]{${s}}body{max-width:none;padding:0;font-size:11pt}.theme,.tools,.keys,.skip{display:none!important}
.tiles li,.panel,.rows>li{break-inside:avoid}.group,.rows>li{content-visibility:visible}details::details-content{content-visibility:visible;display:block}summary.row::after{display:none}a{color:inherit}}
`,u=`try{const t=localStorage.getItem('docs-courier-theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch{}`,d=`'use strict';
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
`;var f=n(8354),p=n(5458);let m=[`added`,`changed`,`moved`,`removed`],h={headings:[],excerpts:[]};function changeRowsOf(e){let t=[];for(let{path:n,title:r}of e.added)t.push({...h,kind:`added`,path:n,title:r});for(let n of e.changed)t.push(changedRow(n));for(let{from:n,to:r,title:i,similarity:a}of e.moved){let e;a!==void 0&&(e=`and changed: ${Math.round(a*100)} % of the text is the same`),t.push({...h,kind:`moved`,path:n,title:i,target:r,note:e})}for(let{path:n,title:r,redirect:i}of e.removed)t.push({...h,kind:`removed`,path:n,title:r,target:i});return t.sort(p.f2)}function changedRow(e){let{path:t,title:n,movedFrom:r,wordsAdded:i,wordsRemoved:a=0}=e,{added:o=[],removed:s=[]}=e.headings??{};return{kind:`changed`,path:t,title:n,note:r&&`was at ${r}`,words:i===void 0?void 0:{added:i,removed:a},headings:[...o.map(e=>({text:e,isNew:!0})),...s.map(e=>({text:e,isNew:!1}))],excerpts:e.excerpts??[]}}function sectionsOf(e,t){let n=new Map(t.sections.map(e=>[e.section,e.pages]));return[...(0,a.$z)(e,e=>sectionOf(e,n))].map(([e,t])=>({name:e,pages:n.get(e)??0,entries:t})).sort((e,t)=>e.name<t.name?-1:1)}function sectionOf(e,t){let n=e.path;e.kind===`moved`&&e.target!==void 0&&(n=e.target);let r=n.split(`/`).slice(1,-1);for(let e=r.length;e>0;--e){let n=`/${r.slice(0,e).join(`/`)}`;if(t.has(n))return n}return`/`}function kindName(e){return e.charAt(0).toUpperCase()+e.slice(1)}let g=1200,toNowhere=()=>void 0;function plainRow(e,t){return html`<li data-kind="${e.kind}"><div class="row">${rowText(e,t)}</div></li>`}function unfoldingRow(e,t){let n=t(e.path),r=n&&html`<p><a href="${n}" rel="noreferrer">Open the published page</a></p>`,i=e.headings.map(e=>html`<li>${(e.isNew?inserted:deleted)(rows_short(e.text,200))}</li>`),a=html`<p class="label">Headings</p><ul class="heads">${i}</ul>`;return html`<li data-kind="${e.kind}"><details><summary class="row">${rowText(e,toNowhere)}</summary>\
<div class="more">${r}${i.length>0&&a}${e.excerpts.map(excerpt)}</div></details></li>`}function rowText(e,t){let{kind:n,title:r,target:i,note:a,words:o}=e,s=r&&html`<bdi class="title">${rows_short(r,200)}</bdi> `,c=n===`added`||n===`changed`;return html`<span class="kind ${n}">${kindName(n)}</span><span class="what">${s}${path(e.path,c?t:toNowhere)}\
${i&&html` <span class="muted">→</span> ${path(i,t)}`}\
${a&&html` <bdi class="muted">${rows_short(a,300)}</bdi>`}</span>${o&&wordCounts(o)}`}function path(e,t){let n=html`<bdi class="path">${rows_short(e,300)}</bdi>`,r=t(e);return r===void 0?n:html`<a href="${r}" rel="noreferrer">${n}</a>`}function wordCounts({added:e,removed:t}){if(e+t===0)return html`<span class="words">structure only</span>`;let n=html`<span class="up">+${number(e)}</span> `,r=html`<span class="down">−${number(t)}</span> `,i=e+t===1?`word`:`words`;return html`<span class="words">${e>0&&n}${t>0&&r}${i}</span>`}function inserted(e){return html`<ins>${e}</ins>`}function deleted(e){return html`<del>${e}</del>`}function excerpt({before:e,after:t}){let n=markWords(rows_short(e,g),rows_short(t,g));return html`<div class="both"><div><p class="label">Before</p><p dir="auto">${pieces(n.before,deleted)}</p></div>\
<div><p class="label">After</p><p dir="auto">${pieces(n.after,inserted)}</p></div></div>`}function pieces(e,t){return e.length===0?html`<span class="muted">nothing</span>`:join(e.map(({text:e,changed:n})=>n?t(e):html`${e}`),` `)}function cutList(e,t,n=``){let r=e.length-500;return html`<ul>${e.slice(0,500).map(t)}</ul>${r>0&&html`<p class="muted">and ${number(r)} more${n}</p>`}`}function lostRow(e){let{title:t,redirect:n,movedTo:r}=e,i=n&&html` <span class="muted">→</span> ${path(n,toNowhere)}`,a=n===void 0&&r!==void 0&&html`<br><span class="muted">The page is at ${path(r,toNowhere)} now, but there is no redirect to it.</span>`,o=t&&html` <bdi>${rows_short(t,200)}</bdi>`;return html`<li>${path(e.path,toNowhere)}${i}${o}${a}${linksText(e)}</li>`}function brokenRow({target:e,pages:t}){return html`<li>${path(e,toNowhere)}${linksText({links:t.length,linkedFrom:t})}</li>`}function linksText({links:e,linkedFrom:t}){if(e===0)return;let n=t.slice(0,5).map(e=>path(e,toNowhere)),r=e-n.length,a=r>0&&` and ${(0,i.pq)(r,`more page`)}`;return html`<br><span class="muted">Linked from ${join(n,`, `)}${a}</span>`}function markWords(e,t){let[n,r]=[e.match(/\S+/g)??[],t.match(/\S+/g)??[]],i=countCommon(n,r),a={before:new Set,after:new Set},[o,s]=[0,0];for(;o<n.length&&s<r.length;)n[o]===r[s]?(a.before.add(o),a.after.add(s),o+=1,s+=1):i(o+1,s)>=i(o,s+1)?o+=1:s+=1;return{before:piecesOf(n,a.before),after:piecesOf(r,a.after)}}function countCommon(e,t){let n=t.length+1,r=new Uint16Array((e.length+1)*n),commonFrom=(e,t)=>r[e*n+t]??0;for(let i=e.length-1;i>=0;--i)for(let a=t.length-1;a>=0;--a){let o=Math.max(commonFrom(i+1,a),commonFrom(i,a+1));e[i]===t[a]&&(o=commonFrom(i+1,a+1)+1),r[i*n+a]=o}return commonFrom}function piecesOf(e,t){let n=[];for(let[r,i]of e.entries()){let e=!t.has(r),a=n.at(-1);a?.changed===e?a.text+=` ${i}`:n.push({text:i,changed:e})}return n}class Html{markup;constructor(e){this.markup=e}}function html(e,...t){return new Html(e.map((e,n)=>e+toMarkup(t[n])).join(``))}function toMarkup(e){return e===void 0||e===!1?``:e instanceof Html?e.markup:typeof e==`object`?e.map(e=>e.markup).join(``):escapeShown(String(e))}function escapeShown(e){return(0,f.My)((0,f._0)(e).text)}function rows_short(e,t){return(0,f.Jj)(e.replace(/\s+/g,` `).trim(),{chars:t})}function join(e,t){return new Html(e.map(e=>e.markup).join(escapeShown(t)))}function number(e){return e.toLocaleString(`en-US`)}let _={rows:10*1024**2,excerpts:6*1024**2};function renderChangesPage(e,t=_){let{changes:n,comparedAt:r,to:o={},from:s={}}=e,c=rows_short(e.site??`Documentation`,120),l=changeRowsOf(n),u=listOf(sectionsOf(l,n),(0,a.Ub)(e.siteUrl),t),d=html`<a class="skip" href="#pages">Skip to the pages</a>
<header class="head"><div><p class="eyebrow">What changed</p><h1><bdi>${c}</bdi></h1>
<dl class="exports">${exportLine(`Now`,n.to,o)}${exportLine(`Before`,n.from,s)}</dl>
${jobIds(n)}</div>
<button class="theme" type="button" data-theme-switch hidden>Dark colours</button></header>
<main>
${tiles(l,n)}${factLines(n)}
${u.notes.length>0&&html`<ul class="notes">${u.notes.map(e=>html`<li>${e}</li>`)}</ul>`}
${lostSection(n)}${brokenSection(n.newlyBroken??[])}
${l.length===0?html`<p class="empty">Every page is the same in both exports.</p>`:pagesSection(u)}
</main>
<footer>Compared on ${(0,i.r4)(r)}. This file is self-contained: it loads nothing.</footer>`;return documentOf(`${c}: what changed`,d)}function jobIds({from:e,to:t}){return e.jobId!==void 0&&html`<details class="ids"><summary>Export jobs</summary>Now <code>${rows_short(t.jobId,128)}</code>, before \
<code>${rows_short(e.jobId,128)}</code></details>`}function exportLine(e,{pages:t},{when:n,commit:r}){let a=[];return r!==void 0&&a.push(html`commit <code>${r.slice(0,12)}</code>`),n!==void 0&&a.push(html`${n}`),a.push(html`${(0,i.pq)(t,`page`)}`),html`<div><dt>${e}</dt><dd>${join(a,`, `)}</dd></div>`}function documentOf(e,t){let n=[`default-src 'none'`,`img-src data:`,`style-src ${hashOf(l)}`,`script-src ${hashOf(u)} ${hashOf(d)}`,`base-uri 'none'`,`form-action 'none'`,`require-trusted-types-for 'script'`,`trusted-types 'none'`].join(`; `);return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(n)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${e}</title>
<link rel="icon" href="data:,">
<script>${new Html(u)}<\/script>
<style>${new Html(l)}</style>
</head>
<body>
${t}
<script>${new Html(d)}<\/script>
</body>
</html>
`.markup}function hashOf(e){return`'sha256-${(0,r.createHash)(`sha256`).update(e).digest(`base64`)}'`}function tiles(e,t){return html`<ul class="tiles">${m.map(t=>{let n=countOfKind(e,t);return tile(n,`${n===1?`page`:`pages`} ${t}`,t)})}\
${tile(t.unchanged,`unchanged`,`unchanged`)}</ul>`}function tile(e,t,n){return html`<li class="${e>0&&n}"><b>${number(e)}</b><span>${t}</span></li>`}function factLines(e){let{basis:t,moved:n}=e,r=n.some(e=>e.similarity!==void 0)&&html`<p class="facts">A page at another address has moved and changed if at least half of its text is the same, measured in runs of three words.</p>`,i=t===`hashes`&&html`<p class="facts">Only the manifest of the earlier export was available, so every file that differs is a change, without words and excerpts.</p>`;return html`${fileLine(e)}${r}${i}`}function fileLine({from:e,to:t,assets:n}){if(e.jobId===void 0||n===void 0)return html`<p class="facts">Only the list of pages of the earlier site was available, so other files were not compared, and there are no words and excerpts.</p>`;let r=t.bytes-e.bytes,a=r>0?`more`:`less`,o=r!==0&&`, ${(0,i.z3)(Math.abs(r))} ${a} than before`;return html`<p class="facts">Other files: ${n.added} added, ${n.changed} changed, ${n.removed} removed. All files together: ${(0,i.z3)(t.bytes)}${o}.</p>`}function lostSection(e){let t=(0,o.LT)(e),n=e.lost.filter(e=>e.redirect!==void 0),r=n.length>0&&html`<details><summary>${(0,i.pq)(n.length,`address`,`addresses`)} with a redirect</summary>${lostList(n)}</details>`;return t.length===0?html`<section class="panel fine" aria-labelledby="lost"><h2 id="lost">No address was lost</h2>\
<p class="muted">${e.from.pages===0?`There was no page before.`:`Every address that worked before works now, or has a redirect.`}</p>${r}</section>`:html`<section class="panel lost" aria-labelledby="lost"><h2 id="lost">${(0,i.pq)(t.length,`lost address`,`lost addresses`)}</h2>\
<p class="muted">There was a page before. Now there is neither a page nor a redirect.</p>${lostList(t)}${r}</section>`}function brokenSection(e){return e.length!==0&&html`<section class="panel lost" aria-labelledby="broken"><h2 id="broken">${(0,i.pq)(e.length,`newly broken link`)}</h2>\
<p class="muted">Nothing is at the address, and no link of these pages led there before.</p>${cutList(e,brokenRow)}</section>`}function lostList(e){return cutList(e,lostRow,`, in the list of pages`)}function listOf(e,t,n){let r={...n},i={rows:0,excerpts:0},rowOf=e=>{let n=plainRow(e,t);if(n.markup.length>r.rows)i.rows+=1,r.rows=0;else{if(r.rows-=n.markup.length,e.excerpts.length+e.headings.length===0)return n;if(r.excerpts>0){let i=unfoldingRow(e,t);if(r.excerpts-=i.markup.length-n.markup.length,r.excerpts>0)return i}return i.excerpts+=1,n}},a=[],o=[];for(let t of e){let e=t.entries.map(rowOf).filter(e=>e!==void 0);e.length!==0&&(o.push(groupOf(t.name,a.length,e)),a.push(t))}return{sections:a,groups:o,notes:notesOf(i,n)}}function notesOf({rows:e,excerpts:t},n){let r=`left out, so that this file stays below ${(0,i.z3)(n.rows+n.excerpts)}`,a=`The file at changes-path`,o=e===1?`is`:`are`,s=[];return e>0&&s.push(`${(0,i.pq)(e,`page`)} of the list ${o} ${r}. ${a} names all of them.`),t>0&&s.push(`The excerpts of ${(0,i.pq)(t,`page`)} are ${r}. ${a} has all of them.`),s}function groupOf(e,t,n){return html`<section class="group" id="s${t}" data-group><h3><bdi>${sectionName(e)}</bdi> \
<span class="n" data-count>${number(n.length)}</span></h3><ol class="rows">
${join(n,`
`)}
</ol></section>
`}function pagesSection(e){return html`<section aria-labelledby="sections"><h2 id="sections">By section</h2>${sectionChart(e.sections)}</section>
<section aria-labelledby="pages"><h2 id="pages">Pages</h2>
<div class="tools" role="search" data-tools hidden>
<input type="search" placeholder="Filter by address, title or text" aria-label="Filter the pages" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<select aria-label="Section"><option value="">All sections</option>${e.sections.map((e,t)=>html`<option value="${t}">${sectionName(e.name)}</option>`)}</select>
<div class="chips" role="group" aria-label="Kind of change">${m.map(e=>html`<button type="button" class="${e}" data-chip="${e}" aria-pressed="false">${kindName(e)}</button>`)}</div>
<button type="button" class="plain" data-unfold>Show excerpts</button>
<output aria-live="polite"></output>
</div>
<p class="keys" data-keys hidden><kbd>/</kbd> filter, <kbd>↓</kbd> <kbd>↑</kbd> from page to page, <kbd>Enter</kbd> shows its excerpts, <kbd>Esc</kbd> clears the filter</p>
${e.groups}<p class="empty" data-empty hidden>No page fits the filter.</p></section>`}let v=1e3;function sectionName(e){return e===`/`?`Top of the site`:rows_short(e,80)}function sectionChart(e){let t=e.map((e,t)=>({section:e,index:t})).sort((e,t)=>t.section.entries.length-e.section.entries.length),n=t[0]?.section.entries.length??0,r=t.slice(0,40).map(e=>sectionRow(e.section,e.index,n)),i=e.length-r.length;return html`<table><thead><tr><th scope="col">Section</th><th scope="col" class="num">Pages</th>\
${m.map(e=>html`<th scope="col" class="num">${kindName(e)}</th>`)}<th scope="col" class="bar">Changed pages</th></tr></thead><tbody>
${r}</tbody></table>\
${i>0&&html`<p class="muted">and ${i} more, none with more changes</p>`}`}function sectionRow(e,t,n){let r=m.map(t=>numberCell(countOfKind(e.entries,t)));return html`<tr><th scope="row">${html`<a href="#s${t}" data-section="${t}"><bdi>${sectionName(e.name)}</bdi></a>`}</th>${numberCell(e.pages)}${r}\
<td class="bar">${bar(e.entries,n)}</td></tr>
`}function countOfKind(e,t){return e.filter(e=>e.kind===t).length}function numberCell(e){return html`<td class="num${e===0&&` zero`}">${number(e)}</td>`}function bar(e,t){let n=[],r=0;for(let i of m){let a=countOfKind(e,i)/t*v;a!==0&&(n.push(html`<rect class="${i}" x="${r.toFixed(1)}" y="0" width="${a.toFixed(1)}" height="14"/>`),r+=a)}return html`<svg class="bars" viewBox="0 0 ${v} 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${n}</svg>`}})};