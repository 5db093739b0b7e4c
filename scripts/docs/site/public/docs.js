/** What the pages do in a browser: each reads well without. Runs before the page is shown. */

const THEME = 'docs-theme';
const LANGUAGE = 'docs-language';
const EXAMPLE_ADDRESS = 'https://api.example.com';

/** Storage is closed to some visitors. */
function readSetting(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keepSetting(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then holds for this page.
  }
}

const theme = readSetting(THEME);
if (theme) document.documentElement.dataset.theme = theme;

document.addEventListener('DOMContentLoaded', () => {
  showOwnAddress(document.querySelector('main'));
  addThemeButton();
  addCopyButtons();
  addCopyPage();
  openTabs(readSetting(LANGUAGE));
  for (const input of document.querySelectorAll('.tabs input'))
    input.addEventListener('change', () => {
      keepSetting(LANGUAGE, input.labels[0].textContent);
      openTabs(input.labels[0].textContent);
    });
  document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' });
  const form = document.querySelector('.try-widget');
  if (form) tryWidget(form);
});

function addButton(parent, text, press) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => press(button));
  parent.append(button);
  return button;
}

/** Samples name the service that serves the page, ready to be copied. */
function showOwnAddress(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (text.nodeValue.includes(EXAMPLE_ADDRESS))
      text.nodeValue = text.nodeValue.replaceAll(EXAMPLE_ADDRESS, location.origin);
}

function addThemeButton() {
  const isDark = () =>
    (document.documentElement.dataset.theme ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const name = () => (isDark() ? 'Light' : 'Dark');
  const button = addButton(document.querySelector('header nav'), name(), () => {
    const chosen = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = chosen;
    keepSetting(THEME, chosen);
    button.textContent = name();
  });
}

async function copy(button, readText) {
  const { textContent: name } = button;
  try {
    await navigator.clipboard.writeText(await readText());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = name;
  }, 2_000);
}

function addCopyButtons() {
  for (const pre of document.querySelectorAll('main pre')) {
    const frame = document.createElement('div');
    frame.className = 'copied';
    pre.replaceWith(frame);
    frame.append(pre);
    addButton(frame, 'Copy', (button) => copy(button, () => pre.textContent.trimEnd()));
  }
}

/** For a program or an assistant. */
function addCopyPage() {
  const place = document.querySelector('.copy-page');
  const { href } = place.querySelector('a');
  addButton(place, 'Copy page as Markdown', (button) =>
    copy(button, async () => {
      const answer = await fetch(href);
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    }),
  );
}

/** Who chooses a language once reads all samples in it. */
function openTabs(language) {
  for (const input of document.querySelectorAll('.tabs input'))
    if (input.labels[0].textContent === language) input.checked = true;
}

/** The widget as visitors get it, with trucks made up for the page, and the tag for what the form says. */
function tryWidget(form) {
  const preview = document.querySelector('iframe.try-widget');
  const tag = document.querySelector('#widget-tag code');
  const escaped = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  form.addEventListener('change', () => {
    const options = [...form.elements].filter(({ value, dataset }) => value !== dataset.default);
    const query = new URLSearchParams(options.map(({ name, value }) => [name, value]));
    preview.src = `/docs/widget-preview.html?${query}`;
    const attributes = options.map(({ name, value }) => `\n  data-${name}="${escaped(value)}"`);
    tag.textContent = `<script async src="${location.origin}/widget.js"
  data-dealer="lone-star-trucks" data-key="ctis_wk_live_…"${attributes.join('')}></script>`;
  });
}
