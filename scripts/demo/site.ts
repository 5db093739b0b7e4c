import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { Truck } from '../trucks/trucks.ts';
import { drawTrucks, namePicture } from './drawing.ts';
import { DEALER } from './seller.ts';

/** The dealer's own server: the file that a feed pulls, photos, and a web site that carries the widget. */
export interface DealerSite {
  url: string;
  /** `127.0.0.1:1234`, for OUTBOUND_ALLOW: it is no public address. */
  host: string;
  feed: { url: string; serve(text: string): void };
  toPhotoUrl(truck: Truck): string;
  /** Opens the web site with these trucks; the script comes from `service`. */
  open(service: string, widgetKey: string, trucks: readonly Truck[]): void;
  close(): Promise<void>;
}

/** Pictures are drawn before the service starts: from its first image on, this process reads no SVG any more. */
export async function startSite(): Promise<DealerSite> {
  const photos = await takePhotos();
  const app = new Hono();
  let file = '';
  let tag = html``;
  let siteTrucks: readonly Truck[] = [];
  app.get('/export/trucks.csv', (context) => context.body(file, 200, { 'content-type': 'text/csv' }));
  app.get('/photos/:name', (context) => {
    const photo = photos.get(context.req.param('name'));
    return photo ? context.body(photo, 200, { 'content-type': 'image/jpeg' }) : context.notFound();
  });
  app.get('/', (context) =>
    context.html(page('Heartland Truck Group', html`<ul>${siteTrucks.map(tile)}</ul>`, tag)),
  );
  app.get('/trucks/:vin', (context) => {
    const truck = siteTrucks.find(({ vin }) => vin === context.req.param('vin'));
    return truck ? context.html(truckPage(truck, tag)) : context.notFound();
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port));
  const host = `127.0.0.1:${await promise}`;
  const url = `http://${host}`;
  return {
    url,
    host,
    feed: {
      url: `${url}/export/trucks.csv`,
      serve(text) {
        file = text;
      },
    },
    toPhotoUrl: (truck) => url + toPath(truck),
    open(service, widgetKey, trucks) {
      siteTrucks = trucks;
      tag = html`<script async src="${service}/widget.js" data-dealer="${DEALER}" data-key="${widgetKey}"></script>`;
    },
    async close() {
      const closing = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closing;
    },
  };
}

const toPath = ({ body, color }: Truck) => `/photos/${namePicture(body, color)}.jpg`;

async function takePhotos(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { default: sharp } = await import('sharp');
  const photos = [...drawTrucks()].map(async ([name, drawing]) => {
    const jpeg = await sharp(Buffer.from(drawing)).jpeg().toBuffer();
    return [`${name}.jpg`, new Uint8Array(jpeg)] as const;
  });
  return new Map(await Promise.all(photos));
}

type Markup = ReturnType<typeof html>;

const page = (title: string, main: Markup, tag: Markup, head: Markup = html``) => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}<style>${raw(STYLE)}</style>
<p>A demo site: the dealer does not exist, the widget in the corner is real.</p>
<h1><a href="/">Heartland Truck Group</a></h1>
${main}
${tag}
`;

const name = ({ year, make, model }: Truck) => `${year} ${make} ${model}`;
const price = (truck: Truck) => `$${truck.price.toLocaleString('en-US')}`;

const tile = (truck: Truck) => html`<li><a href="/trucks/${truck.vin}">
<img src="${toPath(truck)}" alt="" width="800" height="600" loading="lazy">${name(truck)}</a> ${price(truck)}</li>
`;

function truckPage(truck: Truck, tag: Markup): Markup {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Vehicle',
    name: name(truck),
    vehicleIdentificationNumber: truck.vin,
  };
  const main = html`<h2>${name(truck)}</h2><img src="${toPath(truck)}" alt="" width="800" height="600">
<p>${price(truck)}, ${truck.mileage.toLocaleString('en-US')} mi, ${truck.body}, ${truck.city}, VIN ${truck.vin}</p>`;
  const head = html`<script type="application/ld+json">${raw(JSON.stringify(data))}</script>`;
  return page(name(truck), main, tag, head);
}

const STYLE = `
body { max-width: 1100px; margin: 0 auto; padding: 16px; color: #1d1b18; font: 17px/1.5 system-ui, sans-serif }
a { color: #a3341f } h1 a { text-decoration: none } img { display: block; width: 100%; height: auto; border-radius: 8px }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 30px; padding: 0; list-style: none }
h2 + img { max-width: 640px }`;
