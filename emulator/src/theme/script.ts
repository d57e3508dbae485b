/** Runs in the reader's browser: colour scheme, menu, copy buttons, search. It fetches nothing. */
export const SCRIPT = `'use strict';
(() => {
  const root = document.documentElement;
  const remember = (value) => { try { localStorage.setItem('theme', value); } catch { /* not allowed here */ } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);

  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(root.dataset.theme);
  });

  document.querySelector('[data-menu]')?.addEventListener('click', (event) => {
    const open = document.body.classList.toggle('menu-open');
    event.currentTarget.setAttribute('aria-expanded', String(open));
  });
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

  if (navigator.clipboard) {
    for (const block of document.querySelectorAll('article pre')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.querySelector('code').textContent);
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 1500);
      });
      block.append(button);
    }
  }

  const field = document.querySelector('[data-search]');
  const list = document.querySelector('[data-results]');
  if (!field || !list) return;
  const base = field.dataset.search;
  const pages = window.siteSearch || [];
  const rank = (page, words) => {
    const title = page.title.toLowerCase();
    const text = page.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      if (title.includes(word)) score += 5;
      else if (text.includes(word)) score += 1;
      else return 0;
    }
    return score;
  };
  const show = (page, word) => {
    const item = document.createElement('a');
    item.href = base + page.path.split('/').map(encodeURIComponent).join('/');
    const title = document.createElement('strong');
    title.textContent = page.title;
    const found = Math.max(0, page.text.toLowerCase().indexOf(word) - 40);
    const text = document.createElement('span');
    text.textContent = (found > 0 ? '\\u2026' : '') + page.text.slice(found, found + 120);
    item.append(title, text);
    list.append(item);
  };
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    list.replaceChildren();
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    const hits = pages.map((page) => ({ page, score: rank(page, words) })).filter((hit) => hit.score > 0);
    hits.sort((a, b) => b.score - a.score).slice(0, 8).forEach((hit) => show(hit.page, words[0]));
    if (hits.length === 0) list.textContent = 'Nothing found.';
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !typing) { event.preventDefault(); field.focus(); }
    if (event.key === 'Escape') { field.value = ''; list.hidden = true; field.blur(); }
  });
})();
`;

/** In the head, so the reader's choice applies before anything is painted. */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`;
