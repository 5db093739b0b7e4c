import { loadChunk } from '../kit/chunks.ts';
import { trucksView } from '../trucks/trucks-view.tsx';
import type { Dealer, View } from './model.ts';
import { CHUNK_OF_VIEW, goBack, show } from './navigate.ts';
import type { PanelContext } from './panel-context.ts';
import { icon, reach, trouble } from './parts.tsx';

/** The whole panel. */

/** Until it is known what there is to show, so that nothing moves once it is. */
const skeleton = (
  <div class="body" aria-busy={true}>
    {[1, 2, 3].map(() => (
      <div class="bone" />
    ))}
  </div>
);

function content(panel: PanelContext, view: View) {
  const { m, chunks } = panel;
  if (m.chat === undefined && !m.findFault) return skeleton;
  if (view === 'trucks') return trucksView(panel);
  const { chat, truck, form } = chunks;
  const drawn =
    view === 'chat' ? chat?.chat(panel) : view === 'truck' ? truck?.truck(panel) : form?.[view](panel);
  if (drawn) return drawn;
  const retry = () => loadChunk(panel, CHUNK_OF_VIEW[view]).then(() => panel.draw('.start'));
  return m.loadFault ? <div class="body">{trouble(panel, m.loadFault, retry)}</div> : skeleton;
}

const header = (panel: PanelContext, view: View, close: () => void) => {
  const { say, m, chunks } = panel;
  const { name, phone, sms, opening, reply } = m.dealer as Dealer;
  const isThere = [opening?.text, reply].filter(Boolean).join(', ');
  return (
    <header>
      {m.trail.length > 1 && view !== 'receipt' && (
        <button class="icon" aria-label={say('back')} onClick={() => goBack(panel)}>
          {icon('back')}
        </button>
      )}
      {chunks.later?.logo(panel)}
      <h2 id="heading" tabindex={-1}>
        {view === 'lead' ? say('contact') : name}
      </h2>
      {reach(panel, 'tel', phone)}
      {reach(panel, 'sms', sms)}
      <button class="icon" aria-label={say('close')} onClick={close}>
        {icon('close')}
      </button>
      <p class="soft">{isThere || phone || '\u00a0'}</p>
    </header>
  );
};

export const app = (panel: PanelContext, view: View, close: () => void) => {
  const { say, m, page } = panel;
  const ready = m.chat !== undefined || m.findFault;
  return (
    <>
      {header(panel, view, close)}
      {m.chat && m.trail.length === 1 && (
        <nav aria-label={page.label}>
          {(['trucks', 'chat'] as const).map((each) => (
            <button key={each} aria-current={each === view} onClick={() => show(panel, each)}>
              {each === 'chat' && icon(each)}
              {say(each)}
            </button>
          ))}
        </nav>
      )}
      <div class="view" key={ready ? view : ''}>
        {content(panel, view)}
      </div>
      <p class="hide" role="status">
        {m.news}
      </p>
    </>
  );
};
