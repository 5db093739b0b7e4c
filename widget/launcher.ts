import css from './launcher.css';
import { type Call, LANGUAGES, type Widgets } from './options.ts';

/**
 * The script on the dealer's page: draws the button, and passes on what visitors and pages ask for to the page's file,
 * which it loads at once.
 */

const LABELS = ['Find a truck', 'Buscar camión', 'Trouver un camion'];
const ACCENT = '#14505c';
/** From one dealer's button to the next above it. */
const STEP_PX = 64;

const NAMES = ['open', 'close', 'ask', 'lead', 'vehicle', 'on', 'destroy'];

declare global {
  interface Window {
    /** Before the script has run a page may leave calls here: `(window.TruckWidget ||= []).push(['open'])`. */
    TruckWidget?: Call[] | Widgets | undefined;
  }
}

/** Puts the button on the page, above those of other dealers. */
function draw({ side, launcher, offset, accent = '' }: DOMStringMap, lang = '', place: number) {
  const host = document.createElement('truck-widget');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const frame = document.createElement('section');
  frame.className = `${side} ${launcher}`;
  frame.lang = lang;
  const up = Number(/-?\d+/.exec(`${offset}`)?.[0] ?? 20) + place * STEP_PX;
  frame.style.cssText = `--up:${up}px;--accent:${CSS.supports('color', accent) ? accent : ACCENT}`;
  const button = document.createElement('button');
  frame.append(button);
  root.append(frame);
  document.documentElement.append(host);
  return { root, frame, button };
}

const load = ({ src }: HTMLScriptElement, file: 'page' | 'fallback', failures = '') =>
  import(new URL(`widget-${file}.${VERSION}.js${failures}`, src).href);

function start(script: HTMLScriptElement, earlyCalls: Call[], dealers: Widgets['dealers']): void {
  const { dataset } = script;
  const spoken = dataset.language || document.documentElement.lang || navigator.language;
  const column = Math.max(0, LANGUAGES.indexOf(spoken.slice(0, 2).toLowerCase()));
  const label = dataset.label || LABELS[column] || '';
  const parts = draw(dataset, LANGUAGES[column], Object.keys(dealers).length);
  const { button } = parts;
  button.textContent = label;
  let failures = '';
  let begun: Promise<(call: Call) => unknown> | undefined;
  // Browsers remember failures: the next try has another address.
  const begin = () => {
    begun ??= load(script, 'page', failures).then(
      (page) => page.begin({ ...parts, script, column, label, dealers }, earlyCalls),
      (error) => {
        failures += '?';
        begun = undefined;
        button.textContent = 'Offline';
        throw error;
      },
    );
    return begun;
  };
  const push = (call: Call) =>
    begin().then(
      (act) => act(call),
      () => {},
    );
  const calls = NAMES.map((name) => [name, (...args: unknown[]) => push([name, ...args])]);
  dealers[`${dataset.dealer}`] = { dealers, push, ...Object.fromEntries(calls) };
  window.TruckWidget = Object.values(dealers)[0];
  button.onclick = () => push(['open', button.textContent === LABELS[column] ? 'find' : '']);
  button.onpointerenter = () => push(['load']);
  begin().catch(() => {});
}

const tag = document.currentScript ?? document.querySelector('script[data-dealer]');
const widgets = window.TruckWidget ?? [];
if (tag instanceof HTMLScriptElement) {
  const { dealer, key } = tag.dataset;
  const isFirst = Array.isArray(widgets);
  // Without a prototype: a dealer may be called `constructor`.
  const dealers = isFirst ? ({ __proto__: null } as object as Widgets['dealers']) : widgets.dealers;
  if (!dealer || !key?.startsWith('ctis_wk')) {
    if (dealer || isFirst) load(tag, 'fallback').then(({ refuse }) => refuse(tag));
  } else if (dealers[dealer]) dealers[dealer].push(['again', tag]);
  else if (CSS.supports('selector(&)')) start(tag, isFirst ? widgets : [], dealers);
  else load(tag, 'fallback').then(({ replace }) => replace(tag));
}
