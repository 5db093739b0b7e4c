import { loadChunk } from '../kit/chunks.ts';
import { trucksView } from '../trucks/trucks-view.tsx';
import type { View } from './model.ts';
import { CHUNK_OF_VIEW, goBack, show } from './navigate.ts';
import { icon, reach, trouble } from './parts.tsx';
import type { Scene } from './scene.ts';

/** The whole panel. */

/** Until it is known what there is to show, so that nothing moves once it is. */
const waiting = (
  <div class="body" aria-busy={true}>
    {[1, 2, 3, 4].map(() => (
      <div class="bone" />
    ))}
  </div>
);

function content(scene: Scene, view: View) {
  const { m, chunks } = scene;
  if (m.chat === undefined && !m.findFault) return waiting;
  if (view === 'trucks') return trucksView(scene);
  const { chat, truck, form } = chunks;
  const drawn =
    view === 'chat' ? chat?.chat(scene) : view === 'truck' ? truck?.truck(scene) : form?.[view](scene);
  if (drawn) return drawn;
  const retry = () => loadChunk(scene, CHUNK_OF_VIEW[view]).then(() => scene.draw('.start'));
  return m.loadFault ? <div class="body">{trouble(scene, m.loadFault, retry)}</div> : waiting;
}

const header = (scene: Scene, view: View, close: () => void) => {
  const { say, m, stage, chunks } = scene;
  const { name = stage.label, phone, sms, opening, reply } = m.dealer ?? {};
  const isThere = [opening?.text, reply].filter(Boolean).join(', ');
  return (
    <header>
      {m.trail.length > 1 && view !== 'sent' && (
        <button class="icon" aria-label={say('back')} onClick={() => goBack(scene)}>
          {icon('back')}
        </button>
      )}
      {chunks.later?.logo(scene)}
      <h2 id="heading" tabindex={-1}>
        {view === 'lead' ? say('contact') : name}
      </h2>
      {reach(scene, 'tel', phone)}
      {reach(scene, 'sms', sms)}
      <button class="icon" aria-label={say('close')} onClick={close}>
        {icon('close')}
      </button>
      <p class="soft">{isThere || phone || '\u00a0'}</p>
    </header>
  );
};

export const app = (scene: Scene, view: View, close: () => void) => {
  const { say, m, stage } = scene;
  const ready = m.chat !== undefined || m.findFault;
  return (
    <>
      {header(scene, view, close)}
      {m.chat && m.trail.length === 1 && (
        <nav aria-label={stage.label}>
          {(['trucks', 'chat'] as const).map((each) => (
            <button key={each} aria-current={each === view} onClick={() => show(scene, each)}>
              {say(each)}
            </button>
          ))}
        </nav>
      )}
      <div class="view" key={ready ? view : ''}>
        {content(scene, view)}
      </div>
      <p class="hide" role="status">
        {m.news}
      </p>
    </>
  );
};
