import {
  type Call,
  type EventName,
  LANGUAGES,
  type LauncherContext,
  type PageContext,
  type Panel,
} from '../options.ts';
import { listen } from './buttons.ts';
import { offerCall } from './call.ts';
import { readPageName } from './page-vin.ts';
import { watch } from './watch.ts';

/** Answers what visitors and pages ask of one dealer's widget. */
export function begin(drawn: LauncherContext, earlyCalls: Call[]): (call: Call) => unknown {
  const { script, column, label, root, button } = drawn;
  const { dataset } = script;
  const { host } = root;
  let words = label;
  const page: PageContext = {
    ...drawn,
    stated: { vin: dataset.vin, address: readPageName() },
    emit: (event, detail = {}) => host.dispatchEvent(new CustomEvent(event, { detail })),
    show(next = label) {
      words = dataset.label || next;
      button.textContent = words;
    },
    load: () => load().catch(() => {}),
    destroy: () => calls.destroy(),
  };
  const load = createLoader(page, `widget-panel-${LANGUAGES[column]}`, () => {
    button.textContent = words;
  });
  const calls = createCalls(page, load);
  const act = ([name, ...args]: Call) =>
    (calls as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
  watch(page);
  listen();
  earlyCalls.splice(0).forEach(act);
  page.emit('ready');
  return act;
}

/** Loads the panel once. After a failure the next call tries another address: browsers remember failures. */
function createLoader(page: PageContext, file: string, loaded: () => void): () => Promise<Panel> {
  let loading: Promise<Panel> | undefined;
  let failures = '';
  const load = async (): Promise<Panel> => {
    try {
      const address = new URL(`${file}.${VERSION}.js${failures}`, page.script.src);
      const { mount } = await import(address.href);
      loaded();
      return mount(page);
    } catch (error) {
      failures += '?';
      loading = undefined;
      page.button.textContent = 'Offline';
      offerCall(page);
      throw error;
    }
  };
  return () => {
    loading ??= load();
    return loading;
  };
}

/** What pages call. */
function createCalls(page: PageContext, load: () => Promise<Panel>) {
  const { root, script, dealers } = page;
  let panel: Panel | undefined;
  const opening = (name: 'open' | 'ask' | 'lead') => (value?: string) =>
    load().then(
      (loaded) => {
        panel = loaded;
        if (root.host.isConnected) panel[name](value);
      },
      () => {},
    );
  const state = (vin: string | undefined, address = readPageName()) => {
    page.stated = { vin, address };
    page.look?.();
  };
  return {
    load: page.load,
    open: opening('open'),
    ask: opening('ask'),
    lead(vin?: string) {
      if (vin) state(vin);
      return opening('lead')();
    },
    close: () => panel?.close(),
    vehicle: (vin?: string | null) => state(vin ?? '', ''),
    /** The page has the tag again, after a swap of its content. */
    again: ({ dataset }: HTMLScriptElement) => state(dataset.vin),
    on(event: EventName, listener: (detail: object) => void) {
      root.host.addEventListener(event, ({ detail }: CustomEventInit) => listener(detail));
    },
    destroy() {
      clearInterval(page.timer);
      panel?.destroy();
      root.host.remove();
      delete dealers[`${script.dataset.dealer}`];
      window.TruckWidget = Object.values(dealers)[0];
    },
  };
}
