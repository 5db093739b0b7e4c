// Adds a button to every command. Without it, the commands are there all the same.
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('.code.request')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.setAttribute('aria-live', 'polite');
    button.textContent = 'Copy';
    figure.querySelector('figcaption').append(button);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  }
}
