import type { Card } from '../../lib/search/widget/widget.ts';
import { show, showTruck } from './navigate.ts';
import type { PanelContext } from './panel-context.ts';
import type { Fault } from './requests.ts';

/** What several views are made of. */

export const ICONS = {
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  find: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0M16.500 16.500 21 21',
  tel: 'M4 4h5l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v5A16 16 0 0 1 4 4',
  sms: 'M7 2h10v20H7z',
  chat: 'M4 4h16v11H9l-5 5z',
} as const;

export const icon = (name: keyof typeof ICONS) => draw(ICONS[name]);

export const draw = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

export const photo = ({ base, chunks: { later } }: PanelContext, { image, vin }: Card) => (
  <span class="photo" key={vin}>
    <i class="truck" />
    {image?.placeholder && (
      <canvas ref={(canvas) => void later?.blur(canvas, image.placeholder ?? '').catch(() => {})} />
    )}
    {image && <img src={new URL(image.url, base).href} alt="" loading="lazy" />}
  </span>
);

/** A price comes with its currency, but in a list of trucks that an older panel kept. */
export const price = ({ say, money }: PanelContext, { price: amount, currency, status }: Card) => (
  <strong>
    {status !== 'available' ? say('gone') : amount === null ? say('call') : money(amount, currency as string)}
  </strong>
);

/** Miles, body and place in one line. */
export const summary = ({ distance, body, location }: Card) => (
  <span class="soft">{[distance, body, location].filter(Boolean).join(' · ')}</span>
);

export const card = (panel: PanelContext, truck: Card) => (
  <li key={truck.vin}>
    <button class="card" data-vin={truck.vin} onClick={() => showTruck(panel, truck)}>
      {photo(panel, truck)}
      <span>
        <b>{truck.title}</b>
        {price(panel, truck)}
        {summary(truck)}
      </span>
    </button>
  </li>
);

/** What went wrong, and a way on. */
export const trouble = ({ say, m }: PanelContext, fault: Fault | null | undefined, retry: () => void) =>
  fault && (
    <div class="trouble" role="alert">
      <p>{fault.text ?? say(fault.kind === 'offline' ? 'offline' : 'failed')}</p>
      {fault.kind !== 'noChat' && (
        <button type="button" disabled={m.pause > 0} onClick={retry}>
          {say('again')}
          {m.pause > 0 && ` (${m.pause} s)`}
        </button>
      )}
    </div>
  );

/** The way to the form. */
export const contact = (panel: PanelContext, look: string) => (
  <button type="button" class={look} onClick={() => show(panel, 'lead')}>
    {panel.say(panel.m.captured ? 'another' : 'contact')}
  </button>
);

/** A number as the addresses `tel:` and `sms:` take it. */
export const toDialed = (number: string) => number.replace(/[ex].*|[^+\d]/gi, '');

/** A link that calls or texts the dealer. */
export const reach = ({ say }: PanelContext, scheme: 'tel' | 'sms', number: string | null | undefined) =>
  number && (
    <a class="button icon" href={`${scheme}:${toDialed(number)}`} aria-label={say(scheme, number)}>
      {icon(scheme)}
    </a>
  );
