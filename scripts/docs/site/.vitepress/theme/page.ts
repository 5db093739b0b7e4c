import { EXAMPLE_ADDRESS } from './example-address.ts';

/** What the pages do in a browser beyond VitePress. */

/** VitePress gives every page but the home page a main landmark. */
export function markMain(): void {
  const content = document.querySelector('#VPContent');
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main');
  else content?.removeAttribute('role');
}

const LANGUAGE = 'docs-language';

/** Samples name the service that serves the page, ready to be copied. */
export function showOwnAddress(): void {
  for (const code of document.querySelectorAll('.vp-doc code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (text.nodeValue?.includes(EXAMPLE_ADDRESS))
        text.nodeValue = text.nodeValue.replaceAll(EXAMPLE_ADDRESS, location.origin);
  }
}

/** Who chooses a language once reads all samples in it. */
export function rememberLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return;
    localStorage.setItem(LANGUAGE, target.labels?.[0]?.textContent ?? '');
    showRememberedLanguage();
  });
}

export function showRememberedLanguage(): void {
  const language = localStorage.getItem(LANGUAGE);
  if (!language) return;
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const labels = [...group.querySelectorAll('label')];
    const at = labels.findIndex(({ textContent }) => textContent === language);
    const input = group.querySelectorAll<HTMLInputElement>('.tabs input')[at];
    if (!input) continue;
    input.checked = true;
    group.querySelectorAll('.blocks > *').forEach((block, index) => {
      block.classList.toggle('active', index === at);
    });
  }
}

/** `/docs/?q=…`, where the form of the page for stray addresses leads. */
export function openAskedSearch(): void {
  const asked = new URLSearchParams(location.search).get('q');
  if (!asked) return;
  sessionStorage.setItem('vitepress:local-search-filter', asked);
  document.querySelector<HTMLButtonElement>('.DocSearch-Button')?.click();
}
