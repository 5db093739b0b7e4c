import css from './launcher.css';
import { type EventName, LANGUAGES, type Panel, type Stage } from './options.ts';

/**
 * The script on the dealer's page: draws the button, answers `window.TruckWidget`, and loads the panel when a visitor
 * first reaches for it.
 */

const LABELS = ['Find a truck', 'Buscar camión', 'Trouver un camion'];
const ACCENT = '#14505c';

const silent = () => {};

type Call = [name: string, ...args: unknown[]];

declare global {
  interface Window {
    /** Before the script has run a page may leave calls here: `(window.TruckWidget ||= []).push(['open'])`. */
    TruckWidget?: Call[] | object;
  }
}

/** Puts the button on the page. */
function draw({ side, accent = '' }: DOMStringMap, lang = '') {
  const host = document.createElement('truck-widget');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const frame = document.createElement('section');
  frame.className = `${side}`;
  frame.lang = lang;
  frame.style.setProperty('--accent', CSS.supports('color', accent) ? accent : ACCENT);
  const button = document.createElement('button');
  frame.append(button);
  root.append(frame);
  document.documentElement.append(host);
  return { host, root, frame, button };
}

/** A file of this version. */
const address = ({ src }: HTMLScriptElement, part: string, failures = '') =>
  new URL(`widget-${part}.${VERSION}.js${failures}`, src).href;

/** Loads page and panel once. After a failure the next call tries other addresses: browsers remember failures. */
function createLoader(stage: Stage, lang: string): () => Promise<Panel> {
  let loading: Promise<Panel> | undefined;
  let failures = '';
  const load = async () => {
    const files = ['page', `panel-${lang}`].map((part) => import(address(stage.script, part, failures)));
    const [{ watch }, { mount }] = await Promise.all(files);
    watch(stage);
    return mount(stage);
  };
  return () => {
    loading ??= load().catch((error) => {
      failures += '?';
      loading = undefined;
      stage.button.textContent = 'Offline';
      throw error;
    });
    return loading;
  };
}

function start(script: HTMLScriptElement, early: Call[]): void {
  const { dataset } = script;
  const spoken = dataset.language || document.documentElement.lang || navigator.language;
  const column = Math.max(0, LANGUAGES.indexOf(spoken.slice(0, 2).toLowerCase()));
  const lang = LANGUAGES[column] ?? '';
  const label = dataset.label || LABELS[column] || '';
  const { host, ...parts } = draw(dataset, lang);
  const stage: Stage = {
    ...parts,
    ...{ script, column, label },
    stated: { vin: dataset.vin, address: location.href },
    emit: (event, detail = {}) => host.dispatchEvent(new CustomEvent(event, { detail })),
    show: (words = label) => {
      parts.button.textContent = dataset.label || words;
    },
    load: () => load().catch(silent),
    destroy: () => api.destroy(),
  };
  const load = createLoader(stage, lang);
  const api = createApi(stage, host, load);
  stage.show();
  window.TruckWidget = api;
  parts.button.onclick = () => api.open();
  parts.button.onpointerenter = stage.load;
  import(address(script, 'page')).then(({ watch }) => watch(stage), silent);
  early.forEach(api.push);
  stage.emit('ready');
}

/** What pages call. */
function createApi(stage: Stage, host: HTMLElement, load: () => Promise<Panel>) {
  let panel: Panel | undefined;
  const opening = (name: 'open' | 'ask' | 'lead') => (value?: string) =>
    load().then((loaded) => {
      panel = loaded;
      if (host.isConnected) loaded[name](value);
    }, silent);
  const state = (vin: string, address = '') => {
    stage.stated = { vin, address };
    stage.look?.();
  };
  const api = {
    open: opening('open'),
    ask: opening('ask'),
    lead(vin?: string) {
      if (vin) state(vin, location.href);
      return opening('lead')();
    },
    close: () => panel?.close(),
    vehicle: (vin?: string | null) => state(vin ?? ''),
    on(event: EventName, listener: (detail: object) => void) {
      host.addEventListener(event, ({ detail }: CustomEventInit) => listener(detail));
    },
    destroy() {
      clearInterval(stage.timer);
      panel?.destroy();
      host.remove();
      delete window.TruckWidget;
    },
    push: ([name, ...args]: Call) =>
      (api as unknown as Record<string, (...args: unknown[]) => void>)[name]?.(...args),
  };
  return api;
}

const tag = document.currentScript ?? document.querySelector('script[data-dealer]');
const early = window.TruckWidget ?? [];
if (tag instanceof HTMLScriptElement && Array.isArray(early)) {
  if (tag.dataset.dealer && tag.dataset.key?.startsWith('ctis_wk')) start(tag, early);
  else import(address(tag, 'page')).then(({ refuse }) => refuse(tag));
}
