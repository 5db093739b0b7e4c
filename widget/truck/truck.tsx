import type { Card } from '../../lib/search/widget/widget.ts';
import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { DONE } from '../subject/done.ts';
import { requestedCards } from './follow.ts';
import { gallery } from './gallery.tsx';
import css from './truck.css';
import { WORDS } from './words.ts';

/** One truck and its facts: a chunk of the panel. */

export { follow } from './follow.ts';

/** Takes what the panel has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

/**
 * Reads what a list leaves out, and what may have changed since an earlier page kept it. Without it the view shows
 * what the card says.
 */
async function loadFacts({ request, identity, draw }: PanelContext, card: Card): Promise<void> {
  if (requestedCards.has(card)) return;
  requestedCards.add(card);
  const answer = await request('inventory', { query: { ...identity, vin: card.vin } });
  const { vehicles }: { vehicles: Card[] } = await answer.json();
  // The service finds no truck that is sold or delisted.
  Object.assign(card, vehicles[0] ?? { status: 'sold' });
  draw();
}

async function share({ m, draw }: PanelContext, { title, url }: Card): Promise<void> {
  const link = url ?? location.href;
  try {
    if (navigator.share) return await navigator.share({ title, url: link });
    await navigator.clipboard.writeText(link);
    m.news = kit.translate(WORDS)('copied');
  } catch {
    // The visitor closed the sheet, or the page may not copy.
  }
  draw();
}

/** Ways to the dealer in person, and to show the truck to others. */
function contactButtons(panel: PanelContext, truck: Card) {
  const say = kit.translate(WORDS);
  const { phone, sms } = panel.m.dealer ?? {};
  const text = encodeURIComponent(say('about', truck.title).replace('#', truck.vin));
  return (
    <p class="reach">
      {phone && <a href={`tel:${kit.toDialed(phone)}`}>{say('call')}</a>}
      {sms && <a href={`sms:${kit.toDialed(sms)}?&body=${text}`}>{say('text')}</a>}
      <button type="button" onClick={() => share(panel, truck)}>
        {panel.m.news === say('copied') ? say('copied') : say('share')}
      </button>
    </p>
  );
}

/** A button below a truck means this one, whatever the page is about by now. */
function showAbout(panel: PanelContext, truck: Card, view: 'lead' | 'chat'): void {
  panel.m.about = truck;
  kit.show(panel, view);
}

/** The way to the form; for a further truck one press sends it. */
function contact(panel: PanelContext, truck: Card) {
  const { m } = panel;
  const say = kit.translate(WORDS);
  if (m.enquired.includes(truck.vin))
    return (
      <p class="done">
        {kit.draw(DONE)}
        {say('added')}
      </p>
    );
  if (m.unsent?.includes(truck.vin)) return <p class="done">{say('waiting')}</p>;
  if (!m.captured)
    return (
      <button type="button" class="main" onClick={() => showAbout(panel, truck, 'lead')}>
        {panel.say('contact')}
      </button>
    );
  const add = () => kit.loadChunk(panel, 'form').then((form) => form?.send(panel, truck));
  return (
    <button type="button" class="main" aria-busy={m.sending} onClick={add}>
      {say(m.sending ? 'sending' : 'add')}
    </button>
  );
}

export function truck(panel: PanelContext) {
  const { m } = panel;
  const words = kit.translate(WORDS);
  const { truck: card } = m;
  if (!card) return null;
  loadFacts(panel, card).catch(() => {});
  const { description, specs, url } = card;
  return (
    <>
      <div class="body" tabindex={0}>
        {gallery(panel, card)}
        <h3>{card.title}</h3>
        {kit.price(panel, card)}
        {kit.summary(card)}
        {contactButtons(panel, card)}
        <dl>
          {(specs ?? [{ id: 'vin', name: 'VIN', value: card.vin }]).map(({ id, name, value }) => (
            <div key={id} style="display:contents">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {description && <p class="own">{description}</p>}
        {url && /^https?:/.test(url) && <a href={url}>{words('page')}</a>}
        {kit.trouble(panel, m.loadFault, () => showAbout(panel, card, 'lead'))}
      </div>
      <footer>
        {contact(panel, card)}
        {m.chat && <button onClick={() => showAbout(panel, card, 'chat')}>{words('ask')}</button>}
      </footer>
    </>
  );
}
