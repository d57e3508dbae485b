const LIGHT = `--bg:#ffffff;--panel:#f8fafc;--line:#e2e8f0;--text:#1e293b;--muted:#64748b;--strong:#0f172a;--accent:#4f46e5;--soft:#eef2ff;
--code-bg:#f6f8fb;--c-keyword:#8b2fc9;--c-string:#0a7d4f;--c-number:#b45309;--c-comment:#7c8a9e;--c-title:#1d4ed8;--c-attr:#0e7490;--shadow:0 12px 32px #0f172a22;color-scheme:light;`;
const DARK = `--bg:#0b1120;--panel:#0f172a;--line:#1f2a40;--text:#cbd5e1;--muted:#8494ab;--strong:#f1f5f9;--accent:#a5b4fc;--soft:#1e2547;
--code-bg:#111a2e;--c-keyword:#d8a4ff;--c-string:#7fdcb0;--c-number:#f7b267;--c-comment:#71809a;--c-title:#8ab4ff;--c-attr:#76d3e3;--shadow:0 12px 32px #000a;color-scheme:dark;`;

/** Colours of the page, shared with pages that carry their style inside. */
export const COLOURS = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
`;

export const STYLE = `${COLOURS}
*,*::before,*::after{box-sizing:border-box}
html{scroll-padding-top:80px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.7 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:12px;z-index:30;background:var(--bg);padding:8px 12px}

.top{position:sticky;top:0;z-index:20;height:60px;display:flex;align-items:center;gap:16px;padding:0 24px;background:color-mix(in srgb,var(--bg) 88%,transparent);backdrop-filter:blur(10px);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:10px;min-width:0;font-weight:650;color:var(--strong);white-space:nowrap}.brand span{overflow:hidden;text-overflow:ellipsis}.brand img{flex:none}
.brand:hover{text-decoration:none}.brand img{width:26px;height:26px}
.find{position:relative;margin-left:auto;width:min(320px,45vw)}
.find input{width:100%;height:36px;padding:0 12px;border:1px solid var(--line);border-radius:9px;background:var(--panel);color:var(--text);font:inherit;font-size:14px}
.results{position:absolute;right:0;top:44px;width:min(440px,92vw);max-height:70vh;overflow:auto;padding:6px;background:var(--bg);border:1px solid var(--line);border-radius:12px;box-shadow:var(--shadow);font-size:14px;color:var(--muted)}
.results a{display:block;padding:8px 10px;border-radius:8px;color:var(--muted);line-height:1.45}
.results a:hover,.results a:focus{background:var(--soft);text-decoration:none}
.results strong{display:block;color:var(--strong)}
.icon{flex:none;width:36px;height:36px;display:grid;place-items:center;border:1px solid var(--line);border-radius:9px;background:var(--panel);color:var(--text);cursor:pointer;font-size:16px;line-height:1}
.menu{display:none}

.frame{display:grid;grid-template-columns:280px minmax(0,1fr) 220px;max-width:1440px;margin:0 auto}
.side{position:sticky;top:60px;height:calc(100vh - 60px);overflow:auto;padding:26px 16px 40px 24px;border-right:1px solid var(--line);font-size:14.5px}
.side ul{list-style:none;margin:0;padding:0}
.side li>ul{margin:2px 0 6px 10px;padding-left:10px;border-left:1px solid var(--line)}
.side a,.side .group{display:block;padding:4px 10px;border-radius:7px;color:var(--muted);line-height:1.5}
.side a:hover{color:var(--strong);background:var(--panel);text-decoration:none}
.side a[aria-current]{color:var(--accent);background:var(--soft);font-weight:600}
.side>ul>li{margin-bottom:4px}.side>ul>li:has(>ul){margin-top:16px}
.side>ul>li:has(>ul)>a,.side>ul>li:has(>ul)>.group{font-weight:650;color:var(--strong)}
.side>ul>li:has(>ul)>a[aria-current]{color:var(--accent)}

