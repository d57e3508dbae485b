/**
 * What sites put into their pages, and the hosts that Chromium contacts for it: the shapes of the
 * usual snippets, and data that names a host and loads nothing.
 */
export interface Snippet {
  readonly name: string;
  readonly html: string;
  /** Each ends with `.example`. */
  readonly hosts: readonly string[];
}

const script = (code: string, attributes = '') => `<script${attributes}>${code}</script>`;
const loads = (name: string, html: string, ...hosts: string[]): Snippet => ({ name, html, hosts });

export const SNIPPETS: readonly Snippet[] = [
  loads(
    'Google tag: a script element and a queue',
    `<script async src="https://tags.example/gtag/js?id=G-1"></script>${script(
      `window.dataLayer = window.dataLayer || []; function gtag() { dataLayer.push(arguments) } gtag('js', new Date()); gtag('config', 'G-1', { transport_url: 'https://data.example/collect' })`,
    )}`,
    'tags.example',
  ),
  loads(
    'Tag Manager: the address is the beginning of a sum',
    `${script(
      `(function (w, d, s, l, i) { w[l] = w[l] || []; w[l].push({ 'gtm.start': Date.now(), event: 'gtm.js' }); var f = d.getElementsByTagName(s)[0], j = d.createElement(s), dl = l != 'dataLayer' ? '&l=' + l : ''; j.async = true; j.src = 'https://manager.example/gtm.js?id=' + i + dl; f.parentNode.insertBefore(j, f) })(window, document, 'script', 'dataLayer', 'GTM-1')`,
    )}<noscript><iframe src="https://manager.example/ns.html?id=GTM-1" height="0" width="0"></iframe></noscript>`,
    'manager.example',
  ),
  loads(
    'Segment: a method that loads, with the address in it',
    script(
      `!function () { var a = window.analytics = window.analytics || []; if (a.initialize) return; a.methods = ['track', 'page']; a.factory = function (m) { return function () { var t = [].slice.call(arguments); t.unshift(m); a.push(t); return a } }; for (var i = 0; i < a.methods.length; i++) { var key = a.methods[i]; a[key] = a.factory(key) } a.load = function (key, options) { var t = document.createElement('script'); t.type = 'text/javascript'; t.async = !0; t.setAttribute('data-key', key); t.src = 'https://segment.example/analytics.js/v1/' + key + '/analytics.min.js'; var n = document.getElementsByTagName('script')[0]; n.parentNode.insertBefore(t, n); a._loadOptions = options }; a._writeKey = 'K'; a.load('K'); a.page() }()`,
    ),
    'segment.example',
  ),
  loads(
    'PostHog: the host is a field of the options',
    script(
      `!function (t, e) { var o, n, p, r; e.__SV || (window.posthog = e, e._i = [], e.init = function (i, s, a) { function g(t, e) { var o = e.split('.'); 2 == o.length && (t = t[o[0]], e = o[1]), t[e] = function () { t.push([e].concat(Array.prototype.slice.call(arguments, 0))) } } (p = t.createElement('script')).type = 'text/javascript', p.crossOrigin = 'anonymous', p.async = !0, p.src = s.api_host.replace('.i.hog.example', '-assets.i.hog.example') + '/static/array.js', (r = t.getElementsByTagName('script')[0]).parentNode.insertBefore(p, r); var u = e; for (void 0 !== a ? u = e[a] = [] : a = 'posthog', u.people = u.people || [], o = 'capture identify'.split(' '), n = 0; n < o.length; n++) g(u, o[n]); e._i.push([i, s, a]) }, e.__SV = 1) }(document, window.posthog || []); posthog.init('phc_1', { api_host: 'https://eu.i.hog.example', person_profiles: 'identified_only' })`,
    ),
    'eu-assets.i.hog.example',
  ),
  loads(
    'Plausible: a script element with data attributes',
    `<script defer data-domain="docs.example.com" data-api="https://unused.example/api" src="https://plausible.example/js/script.js"></script>${script(`window.plausible = window.plausible || function () { (window.plausible.q = window.plausible.q || []).push(arguments) }`)}`,
    'plausible.example',
  ),
  loads(
    'Matomo: a variable with the address of the server',
    script(
      `var _paq = window._paq = window._paq || []; _paq.push(['trackPageView']); _paq.push(['enableLinkTracking']); (function () { var u = '//matomo.example/'; _paq.push(['setTrackerUrl', u + 'matomo.php']); _paq.push(['setSiteId', '1']); var d = document, g = d.createElement('script'), s = d.getElementsByTagName('script')[0]; g.async = true; g.src = u + 'matomo.js'; s.parentNode.insertBefore(g, s) })()`,
    ),
    'matomo.example',
  ),
  loads(
    'Hotjar: two arguments around a number',
    script(
      `(function (h, o, t, j, a, r) { h.hj = h.hj || function () { (h.hj.q = h.hj.q || []).push(arguments) }; h._hjSettings = { hjid: 1, hjsv: 6 }; a = o.getElementsByTagName('head')[0]; r = o.createElement('script'); r.async = 1; r.src = t + h._hjSettings.hjid + j + h._hjSettings.hjsv; a.appendChild(r) })(window, document, 'https://hot.example/c/hotjar-', '.js?sv=')`,
    ),
    'hot.example',
  ),
  loads(
    'Heap: a method that is called with a number',
    script(
      `window.heap = window.heap || [], heap.load = function (e, t) { window.heap.appid = e, window.heap.config = t = t || {}; var r = document.createElement('script'); r.type = 'text/javascript', r.async = !0, r.src = 'https://heap.example/js/heap-' + e + '.js'; var a = document.getElementsByTagName('script')[0]; a.parentNode.insertBefore(r, a); for (var n = function (e) { return function () { heap.push([e].concat(Array.prototype.slice.call(arguments, 0))) } }, p = ['track', 'identify'], o = 0; o < p.length; o++) heap[p[o]] = n(p[o]) }; heap.load('1')`,
    ),
    'heap.example',
  ),
  loads(
    'Mixpanel: one of three addresses, by the protocol',
    script(
      `(function (f, b) { if (!b.__SV) { var e, g, i, h; window.mixpanel = b; b._i = []; b.init = function (e, f, c) { b._i.push([e, f, c]) }; b.__SV = 1.2; e = f.createElement('script'); e.type = 'text/javascript'; e.async = !0; e.src = 'undefined' !== typeof CUSTOM_LIB_URL ? CUSTOM_LIB_URL : 'file:' === f.location.protocol && '//mix.example/lib.js'.match(/^\\/\\//) ? 'https://mix.example/lib.js' : '//mix.example/lib.js'; g = f.getElementsByTagName('script')[0]; g.parentNode.insertBefore(e, g) } })(document, window.mixpanel || [])`,
    ),
    'mix.example',
  ),
  loads(
    'Amplitude: a function in a function, with an integrity',
    script(
      `!function () { 'use strict'; !function (e, t) { var n = e.amplitude || { _q: [], _iq: {} }; if (n.invoked) return; n.invoked = !0; var s = t.createElement('script'); s.type = 'text/javascript', s.integrity = '', s.crossOrigin = 'anonymous', s.async = !0, s.src = 'https://amp.example/libs/analytics-browser-2-min.js.gz', s.onload = function () { e.amplitude.runQueuedFunctions || console.log('[Amplitude] Error: could not load SDK, see https://unused.example/') }; var c = t.getElementsByTagName('script')[0]; c.parentNode.insertBefore(s, c); e.amplitude = n }(window, document) }()`,
    ),
    'amp.example',
  ),
  loads(
    'Fathom: the address is the third argument',
    script(
      `(function (f, a, t, h, o, m) { a[h] = a[h] || function () { (a[h].q = a[h].q || []).push(arguments) }; o = f.createElement('script'), m = f.getElementsByTagName('script')[0]; o.async = 1; o.src = t; o.id = 'fathom-script'; m.parentNode.insertBefore(o, m) })(document, window, '//fathom.example/tracker.js', 'fathom'); fathom('set', 'siteId', 'A')`,
    ),
    'fathom.example',
  ),
  loads(
    'Clarity: the name of the element is an argument',
    script(
      `(function (c, l, a, r, i, t, y) { c[a] = c[a] || function () { (c[a].q = c[a].q || []).push(arguments) }; t = l.createElement(r); t.async = 1; t.src = 'https://clarity.example/tag/' + i; y = l.getElementsByTagName(r)[0]; y.parentNode.insertBefore(t, y) })(window, document, 'clarity', 'script', 'abc')`,
    ),
    'clarity.example',
  ),
  loads(
    'Intercom: a function that waits for the page',
    script(
      `window.intercomSettings = { api_base: 'https://unused.example', app_id: 'a' }; (function () { var w = window; var ic = w.Intercom; if (typeof ic === 'function') { ic('update', w.intercomSettings) } else { var d = document; var i = function () { i.c(arguments) }; i.q = []; i.c = function (args) { i.q.push(args) }; w.Intercom = i; var l = function () { var s = d.createElement('script'); s.type = 'text/javascript'; s.async = true; s.src = 'https://widget.example/widget/a'; var x = d.getElementsByTagName('script')[0]; x.parentNode.insertBefore(s, x) }; if (document.readyState === 'complete') { l() } else if (w.attachEvent) { w.attachEvent('onload', l) } else { w.addEventListener('load', l, false) } } })()`,
    ),
    'widget.example',
  ),
  loads(
    'Sentry: a loader that takes the bundle and the options, after an error',
    script(
      `!function (n, e, r, t, i, o, a, c) { var u = [], s = !1; function load() { if (s) return; s = !0; var f = e.scripts[0], p = e.createElement('script'); p.src = a, p.crossOrigin = 'anonymous', p.addEventListener('load', function () { n[i] && n[i].init(c) }, { once: !0 }), f.parentNode.insertBefore(p, f) } n[r] = function (m) { u.push(m); load(); return !0 } }(window, document, 'onerror', 'onunhandledrejection', 'Sentry', 'key', 'https://sentry.example/8/bundle.min.js', { dsn: 'https://key@unused.example/1' }); setTimeout(undefinedFunction)`,
    ),
    'sentry.example',
  ),
  loads(
    'LogRocket: a script element and a call',
    `<script src="https://rocket.example/LogRocket.min.js" crossorigin="anonymous"></script>${script(`window.LogRocket && window.LogRocket.init('a/b')`)}`,
    'rocket.example',
  ),
  loads(
    'Cloudflare: a beacon in single quotes, with JSON in an attribute',
    `<script defer src='https://beacon.example/beacon.min.js' data-cf-beacon='{"token": "a", "send": {"to": "https://unused.example/"}}'></script>`,
    'beacon.example',
  ),
  loads(
    'Cloudflare: a script element in a frame, whose text loads another',
    script(
      `(function () { function c() { var b = a.contentDocument || a.contentWindow.document; if (b) { var d = b.createElement('script'); d.innerHTML = "var s=document.createElement('script');s.src='https://jsd.example/main.js';document.getElementsByTagName('head')[0].appendChild(s);"; b.getElementsByTagName('head')[0].appendChild(d) } } if (document.body) { var a = document.createElement('iframe'); a.height = 1; a.style.position = 'absolute'; document.body.appendChild(a); if ('loading' !== document.readyState) c(); else window.addEventListener('DOMContentLoaded', c) } })()`,
    ),
    'jsd.example',
  ),
  loads(
    'HubSpot: a script element without a protocol',
    `<script type="text/javascript" id="hs-script-loader" async defer src="//hub.example/1.js"></script>`,
    'hub.example',
  ),
  loads(
    'Facebook: a function that is its own queue',
    script(
      `!function (f, b, e, v, n, t, s) { if (f.fbq) return; n = f.fbq = function () { n.callMethod ? n.callMethod.apply(n, arguments) : n.queue.push(arguments) }; n.queue = []; t = b.createElement(e); t.async = !0; t.src = v; s = b.getElementsByTagName(e)[0]; s.parentNode.insertBefore(t, s) }(window, document, 'script', 'https://pixel.example/events.js'); fbq('init', '1')`,
    ),
    'pixel.example',
  ),
  loads(
    'the old Google Analytics: a host of two parts, by the protocol',
    script(
      `var _gaq = _gaq || []; (function () { var ga = document.createElement('script'); ga.async = true; ga.src = ('https:' == document.location.protocol ? 'https://ssl' : 'http://www') + '.ga.example/ga.js'; var s = document.getElementsByTagName('script')[0]; s.parentNode.insertBefore(ga, s) })()`,
    ).replace('http://www', 'https://ssl'),
    'ssl.ga.example',
  ),
  loads(
    'a script element that document.write makes from an encoded text',
    script(
      `var host = 'https://written.example/'; document.write(unescape("%3Cscript src='" + host + "ga.js'%3E%3C/script%3E"))`,
    ),
    'written.example',
  ),
  loads(
    'FullStory: a field of the window, with the host without its protocol',
    script(
      `window['_fs_host'] = 'story.example'; window['_fs_script'] = 'edge.story.example/s/fs.js'; (function (m, n) { var o = n.createElement('script'); o.async = 1; o.src = 'https://' + _fs_script; n.head.appendChild(o) })(window, document)`,
    ),
    'edge.story.example',
  ),
  loads(
    'a widget whose protocol is a variable',
    script(
      `!function (d, s, id) { var js, p = /^http:/.test(d.location) ? 'http' : 'https'; if (!d.getElementById(id)) { js = d.createElement(s); js.id = id; js.src = p + '://widgets.example/widgets.js'; d.head.appendChild(js) } }(document, 'script', 'w')`,
    ),
    'widgets.example',
  ),
  loads(
    'a pixel and a beacon',
    script(
      `new Image().src = 'https://one.example/p.gif?' + Date.now(); navigator.sendBeacon('https://two.example/b', 'x'); fetch(\`https://three.example/\${1 + 1}\`).catch(() => 0)`,
    ),
    'one.example',
    'two.example',
    'three.example',
  ),
  loads(
    'Object.assign, a list of addresses, a class and a method with options',
    script(
      `document.head.append(Object.assign(document.createElement('script'), { src: 'https://assign.example/a.js' })); ['https://list.example/a.js', 'https://list.example/b.js'].forEach((u) => { const s = document.createElement('script'); s.src = u; document.head.append(s) }); class Loader { constructor(base) { this.base = base } run() { const i = new Image(); i.src = this.base + '/p.gif' } } new Loader('https://class.example').run(); const add = ({ base, path = '/x.js' }) => { const s = document.createElement('script'); s.setAttribute('src', base + path); document.head.append(s) }; add({ base: 'https://option.example' })`,
    ),
    'assign.example',
    'list.example',
    'class.example',
    'option.example',
  ),
  loads(
    'HTML of a script: an image, and a script that does not run',
    `<div id="x"></div>${script(
      `document.getElementById('x').innerHTML = '<img src="https://html.example/a.png"><script src="https://never.example/a.js"><\\/script><a href="https://link.example/">x</a>'; document.body.insertAdjacentHTML('beforeend', \`<iframe src="https://frame.example/"></iframe>\`)`,
    )}`,
    'html.example',
    'frame.example',
  ),
  loads(
    'a style of a script',
    `<div id="x">x</div>${script(
      `document.getElementById('x').style.backgroundImage = "url('https://style.example/a.png')"; const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'https://sheet.example/a.css'; document.head.append(l)`,
    )}`,
    'style.example',
    'sheet.example',
  ),
  loads(
    'a text that is run, and a module',
    `${script(`eval("fetch('https://eval.example/').catch(function () {})")`)}${script(`import('https://module.example/a.js').catch(() => {})`, ' type="module"')}`,
    'eval.example',
    'module.example',
  ),
  loads(
    'a shadow root, and the element of a script in comments of HTML',
    `<div><template shadowrootmode="open"><img src="https://shadow.example/a.png"></template></div>${script(`<!--\nnew Image().src = 'https://comment.example/a.png'\n//-->`)}`,
    'shadow.example',
    'comment.example',
  ),
  loads(
    'Google tag: a function of a bundle, whose options are destructured',
    script(
      `(()=>{const c="https://tags.example";function s({id:a,nonce:n,async:e=!0}){const t=document.createElement("script");t.async=e,t.src=\`\${c}/gtag/js?id=\${a}\`,n&&(t.nonce=n),document.head.append(t)}window.dataLayer??=[];window.gtag=function(){dataLayer.push(arguments)};gtag("js",new Date);s({id:"G-1",nonce:document.currentScript?.nonce});})();`,
    ),
    'tags.example',
  ),
  loads(
    'Tag Manager: the address is a field of settings',
    script(
      '(()=>{const o={id:"GTM-1",layer:"dataLayer",url:"https://gtm.example/gtm.js"},d=({id:n,layer:t,url:s})=>{window[t]=window[t]||[],window[t].push({event:"gtm.js"});const e=document.createElement("script");e.defer=!0,e.src=s+"?id="+encodeURIComponent(n)+(t!=="dataLayer"?"&l="+t:""),document.getElementsByTagName("script")[0].parentNode.insertBefore(e,null)};d(o);})();',
    ),
    'gtm.example',
  ),
  loads(
    'Segment, minified: the queue is a field of the window',
    script(
      `!function(){var e="analytics",t=window[e]=window[e]||[];if(!t.initialize)if(t.invoked)window.console&&console.error&&console.error("Segment snippet included twice.");else{t.invoked=!0,t.methods=["trackSubmit","page"],t.factory=function(n){return function(){if(window[e].initialized)return window[e][n].apply(window[e],arguments);var i=Array.prototype.slice.call(arguments);if(["track","page"].indexOf(n)>-1){var a=document.querySelector("link[rel='canonical']");i.push({__t:"bpc",c:a&&a.getAttribute("href")||void 0,p:location.pathname,u:location.href})}return i.unshift(n),t.push(i),t}};for(var n=0;n<t.methods.length;n++){var i=t.methods[n];t[i]=t.factory(i)}t.load=function(n,i){var a=document.createElement("script");a.type="text/javascript",a.async=!0,a.setAttribute("data-global-segment-analytics-key",e),a.src="https://cdn.segment.example/analytics.js/v1/"+n+"/analytics.min.js";var o=document.getElementsByTagName("script")[0];o.parentNode.insertBefore(a,o),t._loadOptions=i},t._writeKey="K",t.SNIPPET_VERSION="5.2.1",t.load("K"),t.page()}}();`,
    ),
    'cdn.segment.example',
  ),
  loads(
    'PostHog, minified: the options are a variable',
    script(
      'var t,o,e,s,i,p;t=document,(o=window.posthog||[]).__SV||(window.posthog=o,o._i=[],o.init=function(a,n,r){(i=t.createElement("script")).type="text/javascript",i.crossOrigin="anonymous",i.async=!0,i.src=n.api_host.replace(".i.hog.example","-assets.i.hog.example")+"/static/array.js",(p=t.getElementsByTagName("script")[0]).parentNode.insertBefore(i,p);var c=o;for(void 0!==r?c=o[r]=[]:r="posthog",c.people=c.people||[],c.toString=function(t){var o="posthog";return"posthog"!==r&&(o+="."+r),t||(o+=" (stub)"),o},e="init capture".split(" "),s=0;s<e.length;s++)!function(t,o){var e=o.split(".");2==e.length&&(t=t[e[0]],o=e[1]),t[o]=function(){t.push([o].concat(Array.prototype.slice.call(arguments,0)))}}(c,e[s]);o._i.push([a,n,r])},o.__SV=1),posthog.init("phc_1",{api_host:"https://us.i.hog.example",defaults:"2025-05-24"});',
    ),
    'us-assets.i.hog.example',
  ),
  loads(
    'Hotjar: an arrow function and a template',
    script(
      `(()=>{((t,e,j,h,a,s)=>{t.hj=t.hj||function(){(t.hj.q=t.hj.q||[]).push(arguments)},t._hjSettings={hjid:5,hjsv:6};const n=e.head;s=e.createElement("script"),s.async=1,s.src=\`\${j}\${t._hjSettings.hjid}\${h}\${t._hjSettings.hjsv}\`,n.appendChild(s)})(window,document,"https://static.hot.example/c/hotjar-",".js?sv=");})();`,
    ),
    'static.hot.example',
  ),
  loads(
    'Heap, minified: a queue of functions',
    script(
      'window.heapReadyCb=window.heapReadyCb||[],window.heap=window.heap||[],heap.load=function(e,a){window.heap.envId=e,window.heap.clientConfig=a=a||{},window.heap.clientConfig.shouldFetchServerConfig=!1;var n=document.createElement("script");n.type="text/javascript",n.async=!0,n.src="https://cdn.us.heap.example/config/"+e+"/heap_config.js";var t=document.getElementsByTagName("script")[0];t.parentNode.insertBefore(n,t);for(var p=["init","track"],o=function(e){return function(){var a=Array.prototype.slice.call(arguments,0);window.heapReadyCb.push({name:e,fn:function(){heap[e]&&heap[e].apply(heap,a)}})}},i=0;i<p.length;i++)heap[p[i]]=o(p[i])},heap.load("2");',
    ),
    'cdn.us.heap.example',
  ),
  loads(
    'Mixpanel, minified: a field of the window may be the address',
    script(
      'const i=window.MIXPANEL_CUSTOM_LIB_URL;!function(e,t){if(!t.__SV){window.mixpanel=t,t._i=[],t.init=function(i,e,n){t._i.push([i,e,n])},t.__SV=1.2;var n=e.createElement("script");n.type="text/javascript",n.async=!0,n.src=void 0!==i&&i?i:"file:"===e.location.protocol?"https://cdn.mix.example/lib.min.js":"//cdn.mix.example/lib.min.js";var a=e.getElementsByTagName("script")[0];a.parentNode.insertBefore(n,a)}}(document,window.mixpanel||[]),mixpanel.init("t",{api_host:"https://unused.example"});',
    ),
    'cdn.mix.example',
  ),
  loads(
    'Amplitude: a function in a promise sets the address',
    script(
      '(()=>{const c=t=>new Promise((n,a)=>{const e=document.createElement("script");e.src=t,e.onload=()=>n(e),e.onerror=a,document.head.appendChild(e)});(async()=>{try{await c("https://cdn.amp.example/script/K.js"),window.amplitude.init("K",{fetchRemoteConfig:!0,serverUrl:"https://unused.example/2/httpapi"})}catch{}})();})();',
    ),
    'cdn.amp.example',
  ),
  loads(
    'Clarity: the address is the default of a parameter',
    script(
      '(()=>{function s(c,a="https://www.clarity.example/tag/"){try{const t=window,r=document,e="clarity";if(r.getElementById("clarity-script"))return;t[e]=t[e]||function(){(t[e].q=t[e].q||[]).push(arguments)};const n=r.createElement("script");n.async=!0,n.src=a+c+"?ref=npm",n.id="clarity-script";const i=r.getElementsByTagName("script")[0];i.parentNode?.insertBefore(n,i)}catch{return}}const o={init(c){s(c)}};o.init("abc");})();',
    ),
    'www.clarity.example',
  ),
  loads(
    'Intercom: a static field of a class',
    script(
      '(()=>{class a{static base="https://widget.chat.example/widget/";constructor(t){this.app=t}boot(){const t=()=>{const e=document.createElement("script");e.async=!0,e.src=a.base+this.app,document.body.appendChild(e)};document.readyState!=="loading"?t():addEventListener("DOMContentLoaded",t)}}new a("a1").boot();})();',
    ),
    'widget.chat.example',
  ),
  loads(
    'HubSpot: a list of scripts, in a loop',
    script(
      '(()=>{const n=[{id:"hs-analytics",src:"https://js.hub.example/analytics/1.js",attrs:{"data-hsjs-portal":1}},{id:"hs-banner",src:"https://banner.hub.example/v2/1/banner.js",attrs:{}}];for(const{id:e,src:r,attrs:s}of n){const t=document.createElement("script");t.id=e,t.src=r;for(const a in s)s.hasOwnProperty(a)&&t.setAttribute(a,s[a]);document.head.appendChild(t)}})();',
    ),
    'js.hub.example',
    'banner.hub.example',
  ),
  loads(
    'HubSpot, minified: the address is set in the head of a loop',
    script(
      '!function(t,e,a){if(!document.getElementById(t)){var s=document.createElement("script");for(var n in s.src="https://js.hub2.example/analytics/1/2.js",s.type="text/javascript",s.id=t,a)a.hasOwnProperty(n)&&s.setAttribute(n,a[n]);var r=document.getElementsByTagName("script")[0];r.parentNode.insertBefore(s,r)}}("hs-analytics",0,{"data-hsjs-portal":1}),window._hsp=window._hsp||[];',
    ),
    'js.hub2.example',
  ),
  loads(
    'a pixel and a beacon, minified',
    script(
      'requestIdleCallback(()=>{let e=new URLSearchParams({v:1,u:location.href}),t=document.createElement("img");t.width=t.height=1,t.src="https://px.example/c?"+e,document.body.appendChild(t)});const e="https://beat.example";navigator.sendBeacon?.(e+"/v1/e","{}")||fetch(e+"/v1/e",{method:"POST",body:"{}",keepalive:!0}).catch(()=>{});',
    ),
    'px.example',
    'beat.example',
  ),
  loads(
    'a function chooses the address, for an element and a request',
    script(
      '(()=>{const n={eu:"https://eu.region.example"};function t(e){return e==="eu"?n.eu:n[e]}const c=document.createElement("script");c.src=t("eu")+"/sdk.js";document.head.appendChild(c);var s=new XMLHttpRequest;s.open("GET",t("eu")+"/config.json");s.send();})();',
    ),
    'eu.region.example',
  ),
  loads(
    'a comment widget: the attributes are fields of an object',
    script(
      `const one = document.createElement('script'); Object.entries({ async: '', src: 'https://entries.example/client.js', type: 'text/javascript' }).forEach(([key, value]) => one.setAttribute(key, value)); document.head.append(one); const two = document.createElement('script'), options = { async: true, src: 'https://loop.example/client.js' }; for (const key in options) two[key] = options[key]; document.head.append(two)`,
    ),
    'entries.example',
    'loop.example',
  ),
  loads(
    'a notebook: the paths of RequireJS, and a list of scripts by index',
    `${script(`window.requirejs = { config({ paths }) { for (const path of Object.values(paths).flat()) document.head.append(Object.assign(document.createElement('script'), { src: path + '.js' })) } }`)}${script(
      `requirejs.config({ paths: { plotly: ['https://plots.example/plotly-2.min'], vs: 'https://editor.example/vs' } }); const urls = ['https://list.example/a.js', 'https://list2.example/b.js']; for (let i = 0; i < urls.length; i++) { const element = document.createElement('script'); element.src = urls[i]; document.body.append(element) }`,
    )}`,
    'plots.example',
    'editor.example',
    'list.example',
    'list2.example',
  ),
  loads(
    'lists that are pushed to, shifted, filtered, mapped, and made from a set',
    script(
      `const pushed = []; pushed.push('https://pushed.example/'); pushed.forEach((u) => fetch(u)); const queue = ['https://queue.example/']; while (queue.length) fetch(queue.shift()); ['https://filter.example/', ''].filter(Boolean).forEach((u) => fetch(u)); ['map.example'].map((host) => 'https://' + host).forEach((u) => fetch(u)); Array.from(new Set(['https://set.example/'])).forEach((u) => fetch(u))`,
    ),
    'pushed.example',
    'queue.example',
    'filter.example',
    'map.example',
    'set.example',
  ),
  loads(
    'options that are merged, spread or frozen',
    script(
      `const base = Object.freeze({ src: 'https://frozen.example/a.js' }); const merged = Object.assign({}, { cdn: 'https://merged.example' }, window.options); const spread = { ...{ api: 'https://spread.example' }, retries: 2 }; fetch(base.src); fetch(merged.cdn + '/a.json'); fetch(spread.api)`,
    ),
    'frozen.example',
    'merged.example',
    'spread.example',
  ),
  loads(
    'a worker that a script writes, and data that a library reads',
    `${script('window.d3 = { csv: (url) => fetch(url) }')}${script(
      `new Worker(URL.createObjectURL(new Blob(['importScripts("', 'https://worker.example/w.js', '")']))); d3.csv('https://rows.example/a.csv')`,
    )}`,
    'worker.example',
    'rows.example',
  ),
  loads(
    'a function that makes any element, and functions with the names of built-in ones',
    script(
      `const make = (tag, attributes) => { const element = document.createElement(tag); for (const name in attributes) element.setAttribute(name, attributes[name]); return element }; document.head.append(make('link', { rel: 'canonical', href: 'https://data.example/' }), make('script', { src: 'https://make.example/a.js' })); function extend(path) { return 'https://extend.example' + path } const cdn = { find: (name) => 'https://find.example/' + name }; fetch(extend('/x')); fetch(cdn.find('a.json'))`,
    ),
    'make.example',
    'extend.example',
    'find.example',
  ),
  loads(
    'a worker that a script writes, with escaped quotation marks',
    script(
      String.raw`const code = "fetch(\"https://escaped.example/v1\")"; new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))`,
    ),
    'escaped.example',
  ),
  // From here on, nothing is contacted.
  loads(
    'data: attributes and options that a loop sets, each from its own object',
    script(
      `const make = (tag, attributes) => { const element = document.createElement(tag); for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value); document.body.append(element) }; make('a', { href: 'https://data.example/' }); make('link', { rel: 'stylesheet', href: '/a.css', title: 'https://data.example/' }); make('img', { src: '/logo.png', alt: 'https://data.example/' }); make('script', { src: '/a.js', 'data-site': 'https://data.example/' }); const link = document.createElement('link'), fields = { rel: 'canonical', href: 'https://data.example/' }; for (const name in fields) link[name] = fields[name]; document.head.append(link); const frame = document.createElement('iframe'), options = { src: '/demo.html', name: 'https://data.example/' }; Object.keys(options).forEach((name) => frame.setAttribute(name, options[name])); document.body.append(frame); const late = document.createElement('script'), set = (name, value) => late.setAttribute(name, value); set('data-site', 'https://data.example/'); set('src', '/late.js'); document.head.append(late); function copy(target, source) { for (const name in source) target[name] = source[name]; return target } copy({}, { src: 'https://data.example/', href: 'https://data.example/' })`,
    ),
  ),
  loads(
    'data: links with several relations, scripts that are data, a file to download, options of a page',
    script(
      `const link = document.createElement('link'); link.rel = 'canonical'; link.setAttribute('rel', 'canonical'); link.href = 'https://data.example/'; const next = document.createElement('link'); next.rel = window.a ? 'next' : 'prev'; next.href = 'https://data.example/'; const data = document.createElement('script'); data.type = 'application/json'; data.setAttribute('type', 'application/json'); data.src = 'https://data.example/'; document.head.append(link, next, data); const file = new Blob(["fetch('https://data.example/')"], { type: 'text/plain' }); const docs = { config() {} }; docs.config({ paths: ['https://data.example/'] })`,
    ),
  ),
  loads(
    'data: lists and files of links, and attributes of a link',
    script(
      `const links = []; links.push({ href: 'https://data.example/' }); const a = document.createElement('a'); for (const { href } of links) a.href = href; Object.entries({ title: 'x', href: 'https://data.example/' }).forEach(([key, value]) => a.setAttribute(key, value)); new Blob(['See https://data.example/']); new Blob([JSON.stringify({ url: 'https://data.example/' }), '["https://data.example/"]']); console.log(Object.keys({ 'https://data.example/': 1 }))`,
    ),
  ),
  loads(
    'data: JSON-LD, payloads, a list of links',
    `${script(`{"@context": "https://schema.example", "url": "https://data.example/", "logo": "https://data.example/logo.png"}`, ' type="application/ld+json"')}${script(`(self.__next_f = self.__next_f || []).push([1, "5:[\\"$\\",\\"img\\",null,{\\"src\\":\\"https://data.example/a.png\\"}]\\n"]); self.__next_f.push([1, "https://data.example/"])`)}${script(`window.links = [{ title: 'Forum', href: 'https://data.example/', url: 'https://data.example/', src: 'https://data.example/' }]; for (const one of window.links) { const a = document.createElement('a'); a.href = one.href; a.textContent = one.title; document.body.append(a) }`)}`,
  ),
  loads(
    'a comment, a sample in texts and templates, an error with an address',
    script(
      `/*! license: https://data.example/ */ const sample = "fetch('https://data.example/')"; const other = \`first \${sample ? \`import y from 'https://data.example/y.js'\` : ''} <script src="https://data.example/">\`; document.title = other; try { throw new Error('See https://data.example/') } catch (error) { console.log(error, 'https://data.example/') } const ns = document.createElementNS('http://data.example/svg', 'g')`,
    ),
  ),
  loads(
    'scripts that wait for consent or are for other browsers',
    `<script type="text/plain" src="https://data.example/a.js"></script>${script(`fetch('https://data.example/')`, ' type="text/plain"')}<script nomodule src="https://data.example/a.js"></script>${script(`fetch('https://data.example/')`, ' nomodule')}<template><img src="https://data.example/a.png">${script(`fetch('https://data.example/')`)}</template>`,
  ),
  loads(
    'sources and links that browsers pass over',
    `<picture><source src="https://data.example/a.avif"><img alt=""></picture><video><source srcset="https://data.example/a.mp4"></video><link rel="canonical" href="https://data.example/"><link rel="alternate" hreflang="de" href="https://data.example/de"><link rel="author license me" href="https://data.example/"><link rel="stylesheet" disabled href="https://data.example/a.css">${script(`const l = document.createElement('link'); l.rel = 'canonical'; l.href = 'https://data.example/'; document.head.append(l)`)}`,
  ),
  loads(
    'a page to which a reader goes',
    `<a href="https://data.example/">x</a><button onclick="location.href = 'https://data.example/'">x</button>${script(`function go() { window.open('https://data.example/'); location.assign('https://data.example/') }`)}`,
  ),
];
