import { kit } from '../kit/lent.ts';
import type { Conversation } from '../panel/model.ts';
import type { PanelContext } from '../panel/panel-context.ts';

/** What the next page of the site restores: conversation, form, search, view and scroll position. */

const MAX_MESSAGES_KEPT = 40;

const findBody = ({ page }: PanelContext) => page.root.querySelector('dialog .body');

export function keep(panel: PanelContext): void {
  const { m, identity } = panel;
  const {
    id,
    hints,
    captured,
    enquired,
    form,
    dealer,
    draft,
    q,
    sort,
    narrowed,
    facets,
    truck,
    about,
    landed,
  } = m;
  const body = findBody(panel);
  const conversation: Conversation = {
    id,
    hints,
    captured,
    enquired,
    form,
    dealer,
    draft,
    q,
    sort,
    narrowed,
    facets,
    truck,
    about,
    landed,
    messages: m.messages.slice(-MAX_MESSAGES_KEPT),
    trail: m.trail.filter((view) => view !== 'receipt'),
    scrollPx: body?.clientHeight ? body.scrollTop : m.scrollPx,
  };
  kit.stored('sessionStorage', identity.dealerSlug, JSON.stringify(conversation));
}

/** Scrolls once, when the content is there again. */
export function restoreScroll(panel: PanelContext): void {
  const { m } = panel;
  const view = m.trail.at(-1);
  const body = findBody(panel);
  if (body && m.scrollPx && view !== 'chat') body.scrollTop = m.scrollPx;
}

/** A page from the browser's history goes on with what was said and filled in on the pages after it. */
export function rejoin(panel: PanelContext): void {
  const { m, draw, identity } = panel;
  const conversation = kit.recall<Conversation>(identity.dealerSlug);
  if (!conversation) return;
  const { id, messages, hints, captured, enquired, form, draft } = conversation;
  Object.assign(m, { id, messages, hints, captured, enquired, form, draft, talking: false });
  draw();
}
