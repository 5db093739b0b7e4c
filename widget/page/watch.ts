import { type FirstRequest, LANGUAGES, type PageContext } from '../options.ts';
import { readVin } from './page-vin.ts';
import { readTheme } from './theme.ts';

/** What happens on every page before a visitor reaches for the button. */

const WATCH_MS = 500;
const TIME_LIMIT_MS = 15_000;
const TRUCK_LABELS = ['Ask about this truck', 'Preguntar por este camión', 'Infos sur ce camion'];

/** A truck, for style sheets of launcher and panel. */
const ICON =
  'path("M1 5h13v11h-4a3 3 0 0 0-6 0h-3zM15 8h4l4 5v3h-2a3 3 0 0 0-6 0zM5 16a2 2 0 0 0 4 0 2 2 0 0 0-4 0M16 16a2 2 0 0 0 4 0 2 2 0 0 0-4 0")';

/** Shows what the page is about on the button, checks the key, and sends what an earlier page could not send. */
export function watch(page: PageContext): void {
  const { frame, root } = page;
  if (page.first || !frame.isConnected) return;
  const { dealer = '', theme } = page.script.dataset;
  const { visitor, unsent } = recall(dealer);
  page.visitorId = visitor ?? `v_${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  page.readVin = () => readVin(page);
  let shownVin: string | undefined;
  page.look = () => {
    frame.style.colorScheme = readTheme(theme);
    const vin = readVin(page);
    if (vin === shownVin) return;
    shownVin = vin;
    page.show(vin ? TRUCK_LABELS[page.column] : undefined);
    page.changed?.();
  };
  frame.style.setProperty('--icon', ICON);
  page.look();
  page.timer = setInterval(() => {
    // A swap of the whole document takes the button away.
    if (!frame.isConnected) document.documentElement.append(root.host);
    page.look?.();
  }, WATCH_MS);
  page.first = request(page);
  if (unsent) page.load();
}

/** Says why there is no widget. */
export const refuse = (script: HTMLScriptElement): Promise<void> =>
  import(new URL(`widget-fallback.${VERSION}.js`, script.src).href).then((file) => file.refuse(script));

/** What earlier pages of the site left in the browser, where it keeps anything. */
function recall(dealer: string) {
  try {
    const visitor = localStorage.getItem(`truck-widget:${dealer}`);
    return { visitor, unsent: localStorage.getItem(`truck-widget:${dealer}:outbox`) };
  } catch {
    return { visitor: null, unsent: null };
  }
}

/** Requests the page's truck, or the newest trucks. If it is refused, there is no widget. */
function request({ script, column, readVin, destroy }: PageContext): FirstRequest {
  const vin = readVin?.() ?? '';
  const { dealer = '', key = '' } = script.dataset;
  const query = {
    key,
    dealerSlug: dealer,
    // One id for all visitors, so that a CDN can answer.
    visitorId: dealer,
    locale: `${LANGUAGES[column]}`,
    ...(vin ? { vin } : { sort: 'newest', limit: '12' }),
  };
  const url = new URL(`v1/widget/inventory?${new URLSearchParams(query)}`, script.src);
  const response = fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  response.then(
    ({ status }) => {
      if (status !== 401 && status !== 403) return;
      destroy();
      refuse(script);
    },
    // An outage: the button stays.
    () => {},
  );
  return { vin, startedMs: performance.now(), response };
}
