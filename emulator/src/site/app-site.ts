/**
 * A site whose own script takes over: it compares the pages with what it renders, and shows the next
 * page without loading it. As those of real frameworks, it knows each address, and is of no use
 * below a path that it was not built for.
 */

const PAGES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  '': { title: 'Docs', text: 'Where to begin.' },
  guide: { title: 'Guide', text: 'How the relay works.' },
  settings: { title: 'Settings', text: 'What can be changed.' },
};

/** The files of the site for a base path such as `/documentation`; empty for the top of a host. */
export function renderAppSite(basePath: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const routes = Object.fromEntries(
    Object.entries(PAGES).map(([name, page]) => [`${basePath}/${name}`, page.title]),
  );
  for (const [name, page] of Object.entries(PAGES)) {
    files.set(`${name || 'index'}.html`, pageOf(basePath, routes, name));
    files.set(`_app/data/${name || 'index'}.json`, JSON.stringify(page));
  }
  files.set('_app/app.js', scriptOf(basePath, routes));
  return files;
}

type Routes = Readonly<Record<string, string>>;

function pageOf(basePath: string, routes: Routes, name: string): string {
  const page = PAGES[name] ?? { title: '', text: '' };
  const links = Object.entries(routes).map(([path, title]) => `<a href="${path}">${title}</a>`);
  return `<!DOCTYPE html><html lang="en"><head><title>${page.title}</title><link rel="modulepreload" href="${basePath}/_app/app.js"></head><body><nav>${links.join('')}</nav><main id="root"><h1>${page.title}</h1><p>${page.text}</p><button>0</button></main><script>self.__base=${JSON.stringify(basePath)}</script><script type="module" src="${basePath}/_app/app.js"></script></body></html>`;
}

function scriptOf(basePath: string, routes: Routes): string {
  return `const base = ${JSON.stringify(basePath)};
const routes = ${JSON.stringify(routes)};
const root = document.getElementById('root');
async function show(path) {
  const title = routes[path];
  if (title === undefined || self.__base !== base) { root.innerHTML = '<h1>Not found</h1>'; return; }
  const reply = await fetch(\`${basePath}/_app/data/\${path.slice(base.length + 1) || 'index'}.json\`);
  const page = await reply.json();
  document.title = page.title;
  root.innerHTML = '<h1>' + page.title + '</h1><p>' + page.text + '</p><button>0</button>';
  const button = root.querySelector('button');
  button.addEventListener('click', () => { button.textContent = String(Number(button.textContent) + 1); });
}
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link === null || routes[link.pathname] === undefined) return;
  event.preventDefault();
  history.pushState(null, '', link.pathname);
  show(link.pathname);
});
show(location.pathname);
`;
}
