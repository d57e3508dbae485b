/**
 * The policy of the search page: it loads nothing but its own script, style and index. Guides set
 * the same for the whole site.
 */
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'";

/** The search page. It has no inline script or style, and shows what its script finds. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Search</title>
<link rel="stylesheet" href="search/search.css">
<script src="search/search.js" defer></script>
</head>
<body>
<header><a href="../index.html">Documentation</a></header>
<main>
<h1>Search</h1>
<form id="form" role="search">
<label for="q">Search the documentation</label>
<div class="line"><input id="q" name="q" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="400" aria-describedby="keys"><button>Search</button></div>
<p id="keys"><kbd>/</kbd> to type, <kbd>↓</kbd> <kbd>↑</kbd> from result to result</p>
</form>
<p id="status" role="status"></p>
<ol id="results" aria-label="Results"></ol>
<button id="more" type="button" hidden>Show more</button>
<noscript><p>Searching needs JavaScript.</p></noscript>
</main>
</body>
</html>
`;

const LIGHT =
  '--bg:#fff;--panel:#f6f7f9;--line:#8a95a3;--text:#25303d;--muted:#586575;--strong:#0f1720;--accent:#3b46c4;--mark:#fde9b0;color-scheme:light;';
const DARK =
  '--bg:#0e141b;--panel:#161d26;--line:#66758a;--text:#cdd6e0;--muted:#93a1b1;--strong:#f2f5f8;--accent:#a9b2ff;--mark:#5a4410;color-scheme:dark;';

/** Everything that the page looks like. It loads no font and no picture. */
export const STYLE = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:760px;padding:24px 20px 80px;background:var(--bg);color:var(--text);font:16px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
h1{margin:24px 0 16px;color:var(--strong);font-size:1.9rem;line-height:1.2}
label{display:block;margin-bottom:6px;font-weight:600}
.line{display:flex;gap:8px}
input{flex:1;min-width:0}
input,button{min-height:44px;padding:0 14px;border:1px solid var(--line);border-radius:8px;background:var(--panel);color:var(--text);font:inherit}
button{cursor:pointer}
#keys,#status{color:var(--muted)}
#keys{margin:8px 0 0;font-size:.86rem}
kbd{padding:1px 6px;border:1px solid var(--line);border-radius:4px;font:.86em ui-monospace,Menlo,Consolas,monospace}
ol{margin:0;padding:0;list-style:none}
li{padding:14px 0;border-top:1px solid var(--line)}
h2{margin:0;font-size:1.1rem;line-height:1.35}
li p{margin:4px 0 0}
.section{color:var(--strong);font-weight:600}
.others{font-size:.92rem}
.others a{margin-right:14px}
mark{padding:0 1px;border-radius:3px;background:var(--mark);color:inherit}
`;
