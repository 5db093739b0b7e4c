import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe } from 'vitest';
import { connect, connectTo } from '../../../../lib/connect.ts';
import { memoryLimiter } from '../../../../lib/limiter/memory.ts';
import { type RunningService, startService } from '../../../../lib/local/service.ts';
import { DAY_MS } from '../../../../lib/truck/time.ts';
import { newDatabase } from '../../../support/postgres/suite-database.ts';
import { afterDeath } from '../../../support/processes/watchdog.ts';
import { choose, type OpenAiServer, startOpenAi } from '../../../support/servers/openai-server.ts';
import { listen } from '../../../support/servers/ports.ts';
import { createKey } from '../../../support/service/local-account.ts';
import { closeVisits, hasChromium, newVisit, type Visit } from './browser.ts';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
export const DEALER = 'heartland-trucks';

/** The whole service on one port, a dealer's site on another, and a model that does what a test says. */
export interface Stage {
  service: RunningService;
  model: OpenAiServer;
  /** Of the dealer's site. */
  origin: string;
  /** Publishable, for that origin. */
  key: string;
  /** Calls the service with the seller's secret key. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(method: string, path: string, json?: unknown): Promise<any>;
  /** A page of the dealer's site. */
  publish(html: string): string;
}

let current: Promise<Stage> | undefined;

/** Shared by all files of the worker; ends with it. */
export function useStage(): Promise<Stage> {
  current ??= open();
  return current;
}

/** That of the file's tests. */
export let stage: Stage;

/** Tests in a browser; left out where there is none. */
export function describeOnStage(name: string, tests: () => void): void {
  describe.skipIf(!hasChromium)(name, () => {
    beforeAll(async () => {
      stage = await useStage();
      stage.model.model = () => choose({ say: 'thank' });
    });
    closeVisits();
    tests();
  });
}

async function open(): Promise<Stage> {
  const model = await startOpenAi();
  const dataDir = await mkdtemp(join(tmpdir(), 'ctis-stage-'));
  afterDeath('rm -rf "$1"', dataDir);
  const service = await startService({
    env: {
      PORT: '0',
      LOG: 'silent',
      DATA_DIR: dataDir,
      POSTGRES_URL: await newDatabase(),
      // Every visitor of these tests has the same address.
      FAIR_USE: 'observe',
      AI_BASE_URL: model.url,
      AI_API_KEY: 'test',
      AI_MODEL: 'scripted',
    },
  });
  // What the chat may cost an address a day holds then, too.
  let now = 0;
  connectTo({ ...connect(), limiter: memoryLimiter({ now: () => (now += DAY_MS) }) });
  const pages: string[] = [];
  const site = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    // Browsers ask for an icon, too.
    response.end(pages[Number(url?.slice(1))]);
  });
  const origin = `http://127.0.0.1:${await listen(site)}`;

  const send = async (token: string, method: string, path: string, json?: unknown) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const secret = await createKey(service);
  const call: Stage['call'] = (method, path, json) => send(secret, method, path, json);
  const contact = { phone: '+1 214 555 0142', city: 'Dallas', state: 'TX' };
  await call('POST', '/v1/dealers', { slug: DEALER, name: 'Heartland Trucks', ...contact });
  await call('POST', '/v1/inventory', { records: TRUCKS });
  const { id: account_id } = await call('GET', '/v1/account');
  const page = { account_id, kind: 'publishable', allowed_origins: [origin] };
  const { key } = await send(service.adminToken, 'POST', '/api/admin/keys', page);
  return { service, model, origin, key, call, publish: (html) => `${origin}/${pages.push(html) - 1}` };
}

const SLEEPERS = Array.from({ length: 14 }, (_, at) => ({
  vin: `1FUJGLDR3HLHG7${String(501 + at)}`,
  year: 2012 + at,
  make: 'Freightliner',
  model: 'Cascadia',
  class: 'class_8',
  body_type: 'sleeper_tractor',
  price: 30_000 + at * 5_000,
  mileage: 700_000 - at * 30_000,
  condition: 'used',
  city: 'Dallas',
  state: 'TX',
}));
const MIXER = {
  ...SLEEPERS[0],
  vin: '1NKZXPEX5GJ105601',
  make: 'Kenworth',
  model: 'T880',
  body_type: 'mixer_truck',
  price: null,
  url: 'https://heartland.example/trucks/t880',
};
export const TRUCKS = [...SLEEPERS, MIXER];
export const MIXER_VIN = MIXER.vin;

