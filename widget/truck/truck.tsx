import type { Kit } from '../kit/kit.ts';
import { borrow, kit } from '../kit/lent.ts';
import type { Scene } from '../panel/scene.ts';
import css from './truck.css';
import { WORDS } from './words.ts';

/** One truck and its facts: a chunk of the panel. */

/** The panel hands over what it has loaded already. */
export function lend(panel: Kit, root: ShadowRoot): void {
  borrow(panel);
  panel.addStyles(root, css);
}

export function truck(scene: Scene) {
  const { m } = scene;
  const words = kit.translate(WORDS);
  const { truck: shown } = m;
  if (!shown) return null;
  const { condition, url } = shown;
  const facts = [
    [words('class'), shown.class?.replace(/\D/g, '')],
    [
      words('condition'),
      condition && (condition === 'new' || condition === 'used' ? words(condition) : kit.humanize(condition)),
    ],
    ['VIN', shown.vin],
  ] as const;
  return (
    <>
      <div class="body" tabindex={0}>
        {kit.photo(scene, shown)}
        <h3>{shown.title}</h3>
        {kit.price(scene, shown)}
        {kit.summary(scene, shown)}
        <dl>
          {facts.map(
            ([name, value]) =>
              value && (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        {url && /^https?:/.test(url) && <a href={url}>{words('page')}</a>}
        {kit.trouble(scene, m.loadFault, () => kit.show(scene, 'lead'))}
      </div>
      <footer>
        {kit.contact(scene, 'main', shown)}
        {m.chat && <button onClick={() => kit.show(scene, 'chat')}>{words('ask')}</button>}
      </footer>
    </>
  );
}
