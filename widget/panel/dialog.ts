import type { PageContext } from '../options.ts';

/** The panel's native dialog: modal where the screen is small. */

const SMALL = '(max-width: 560px), (max-height: 520px)';

export interface PanelDialog {
  element: HTMLDialogElement;
  /** Does nothing when it is open. */
  open(): void;
  /** Does nothing when it is closed. */
  close(): void;
}

export function createDialog({ frame, button, root, emit }: PageContext): PanelDialog {
  const element = document.createElement('dialog');
  frame.append(element);
  const page = document.documentElement.style;
  let overflow: string | null = null;
  let opener: HTMLElement = button;

  function open(): void {
    if (element.open) return;
    const { activeElement, body } = document;
    opener = activeElement === body || activeElement === root.host ? button : (activeElement as HTMLElement);
    button.hidden = true;
    if (matchMedia(SMALL).matches) {
      overflow = page.overflow;
      page.overflow = 'hidden';
      element.showModal();
    } else element.show();
    emit('open');
  }

  function close(): void {
    if (!element.open) return;
    element.close();
    if (overflow !== null) page.overflow = overflow;
    overflow = null;
    button.hidden = false;
    opener?.focus();
    emit('close');
  }

  element.setAttribute('aria-labelledby', 'heading');
  element.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    // A page's shortcuts are not for what is typed here.
    event.stopPropagation();
  });
  return { element, open, close };
}
