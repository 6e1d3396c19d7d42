// Names for what the theme leaves without one, so that screen readers tell its parts apart.
document.querySelector('.md-search')?.setAttribute('aria-label', 'Search');
const name = () => {
  const unnamed = document.querySelectorAll('nav.md-nav .md-nav:not([data-named]), nav.md-code__nav:not([data-named])');
  for (const nav of unnamed) {
    const kind = nav.matches('.md-code__nav') ? 'Code' : (nav.querySelector('.md-nav__title')?.textContent ?? '').trim() || 'Pages';
    nav.removeAttribute('aria-labelledby');
    nav.dataset.named = document.querySelectorAll('nav[data-named]').length + 1;
    nav.setAttribute('aria-label', `${kind} (${nav.dataset.named})`);
  }
  // Wide tables scroll, by keys too.
  for (const part of document.querySelectorAll('.md-typeset__scrollwrap:not([tabindex])')) part.tabIndex = 0;
};
name();
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
