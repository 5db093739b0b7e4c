import type { Widgets } from '../options.ts';

/** Buttons of the page that open the widget: `data-truck-widget="lead"`, `"search"` or `"chat"`. */

let listening = false;

/** Listens once for all widgets of the page; buttons may be added later. */
export function listen(): void {
  if (!listening) document.addEventListener('click', act, true);
  listening = true;
}

function act(event: Event): void {
  const pressed = (event.target as Partial<Element>).closest?.<HTMLElement>('[data-truck-widget]');
  const widgets = window.TruckWidget as Widgets | undefined;
  if (!pressed || !widgets) return;
  const { truckWidget, dealer = '', vin } = pressed.dataset;
  const widget = widgets.dealers[dealer] ?? widgets;
  event.preventDefault();
  if (truckWidget === 'lead') widget.push(['lead', vin]);
  else widget.push(truckWidget === 'chat' ? ['ask'] : ['open', 'trucks']);
}
