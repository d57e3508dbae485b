/** In the head: what a reader chose is there before anything is painted. */
export const EARLY_SCRIPT = `try{const t=localStorage.getItem('docs-courier-theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch{}`;

/** In the reader's browser: filters, keys and colours. It fetches nothing and writes no markup; without it everything is shown. */
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
