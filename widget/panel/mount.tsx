import { render } from 'preact';
import type { Panel, Stage } from '../options.ts';
import { actions } from './act.ts';
import { recall } from './memory.ts';
import { type Conversation, emptyModel, type View } from './model.ts';
import css from './panel.css';
import { icon, type Scene } from './parts.tsx';
import { VIEWS } from './views.tsx';
import { tongue } from './words.ts';

/** The panel: a native dialog, modal where the screen is small. */

const SMALL = '(max-width: 560px), (max-height: 520px)';

/** Until it is known what there is to show, so that nothing moves once it is. */
const waiting = (
  <div class="body" aria-busy={true}>
    {[1, 2, 3, 4].map(() => (
      <div class="bone" />
    ))}
  </div>
);

export function mount(stage: Stage): Panel {
  const { script, column, label, root, frame, button, tell } = stage;
  const data = script.dataset;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  const dialog = document.createElement('dialog');
  frame.append(dialog);

  const m = emptyModel(recall<Conversation>(data.dealer ?? ''));
  const act = actions(stage, m, draw);
  const scene: Scene = { ...tongue(column), m, act, base: script.src, data };
  const { say } = scene;
  let asked = false;
  let overflow: string | null = null;
  let scrolled = 0;

  function draw(focus?: string): void {
    const view = m.trail.at(-1) ?? 'trucks';
    const follows = dialog.querySelector('.log')?.parentElement?.scrollTop === scrolled;
    render(app(view), dialog);
    const log = dialog.querySelector<HTMLElement>('.log');
    const body = log?.parentElement;
    const question = [...(log?.querySelectorAll<HTMLElement>('.mine') ?? [])].at(-1);
    if (body && (follows || focus)) {
      // The last question stays in sight while its answer grows below it, unless the visitor scrolled elsewhere.
      body.scrollTop = question ? question.offsetTop - body.offsetTop : 0;
      scrolled = body.scrollTop;
    }
    if (focus && dialog.open) dialog.querySelector<HTMLElement>(focus)?.focus();
  }

  const app = (view: View) => {
    const ready = m.chat !== null || m.findFault;
    const sub = m.trail.length > 1 && view !== 'sent';
    const { name = label, phone } = m.dealer ?? {};
    return (
      <>
        <header>
          {sub && (
            <button class="icon" aria-label={say('back')} onClick={act.back}>
              {icon('back')}
            </button>
          )}
          <div>
            <h2 id="heading" tabindex={-1}>
              {view === 'lead' ? say('contact') : name}
            </h2>
            <p class="soft">
              {phone ? <a href={`tel:${phone}`}>{phone}</a> : name !== label ? label : '\u00a0'}
            </p>
          </div>
          <button class="icon" aria-label={say('close')} onClick={close}>
            {icon('close')}
          </button>
        </header>
        {m.chat && m.trail.length === 1 && (
          <nav aria-label={label}>
            {(['trucks', 'chat'] as const).map((each) => (
              <button key={each} aria-current={each === view} onClick={() => act.show(each)}>
                {say(each)}
              </button>
            ))}
          </nav>
        )}
        <div class="view" key={ready ? view : ''}>
          {ready ? VIEWS[view](scene) : waiting}
        </div>
        <p class="hide" role="status">
          {m.news}
        </p>
      </>
    );
  };

  async function start(): Promise<void> {
    if (asked) return;
    asked = true;
    await Promise.all([act.find(), act.vehicle()]);
  }

  function open(focus?: string): void {
    if (!dialog.open) {
      button.hidden = true;
      if (matchMedia(SMALL).matches) {
        overflow = document.documentElement.style.overflow;
        document.documentElement.style.overflow = 'hidden';
        dialog.showModal();
      } else dialog.show();
      tell('open');
    }
    draw(focus ?? '#heading');
    start();
  }

  function close(): void {
    if (!dialog.open) return;
    dialog.close();
    if (overflow !== null) document.documentElement.style.overflow = overflow;
    overflow = null;
    button.hidden = false;
    button.focus();
    tell('close');
  }

  dialog.setAttribute('aria-labelledby', 'heading');
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    // A page's shortcuts are not for what is typed here.
    event.stopPropagation();
  });
  const refind = () => {
    if (m.findFault?.kind === 'offline') act.find();
  };
  addEventListener('online', refind);
  /** On a phone the keyboard lies over the page: the message field must not lie under it. */
  const fit = () => {
    dialog.style.height = dialog.matches(':modal') ? `${visualViewport?.height}px` : '';
  };
  visualViewport?.addEventListener('resize', fit);

  return {
    open,
    close,
    ask(text = '') {
      open();
      act.ask(text);
    },
    vehicle: () => void (asked && act.vehicle()),
    async lead(vin) {
      if (vin) data.vin = vin;
      open();
      act.show('lead');
      if (vin) act.vehicle();
    },
    destroy() {
      close();
      act.end();
      removeEventListener('online', refind);
      visualViewport?.removeEventListener('resize', fit);
      render(null, dialog);
    },
  };
}
