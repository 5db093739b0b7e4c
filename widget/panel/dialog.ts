import type { Stage } from '../options.ts';

/** The panel's native dialog: modal where the screen is small. */

const SMALL = '(max-width: 560px), (max-height: 520px)';

export interface PanelDialog {
  element: HTMLDialogElement;
  /** Does nothing when it is open. */
  open(): void;
  /** Does nothing when it is closed. */
  close(): void;
  destroy(): void;
}

export function createDialog({ frame, button, emit }: Stage): PanelDialog {
  const element = document.createElement('dialog');
  frame.append(element);
  const page = document.documentElement.style;
  let overflow: string | null = null;

  function open(): void {
    if (element.open) return;
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
    button.focus();
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
  /** On a phone the keyboard lies over the page: the message field must not lie under it. */
  const fit = () => {
    element.style.height = element.matches(':modal') ? `${visualViewport?.height}px` : '';
  };
  visualViewport?.addEventListener('resize', fit);
  return {
    element,
    open,
    close,
    destroy() {
      close();
      visualViewport?.removeEventListener('resize', fit);
    },
  };
}
