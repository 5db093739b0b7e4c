import type { Card } from '../../lib/contract/widget/widget.ts';
import type { Act } from './act.ts';
import type { Model } from './model.ts';
import type { Fault } from './service.ts';
import type { Tongue } from './words.ts';

/** What every view is drawn from. */
export interface Scene extends Tongue {
  m: Model;
  act: Act;
  /** Where relative image addresses lead. */
  base: string;
  data: DOMStringMap;
}

export const ICONS = {
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M8 8h8v8H8z',
  find: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0M16.500 16.500 21 21',
  truck:
    'M5 17H2V6h12v11H9m5 0h1m4 0h3v-4l-3-4h-5M5 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0M15 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  done: 'M4 12.500 9.500 18 20 7',
} as const;

export const icon = (name: keyof typeof ICONS) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);

/** `sleeper_tractor` → `Sleeper tractor`. */
export const plain = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

/** Draws a data URI without loading it: a page's policy may forbid `data:` images. */
async function blur(canvas: HTMLCanvasElement | null, placeholder: string): Promise<void> {
  if (!canvas || canvas.title) return;
  canvas.title = ' ';
  const bytes = Uint8Array.from(atob(placeholder.split(',')[1] ?? ''), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}

export const photo = ({ base }: Scene, { image, vin }: Card) => (
  <span class="photo" key={vin}>
    {icon('truck')}
    {image?.placeholder && (
      <canvas ref={(canvas) => void blur(canvas, image.placeholder ?? '').catch(() => {})} />
    )}
    {image && (
      <img
        src={new URL(image.url, base).href}
        alt=""
        loading="lazy"
        onLoad={({ currentTarget }) => currentTarget.classList.add('in')}
      />
    )}
  </span>
);

export const priceOf = ({ say, dollars }: Scene, { price, status }: Card) => (
  <strong>{status !== 'available' ? say('gone') : price === null ? say('call') : dollars(price)}</strong>
);

/** Miles, body and place in one line. */
export const summary = ({ number }: Scene, { mileage, bodyType, location }: Card) => (
  <span class="soft">
    {[mileage !== null && `${number(mileage)} mi`, bodyType && plain(bodyType), location]
      .filter(Boolean)
      .join(' · ')}
  </span>
);

export const card = (scene: Scene, truck: Card) => (
  <li key={truck.vin}>
    <button class="card" data-vin={truck.vin} onClick={() => scene.act.look(truck)}>
      {photo(scene, truck)}
      <span>
        <b>{truck.title}</b>
        {priceOf(scene, truck)}
        {summary(scene, truck)}
      </span>
    </button>
  </li>
);

/** What went wrong, and a way on. */
export const trouble = ({ say, m }: Scene, fault: Fault | null, retry: () => void) =>
  fault && (
    <div class="trouble" role="alert">
      <p>{say(fault.kind)}</p>
      {fault.kind !== 'noChat' && (
        <button type="button" disabled={m.pause > 0} onClick={retry}>
          {say('again')}
          {m.pause > 0 && ` (${m.pause} s)`}
        </button>
      )}
    </div>
  );

/** The way to the form; once it is sent, that it was. */
export const contact = ({ say, m, act }: Scene, look: string) =>
  m.captured ? (
    <p class="done">
      {icon('done')}
      {say('sent')}
    </p>
  ) : (
    <button type="button" class={look} onClick={() => act.show('lead')}>
      {say('contact')}
    </button>
  );
