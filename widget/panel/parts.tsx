import type { Card } from '../../lib/contract/widget/widget.ts';
import { loadChunk } from '../kit/chunks.ts';
import { show, showTruck } from './navigate.ts';
import type { Fault } from './requests.ts';
import type { Scene } from './scene.ts';

/** What several views are made of. */

export const ICONS = {
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  find: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0M16.500 16.500 21 21',
  done: 'M4 12.500 9.500 18 20 7',
} as const;

export const icon = (name: keyof typeof ICONS) => draw(ICONS[name]);

export const draw = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** `sleeper_tractor` → `Sleeper tractor`. */
export const humanize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

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
    <i class="truck" />
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

export const price = ({ say, dollars }: Scene, { price: amount, status }: Card) => (
  <strong>{status !== 'available' ? say('gone') : amount === null ? say('call') : dollars(amount)}</strong>
);

/** Miles, body and place in one line. */
export const summary = ({ number }: Scene, { mileage, bodyType, location }: Card) => (
  <span class="soft">
    {[mileage !== null && `${number(mileage)} mi`, bodyType && humanize(bodyType), location]
      .filter(Boolean)
      .join(' · ')}
  </span>
);

export const card = (scene: Scene, truck: Card) => (
  <li key={truck.vin}>
    <button class="card" data-vin={truck.vin} onClick={() => showTruck(scene, truck)}>
      {photo(scene, truck)}
      <span>
        <b>{truck.title}</b>
        {price(scene, truck)}
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

/** The way to the form; for a further truck one press sends it. */
export function contact(scene: Scene, look: string, truck?: Card) {
  const { say, m } = scene;
  if (truck && m.enquired.includes(truck.vin))
    return (
      <p class="done">
        {icon('done')}
        {say('added')}
      </p>
    );
  const add = m.captured && truck;
  const press = () =>
    add ? loadChunk(scene, 'form').then((form) => form?.send(scene, truck)) : show(scene, 'lead');
  const word = add ? (m.sending ? 'sending' : 'add') : m.captured ? 'another' : 'contact';
  return (
    <button type="button" class={look} aria-busy={m.sending} onClick={press}>
      {say(word)}
    </button>
  );
}