main{padding:34px 48px 72px;min-width:0}
.crumbs{font-size:13.5px;color:var(--muted);margin-bottom:10px}.crumbs span+span::before{content:"/";margin:0 8px;opacity:.5}
article{max-width:760px}
article>:first-child{margin-top:0}
h1,h2,h3,h4{color:var(--strong);line-height:1.25;letter-spacing:-.015em}
h1{font-size:2.25rem;margin:0 0 .6em;font-weight:720}
h2{font-size:1.5rem;margin:2.1em 0 .6em;padding-top:.2em;font-weight:680}
h3{font-size:1.18rem;margin:1.8em 0 .5em}h4{font-size:1rem;margin:1.5em 0 .4em}
.lead{font-size:1.12rem;color:var(--muted);margin:-.4em 0 1.6em}
article a{text-decoration:underline;text-decoration-color:color-mix(in srgb,var(--accent) 35%,transparent);text-underline-offset:3px}
article a:hover{text-decoration-color:currentColor}
li{margin:.25em 0}
hr{border:0;border-top:1px solid var(--line);margin:2.4em 0}
img,video{max-width:100%;height:auto;border-radius:10px}
code{font:.875em/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
:not(pre)>code{padding:.15em .4em;background:var(--code-bg);border:1px solid var(--line);border-radius:6px;color:var(--strong)}
pre{position:relative;margin:1.3em 0;padding:16px 18px;background:var(--code-bg);border:1px solid var(--line);border-radius:12px;overflow:auto;line-height:1.6}
pre code{display:block;font-size:13.5px}
.copy{position:absolute;right:10px;top:10px;padding:3px 9px;border:1px solid var(--line);border-radius:7px;background:var(--bg);color:var(--muted);font:12px ui-sans-serif,system-ui,sans-serif;cursor:pointer;opacity:0;transition:opacity .15s}
pre:hover .copy,.copy:focus{opacity:1}
.hljs-keyword,.hljs-literal,.hljs-selector-tag,.hljs-name,.hljs-meta .hljs-keyword{color:var(--c-keyword)}
.hljs-string,.hljs-addition,.hljs-regexp{color:var(--c-string)}
.hljs-number,.hljs-symbol,.hljs-bullet,.hljs-variable,.hljs-template-variable{color:var(--c-number)}
.hljs-comment,.hljs-quote,.hljs-meta{color:var(--c-comment)}.hljs-comment{font-style:italic}
.hljs-title,.hljs-section,.hljs-built_in,.hljs-type{color:var(--c-title)}
.hljs-attr,.hljs-attribute,.hljs-property,.hljs-selector-class{color:var(--c-attr)}.hljs-deletion{color:#dc2626}
.hljs-strong,.hljs-section{font-weight:600}.hljs-emphasis{font-style:italic}
.table{overflow-x:auto;margin:1.4em 0;border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:14.5px}
th,td{padding:10px 14px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}
th{background:var(--panel);color:var(--strong);font-weight:620;white-space:nowrap}
td code{white-space:nowrap}
blockquote{margin:1.4em 0;padding:2px 18px;border-left:3px solid var(--line);color:var(--muted)}
.callout{--mark:#4f46e5;padding:12px 18px;border:1px solid color-mix(in srgb,var(--mark) 30%,transparent);border-left:4px solid var(--mark);border-radius:10px;background:color-mix(in srgb,var(--mark) 7%,transparent);color:var(--text)}
.callout::before{content:attr(data-kind);display:block;font-weight:650;font-size:14px;color:var(--mark)}
.callout>:first-child{margin-top:2px}.callout>:last-child{margin-bottom:0}
.callout.tip{--mark:#0d9467}.callout.important{--mark:#9333ea}.callout.warning{--mark:#c2780a}.callout.caution{--mark:#dc2626}

.around{display:grid;grid-template-columns:1fr 1fr;gap:16px;max-width:760px;margin-top:56px}
.around a{display:block;padding:14px 18px;border:1px solid var(--line);border-radius:12px;font-weight:600}
.around a:hover{border-color:var(--accent);text-decoration:none}
.around small{display:block;color:var(--muted);font-weight:400}.around .next{text-align:right;grid-column:2}
.toc{position:sticky;top:60px;align-self:start;max-height:calc(100vh - 60px);overflow:auto;padding:38px 20px 40px 0;font-size:13.5px}
.toc p{margin:0 0 8px;font-weight:650;color:var(--strong)}
.toc a{display:block;padding:3px 0 3px 12px;border-left:1px solid var(--line);color:var(--muted);line-height:1.45}
.toc a:hover{color:var(--accent);border-color:var(--accent);text-decoration:none}.toc .l3{padding-left:24px}

@media (max-width:1100px){.frame{grid-template-columns:260px minmax(0,1fr)}.toc{display:none}}
@media (max-width:760px){
.frame{display:block}.top{padding:0 14px;gap:10px}.menu{display:grid}
.find{flex:none;width:92px}.find:focus-within{position:absolute;inset:12px 14px auto;z-index:1;width:auto}
.side{display:none;position:fixed;inset:60px 0 0;z-index:15;height:auto;background:var(--bg);border:0}.menu-open .side{display:block}
main{padding:24px 18px 56px}h1{font-size:1.8rem}.around{grid-template-columns:1fr}.around .next{grid-column:1}}
@media print{.top,.side,.toc,.around,.copy{display:none}.frame{display:block}}
`;
