// Shows in the preview what the form says, and puts it into the tag to copy.
const form = document.querySelector('.try form');
const preview = document.querySelector('.try iframe');
const tag = document.querySelector('#tag');
const plain = tag.textContent;
const defaults = new Map(new FormData(form));

function show() {
  const chosen = [...new FormData(form)].filter(([name, value]) => value !== '' && value !== defaults.get(name));
  const attributes = chosen.map(
    ([name, value]) => `\n  data-${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  tag.textContent = plain.replace('></script>', `${attributes.join('')}></script>`);
  const address = `/docs/widget-preview.html?${new URLSearchParams(chosen)}`;
  if (preview.contentWindow.location.href !== new URL(address, location.href).href)
    preview.contentWindow.location.replace(address);
}

form.addEventListener('change', show);
form.addEventListener('submit', (event) => event.preventDefault());
