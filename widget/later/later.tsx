import type { Kit } from '../kit/kit.ts';
import { borrow } from '../kit/lent.ts';
import type { Scene } from '../panel/scene.ts';
import { keep, rejoin, restoreScroll } from './keep.ts';
import css from './later.css';

/** What nobody needs before the first trucks are there: a chunk of the panel. */

export { blur } from './blur.ts';
export { more } from './more.tsx';
export { wait } from './wait.ts';
export { keep };

/** The panel hands over what it has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

const begun = new WeakSet<Scene>();

/** Once per panel. */
export function begin(scene: Scene): void {
  if (begun.has(scene)) return;
  begun.add(scene);
  const { signal } = scene.ended;
  // This file may come after another panel was opened: the focus is in the one that was opened last.
  if (document.activeElement === scene.stage.root.host) closeOthers(scene);
  scene.stage.root.host.addEventListener('open', () => closeOthers(scene), { signal });
  addEventListener('pagehide', () => keep(scene), { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && rejoin(scene), { signal });
  visualViewport?.addEventListener('resize', () => fit(scene), { signal });
  restoreScroll(scene);
  scene.draw();
}

/** One dealer's panel at a time. */
function closeOthers({ stage: { dealers }, who }: Scene): void {
  for (const [slug, other] of Object.entries(dealers ?? {}))
    if (slug !== who.dealerSlug) other.push(['close']);
}

/** The dealer's own sign in the header. */
export function logo({ data, m }: Scene) {
  if (!data.logo || m.trail[1]) return null;
  const address = new URL(data.logo, location.href).href;
  return <img class="logo" src={address} alt="" onError={({ currentTarget }) => currentTarget.remove()} />;
}

/** On a phone the keyboard lies over the page: the message field must not lie under it. */
function fit({ stage }: Scene): void {
  const dialog = stage.root.querySelector('dialog');
  if (dialog) dialog.style.height = dialog.matches(':modal') ? `${visualViewport?.height}px` : '';
}
