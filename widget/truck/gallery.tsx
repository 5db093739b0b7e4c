import type { Card } from '../../lib/search/widget/widget.ts';
import { kit } from '../kit/lent.ts';
import type { PanelContext } from '../panel/panel-context.ts';
import { WORDS } from './words.ts';

/** The truck's photos: swiped, scrolled, or moved by two buttons. */
export function gallery(panel: PanelContext, truck: Card) {
  const { photos = [] } = truck;
  const say = kit.translate(WORDS);
  if (!photos[0]) return kit.photo(panel, truck);
  const move = (by: number) => (event: Event) => {
    const strip = (event.currentTarget as Element).parentElement?.querySelector('.strip');
    strip?.scrollBy({ left: by * strip.clientWidth });
  };
  const count = ({ currentTarget: strip }: { currentTarget: HTMLElement }) => {
    const at = Math.round(strip.scrollLeft / strip.clientWidth);
    const position = strip.parentElement?.querySelector('.at');
    if (position) position.textContent = `${at + 1} / ${photos.length}`;
  };
  return (
    <div class="gallery" key={truck.vin}>
      <ul class="strip" tabindex={0} aria-label={say('photos')} onScroll={count}>
        {photos.map(({ url, alt, width, height }, at) => (
          <li key={url}>
            <img
              src={new URL(url, panel.base).href}
              alt={alt}
              width={width}
              height={height}
              loading={at ? 'lazy' : 'eager'}
            />
          </li>
        ))}
      </ul>
      {photos[1] && (
        <>
          <button class="icon earlier" aria-label={say('earlier')} onClick={move(-1)}>
            {kit.icon('back')}
          </button>
          <button class="icon next" aria-label={say('next')} onClick={move(1)}>
            {kit.draw('M9 5l7 7-7 7')}
          </button>
          <span class="at" aria-hidden="true">{`1 / ${photos.length}`}</span>
        </>
      )}
    </div>
  );
}