export interface Tag {
  /** Data attributes beyond dealer and key. */
  data?: Record<string, string>;
  /** Goes into <head>. */
  head?: string;
  /** Goes into <body>, before the script. */
  body?: string;
  lang?: string;
}

/** A page with the widget's tag on it. */
export function dealerPage({ service, key, publish }: Stage, tag: Tag = {}): string {
  const data = { dealer: DEALER, key, ...tag.data };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${value}"`);
  return publish(
    `<!doctype html><html lang="${tag.lang ?? 'en'}"><head><meta charset="utf-8"><title>Heartland Trucks</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${tag.head ?? ''}</head>
<body><main><h1>Trucks</h1><p>Sleepers, day cabs and mixers.</p>${tag.body ?? ''}</main>
<script async src="${service.url}/widget.js" ${attributes.join(' ')}></script></body></html>`,
  );
}

/** Ways to the parts of the widget on a page. */
export interface Widget extends Visit {
  button: Locator;
  panel: Locator;
  /** Opens the panel and waits for the trucks. */
  open(): Promise<void>;
  /** Which element has the focus, told by its text or name. */
  focused(): Promise<string>;
  /** Waits until the button says this. */
  says(label: string): Promise<void>;
  /** Waits for the view of a truck. */
  shows(truck: string): Promise<void>;
  /** Waits until the form or the chat is about this truck. */
  isAbout(truck: string): Promise<void>;
}

/** A visitor on a page with the widget, the button in sight. */
export async function visit(
  stage: Stage,
  tag: Tag = {},
  options: Parameters<typeof newVisit>[0] = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Widget> {
  const visit = await newVisit(options);
  const { page } = visit;
  await prepare(page);
  await page.goto(dealerPage(stage, tag));
  const button = page.locator('truck-widget section > button');
  const panel = page.locator('truck-widget dialog');
  await button.waitFor();
  return {
    ...visit,
    button,
    panel,
    async open() {
      await button.click();
      await panel.locator('.card, h3').first().waitFor();
    },
    says: (label) =>
      page.locator('truck-widget section > button', { hasText: label }).waitFor({ state: 'attached' }),
    shows: (truck) => panel.getByRole('heading', { level: 3, name: truck }).waitFor(),
    isAbout: (truck) => panel.locator('.subject', { hasText: truck }).waitFor(),
    focused: () =>
      page.evaluate(() => {
        const active = document.querySelector('truck-widget')?.shadowRoot?.activeElement;
        if (!active) return document.activeElement?.tagName ?? '';
        const { ariaLabel, textContent } = active as HTMLElement;
        const name = active.getAttribute('name') ?? '';
        return ariaLabel || name || (textContent ?? '').trim();
      }),
  };
}

/** Answers a widget route in the service's place, with the headers that let the page read it. */
export async function answerWith(
  { page }: Visit,
  { origin }: Stage,
  route: 'chat' | 'lead' | 'inventory',
  answer: { status: number; json: unknown; headers?: Record<string, string> },
  times?: number,
): Promise<void> {
  await page.route(
    (url) => url.pathname === `/v1/widget/${route}`,
    async (request) => {
      const cors = {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'x-request-id, retry-after',
      };
      return request.fulfill({ ...answer, headers: { ...cors, ...answer.headers } });
    },
    times === undefined ? {} : { times },
  );
}

/** Answers a path of the service with a picture. */
export const servePicture = (page: Page, path: string) =>
  page.route(stage.service.url + path, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );

/** One pixel. */
const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Gives every truck a photo with a thumbnail; only the first photo can be had. */
export async function withPhotos(page: Page): Promise<void> {
  await page.route('**/v1/widget/inventory*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const [at, truck] of json.vehicles.entries())
      truck.image = { width: 4, height: 3, placeholder: DOT, url: `/media/${at}.svg` };
    await route.fulfill({ response, json });
  });
  await servePicture(page, '/media/0.svg');
}

export const envelope = (code: string, details?: object) => ({
  error: { code, message: 'Told by a test.', ...(details ? { details } : {}) },
});
