/** For the pages of the site: `/` and Ctrl+K (Command+K) open the search. */
const { currentScript } = document;
const page =
  currentScript instanceof HTMLScriptElement
    ? new URL('../search.html', currentScript.src).href
    : undefined;

/** The search page has its own keys; some servers show it without `.html`. */
const isHere =
  page !== undefined &&
  location.pathname.replace(/\.html$/, '') === new URL(page).pathname.replace(/\.html$/, '');

document.addEventListener('keydown', (event) => {
  if (page === undefined || isHere || event.defaultPrevented || event.isComposing) return;
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  const isSlash =
    event.key === '/' &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !isEdited(event.target);
  if (!isShortcut && !isSlash) return;
  event.preventDefault();
  location.assign(page);
});

/** True for what a person types into: there, a slash is text. */
function isEdited(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
