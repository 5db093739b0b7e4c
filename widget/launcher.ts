import css from './launcher.css';
import { type EventName, LANGUAGES, type Panel, type Stage } from './options.ts';

/**
 * The script on the dealer's page: draws the button, answers `window.TruckWidget`, and loads the panel when a visitor
 * first reaches for it. Until then it makes no request.
 */

const LABELS = ['Find a truck', 'Buscar camión', 'Trouver un camion'];
const OFFLINE = ['Offline', 'Sin conexión', 'Hors ligne'];
const ACCENT = '#14505c';
const TRUCK =
  'M5 17H2V6h12v11H9m5 0h1m4 0h3v-4l-3-4h-5M5 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0M15 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0';

type Call = [name: string, ...args: unknown[]];

declare global {
  interface Window {
    /** Before the script has run a page may leave calls here: `(window.TruckWidget ||= []).push(['open'])`. */
    TruckWidget?: Call[] | object;
  }
}

function start(script: HTMLScriptElement, early: Call[]): void {
  const { dataset } = script;
  const lang = dataset.language || document.documentElement.lang || navigator.language;
  const column = Math.max(
    0,
    LANGUAGES.findIndex((each) => lang.toLowerCase().startsWith(each)),
  );
  const label = dataset.label || LABELS[column] || '';
  const accent = dataset.accent || ACCENT;

  const host = document.createElement('truck-widget');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const frame = document.createElement('section');
  frame.className = `${dataset.side}`;
  frame.lang = LANGUAGES[column] ?? '';
  frame.ariaLabel = label;
  frame.style.setProperty('--accent', CSS.supports('color', accent) ? accent : ACCENT);
  const button = document.createElement('button');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS(svg.namespaceURI, 'path');
  path.setAttribute('d', TRUCK);
  svg.append(path);
  const text = new Text(label);
  button.append(svg, text);
  frame.append(button);
  root.append(frame);

  const tell = (event: EventName, detail = {}) => host.dispatchEvent(new CustomEvent(event, { detail }));
  let panel: Panel | undefined;
  let loading: Promise<Panel> | undefined;
  let failures = '';

  /** Loads the panel once. After a failure the next call tries another address: browsers remember failures. */
  const load = (): Promise<Panel> => {
    loading ??= import(new URL(PANEL_FILE + failures, script.src).href).then(
      ({ mount }: { mount(stage: Stage): Panel }) => {
        text.data = label;
        panel = mount({ script, column, label, root, frame, button, tell });
        return panel;
      },
      (error) => {
        text.data = OFFLINE[column] ?? '';
        failures += '?';
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const opening = (name: 'open' | 'ask' | 'lead') => (value?: string) =>
    load().then(
      (loaded) => host.isConnected && loaded[name](value),
      () => {},
    );

  const api = {
    open: opening('open'),
    ask: opening('ask'),
    lead: opening('lead'),
    close: () => panel?.close(),
    vehicle(vin?: string | null) {
      dataset.vin = vin || '';
      panel?.vehicle();
    },
    on(event: EventName, listener: (detail: object) => void) {
      host.addEventListener(event, (told) => listener((told as CustomEvent).detail));
    },
    destroy() {
      panel?.destroy();
      host.remove();
      delete window.TruckWidget;
    },
    push: ([name, ...args]: Call) =>
      (api as unknown as Record<string, (...args: unknown[]) => void>)[name]?.(...args),
  };
  window.TruckWidget = api;
  button.onclick = () => api.open();
  button.onpointerenter = () => load().catch(() => {});
  document.documentElement.append(host);
  early.forEach(api.push);
  tell('ready');
}

const tag = document.currentScript ?? document.querySelector('script[data-dealer][data-key]');
const early = window.TruckWidget ?? [];
if (tag instanceof HTMLScriptElement && Array.isArray(early)) start(tag, early);
