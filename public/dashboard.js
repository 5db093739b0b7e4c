// What pages of the dashboard add for those with script: everything works without it.

/** Moments in the reader's own time. */
function localizeTimes(part) {
  for (const time of part.querySelectorAll('time[datetime]')) {
    const local = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    if (time.dataset.relative === undefined) time.textContent = local;
    else time.title = local;
  }
}
localizeTimes(document);

/** A page that shows something new once: to reload it makes no other. */
if (document.querySelector('.made')) history.replaceState(null, '', location.href);

/** Buttons that copy what stands beside them. */
for (const copy of document.querySelectorAll('[data-copy]')) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
  button.setAttribute('aria-label', `Copy the ${copy.dataset.copy}`);
  button.onclick = async () => {
    await navigator.clipboard.writeText(copy.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };
  copy.append(button);
}

/** How many boxes of a list are ticked, beside the buttons that act on them. */
const countChosen = (form) => {
  const many = form.querySelectorAll('input:checked').length;
  return `${many} ${many === 1 ? 'truck' : 'trucks'}`;
};
for (const form of document.querySelectorAll('[data-count]'))
  form.addEventListener('change', () => {
    form.querySelector('output').textContent = `${countChosen(form)} selected`;
  });

/** Questions before what cannot be undone; and no form is sent twice by a double click. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  const question = event.submitter?.dataset.confirm?.replace('#', countChosen(form));
  // When no truck is chosen, the page says so.
  const isEmpty = form.matches('[data-count]') && !form.querySelector('input:checked');
  if (question && !isEmpty && !confirm(question)) return event.preventDefault();
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = 'true';
  // A download leaves the page as it is.
  setTimeout(() => delete form.dataset.sent, 5_000);
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

/** A field that is typed into is no longer the one that was refused. */
document.addEventListener('input', ({ target }) => target.removeAttribute('aria-invalid'));

/** The code from the mail's link fills its field, and leaves the address. */
const code = document.querySelector('[data-code] input[name=code]');
if (code && location.hash) {
  code.value = location.hash.slice(1, 21);
  history.replaceState(null, '', location.pathname + location.search);
  code.focus();
}

/** Files that are dropped on a form's field of files. */
for (const drop of document.querySelectorAll('[data-drop]')) {
  const input = drop.querySelector('input[type=file]');
  const over = (isOver) => (event) => {
    event.preventDefault();
    drop.classList.toggle('over', isOver);
  };
  drop.addEventListener('dragover', over(true));
  drop.addEventListener('dragleave', over(false));
  drop.addEventListener('drop', (event) => {
    over(false)(event);
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** A file that the platform would refuse before our page is asked. */
for (const input of document.querySelectorAll('[data-max-bytes]'))
  input.addEventListener('change', () => {
    const isTooLarge = input.files[0]?.size > input.dataset.maxBytes;
    input.setCustomValidity(isTooLarge ? input.dataset.tooLarge : '');
    input.reportValidity();
  });

/** What is under way is asked for again; only the parts marked as live change. */
const seconds = Number(document.body.dataset.refresh);
if (seconds) setTimeout(refresh, seconds * 1000);

function refresh() {
  const request = new XMLHttpRequest();
  request.open('GET', location.href);
  // A document of its own: no text becomes markup here.
  request.responseType = 'document';
  request.onload = () => {
    const fresh = request.response;
    if (!fresh) return;
    if (!fresh.body.dataset.refresh) return location.reload();
    for (const part of document.querySelectorAll('[data-live]')) {
      const other = fresh.getElementById(part.id);
      if (!other) continue;
      localizeTimes(other);
      part.replaceWith(document.adoptNode(other));
    }
    setTimeout(refresh, Number(fresh.body.dataset.refresh) * 1000);
  };
  request.onerror = () => setTimeout(refresh, 10_000);
  request.send();
}
