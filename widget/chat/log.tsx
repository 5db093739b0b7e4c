import { kit } from '../kit/lent.ts';
import type { Message } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { type Block, readBlocks } from './blocks.ts';
import type { WORDS } from './words.ts';

/** The messages, with their times. */

const draw = ({ kind, lines }: Block) => {
  const items = lines.map((line) => <li>{line}</li>);
  return kind === 'p' ? <p>{lines.join('\n')}</p> : kind === 'ol' ? <ol>{items}</ol> : <ul>{items}</ul>;
};

/** Formats the hour, with the date if it is another day's. */
function describeTime({ identity }: PanelContext, at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(`${identity.locale}-US`, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  });
}

const bubble = (panel: PanelContext, { isFromVisitor, text, at }: Message, you: string) => (
  <div class={isFromVisitor ? 'said mine' : 'said'}>
    {isFromVisitor && <span class="hide">{you} </span>}
    {isFromVisitor ? <p>{text}</p> : readBlocks(text.trim()).map(draw)}
    {at && <time dateTime={new Date(at).toISOString()}>{describeTime(panel, at)}</time>}
  </div>
);

/** Height of each log when it was last scrolled: until it grows, it stays where the visitor scrolled to. */
const heights = new WeakMap<Element, number>();

/** The last question stays in sight while its answer grows below it. */
function showNewest(log: HTMLElement | null): void {
  const body = log?.parentElement;
  if (!log || !body || heights.get(log) === log.scrollHeight) return;
  heights.set(log, log.scrollHeight);
  const last = [...log.querySelectorAll<HTMLElement>(':scope > .mine')].at(-1);
  const above = log.previousElementSibling?.clientHeight ?? 0;
  body.scrollTop = last ? last.offsetTop - body.offsetTop - above : 0;
}

export const log = (panel: PanelContext, say: (word: keyof typeof WORDS) => string) => {
  const { m, data } = panel;
  return (
    <div
      class="log"
      role="log"
      aria-live="off"
      aria-busy={m.talking}
      aria-label={panel.say('chat')}
      ref={(log) => showNewest(log)}
    >
      <div class="said">
        <p>{data.greeting || say('hello')}</p>
      </div>
      {m.messages.map((message) => (
        <>
          {message.text && bubble(panel, message, say('you'))}
          {message.trucks[0] && <ul>{message.trucks.map((each) => kit.card(panel, each))}</ul>}
        </>
      ))}
      {m.talking && !m.messages.at(-1)?.text && <p class="dots">…</p>}
    </div>
  );
};
