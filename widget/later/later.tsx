import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { keep, rejoin, restoreScroll } from './keep.ts';
import css from './later.css';

/** Parts that are not needed before the first trucks are there: a chunk of the panel. */

export { blur } from './blur.ts';
export { more } from './more.tsx';
export { wait } from './wait.ts';
export { keep };

/** Takes what the panel has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

/** Opening hours, prices and what is sold are read again when the panel is opened after so long. */
const STALE_MS = 600_000;

/** When the panel's trucks were found. */
const foundAt = new WeakMap<PanelContext, number>();

/** Notes each time that trucks were found; does all else once per panel. */
export function begin(panel: PanelContext): void {
  const isBegun = foundAt.has(panel);
  foundAt.set(panel, Date.now());
  if (isBegun) return;
  const { signal } = panel.ended;
  // This file may come after another panel was opened: the focus is in the one that was opened last.
  if (document.activeElement === panel.page.root.host) closeOthers(panel);
  const onOpen = () => {
    closeOthers(panel);
    renew(panel);
  };
  panel.page.root.host.addEventListener('open', onOpen, { signal });
  addEventListener('pagehide', () => keep(panel), { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && rejoin(panel), { signal });
  visualViewport?.addEventListener('resize', () => fit(panel), { signal });
  restoreScroll(panel);
  panel.draw();
}

function renew(panel: PanelContext): void {
  const { m } = panel;
  if (Date.now() - (foundAt.get(panel) ?? 0) < STALE_MS) return;
  m.pageVin = undefined;
  // A new card is read again.
  if (m.truck) m.truck = { ...m.truck };
  kit.findTrucks(panel);
}

/** One dealer's panel at a time. */
function closeOthers({ page: { dealers }, identity }: PanelContext): void {
  for (const [slug, other] of Object.entries(dealers ?? {}))
    if (slug !== identity.dealerSlug) other.push(['close']);
}

/** The dealer's logo in the header. */
export function logo({ data, m }: PanelContext) {
  if (!data.logo || m.trail[1]) return null;
  return <img class="logo" src={data.logo} alt="" onError={({ currentTarget }) => currentTarget.remove()} />;
}

/** On a phone the keyboard lies over the page: the message field must not lie under it. */
function fit({ page }: PanelContext): void {
  const dialog = page.root.querySelector('dialog');
  if (dialog) dialog.style.height = dialog.matches(':modal') ? `${visualViewport?.height}px` : '';
}
