import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import writing from '../kit/writing.css';
import type { PanelContext } from '../panel/panel-context.ts';
import { subject } from '../subject/subject.tsx';
import { ask, repeat, stop } from './ask.ts';
import css from './chat.css';
import { offerForm } from './given-contacts.tsx';
import { log } from './log.tsx';
import { WORDS } from './words.ts';

/** The chat: a chunk of the panel. */

export { ask, stop };

/** Takes what the panel has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, writing + css);
}

const SEND = 'M12 19V5M6 11l6-6 6 6';
const STOP = 'M8 8h8v8H8z';

type Say = ReturnType<typeof translate>;
const translate = () => kit.translate(WORDS);

const hints = (panel: PanelContext, say: Say) => {
  const { m } = panel;
  const hints = m.messages.length ? m.hints : [say(m.about ? 'still' : 'first'), say('person')];
  return (
    <p class="hints">
      {hints.map((hint) => (
        <button onClick={() => ask(panel, hint)}>{hint}</button>
      ))}
    </p>
  );
};

const compose = (panel: PanelContext, say: Say) => {
  const { m, draw } = panel;
  const submit = (event: Event) => {
    event.preventDefault();
    if (m.talking) {
      stop();
      draw('textarea');
    } else if (!m.chatFault || !m.pause) ask(panel, m.draft);
  };
  return (
    <form class="compose" onSubmit={submit}>
      <textarea
        class="start"
        rows={1}
        maxlength={2000}
        aria-label={say('message')}
        placeholder={say('message')}
        value={m.draft}
        onInput={({ currentTarget }) => {
          m.draft = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !m.talking) submit(event);
        }}
      />
      <button
        class="main"
        aria-label={say(m.talking ? 'stop' : 'send')}
        disabled={!!m.chatFault && m.pause > 0}
      >
        {kit.draw(m.talking ? STOP : SEND)}
      </button>
    </form>
  );
};

export function chat(panel: PanelContext) {
  const { m } = panel;
  const say = translate();
  return (
    <>
      <div class="body" tabindex={0}>
        <p class="soft note">{say('note')}</p>
        {log(panel, say)}
        {kit.trouble(panel, m.chatFault, () => repeat(panel))}
        {!m.talking && offerForm(panel, say)}
        {!m.talking && !m.chatFault && hints(panel, say)}
      </div>
      <footer>
        {subject(panel)}
        {compose(panel, say)}
        <p class="soft">{kit.contact(panel, 'link')}</p>
      </footer>
    </>
  );
}
