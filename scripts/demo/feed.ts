import { createServer } from 'node:http';
import type * as z from 'zod/mini';
import { FeedAnswer, FeedRunAnswer, FeedsAnswer } from '../../lib/contract/feeds/feeds.ts';
import { toList } from '../../lib/contract/record/to-list.ts';
import type { Client } from './client.ts';
import { type LotTruck, rollTruck } from './dealer-file/lot-truck.ts';
import { MODELS } from './dealer-file/models.ts';
import { dice, itemAt } from './dealer-file/random.ts';
import { toPhotoUrl } from './site/photos.ts';
import { count, seconds, type Terminal } from './terminal.ts';

/** The feed of the demo: a dealer's system that offers a file, in the morning and in the evening of a day. */

const NAME = 'Demo lot, nightly export';
const PROVIDER = 'demo-lot';
const TRUCKS = 60;
/** The export of the night broke off after so many rows. */
const SHORT = 24;
/** What happens in between. */
const DAY = { sold: 6, repriced: 8, bought: 5 };
/** As such exports call them; the service was not configured for them. */
const HEADER = toList(`
  Stock #, VIN, Yr, Make, Model, Class, GVWR, Body Style, New/Used, Asking Price, Odometer, Ext Color, Fuel,
  Engine, City, State, Zip
`);

type Run = z.output<typeof FeedRunAnswer>;
type Line = string[];

export interface FileServer {
  /** For OUTBOUND_ALLOW: this machine is not a public address. */
  host: string;
  url: string;
  serve(text: string): void;
  close(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  let file = '';
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/csv' }).end(file),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the file server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}/export/trucks.csv`,
    serve(text) {
      file = text;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Pulls the file of the morning, that of the evening and one that came in short, and reports what came of each. */
export async function feedsDay(
  out: Terminal,
  seller: Client,
  files: FileServer,
  currentYear: number,
  photosUrl: string | null,
) {
  const { morning, evening } = snapshots(currentYear, photosUrl);
  const header = photosUrl === null ? HEADER : [...HEADER, 'Photo URL'];
  const feed = await demoFeed(seller, files.url);
  out.print();
  out.print(
    `  ${out.bold('A feed')} ${out.dim(`POST /v1/feeds, then POST /v1/feeds/${feed.id}/runs?wait=true`)}`,
  );
  const pull = async (when: string, lines: readonly Line[], note: string) => {
    files.serve([header, ...lines].map((line) => line.join(',')).join('\r\n'));
    const path = `/v1/feeds/${feed.id}/runs?wait=true`;
    const run = await seller.call({ method: 'POST', path, answer: FeedRunAnswer });
    out.print();
    out.print(
      `    ${when.padEnd(9)} ${count(lines.length)} rows ${out.dim(`(${note}) in ${seconds(describeDuration(run))}`)}`,
    );
    return run;
  };
  const reportApplied = (run: Run) => {
    if (run.status !== 'succeeded' && run.status !== 'unchanged')
      throw new Error(`a run ended as ${run.status}: ${run.error?.message ?? 'see its rejects'}`);
    out.print(
      `    ${out.dim('reconcile')} ${count(run.created)} new, ${count(run.merged)} changed, ${count(run.unchanged)} as they were, ${out.yellow(`${count(run.delisted)} delisted`)}, ${count(run.rejected)} rejected`,
    );
  };
  reportApplied(await pull('morning', morning, 'the whole lot'));
  reportApplied(
    await pull('evening', evening, `${DAY.sold} sold, ${DAY.repriced} repriced, ${DAY.bought} bought since`),
  );
  const short = await pull('night', evening.slice(0, SHORT), 'the export broke off');
  if (short.status !== 'held') throw new Error(`a file that came in short ended as ${short.status}`);
  out.print(
    `    ${out.yellow('held')}      ${count(short.would_delist ?? 0)} trucks would go: all stay until a person releases the run in the dashboard`,
  );
}

const describeDuration = ({ phases }: Run) => Object.values(phases).reduce((sum, ms) => sum + ms, 0);

/** That of an earlier demo, pointed at the server of this one; else a new one. Only pulled by hand. */
async function demoFeed(seller: Client, url: string): Promise<z.output<typeof FeedAnswer>> {
  const { feeds } = await seller.call({ method: 'GET', path: '/v1/feeds?limit=200', answer: FeedsAnswer });
  const known = feeds.find(({ name }) => name === NAME);
  const body = { url, source_provider_id: PROVIDER, enabled: false };
  return known
    ? seller.call({ method: 'PATCH', path: `/v1/feeds/${known.id}`, body, answer: FeedAnswer })
    : seller.call({ method: 'POST', path: '/v1/feeds', body: { name: NAME, ...body }, answer: FeedAnswer });
}

/** The same lot twice. */
function snapshots(currentYear: number, photosUrl: string | null): { morning: Line[]; evening: Line[] } {
  const chance = dice(23);
  const lot = Array.from({ length: TRUCKS + DAY.bought }, (_, number) => {
    const model = itemAt(MODELS, number % MODELS.length);
    const truck = rollTruck({ model, number: 700_000 + number, currentYear, seed: 23, dice: chance });
    return { ...truck, price: truck.price ?? 48_500 };
  });
  const morning = lot.slice(0, TRUCKS);
  const evening = lot
    .slice(DAY.sold)
    .map((truck, index) => (index < DAY.repriced ? { ...truck, price: truck.price - 1_500 } : truck));
  const write = (truck: LotTruck) =>
    photosUrl === null ? toLine(truck) : [...toLine(truck), toPhotoUrl(photosUrl, truck.body, truck.color)];
  return { morning: morning.map(write), evening: evening.map(write) };
}

function toLine(truck: LotTruck): Line {
  const [city, state, zip] = truck.lot;
  return [
    truck.stock,
    truck.vin,
    String(truck.year),
    truck.make,
    truck.model,
    `Class ${truck.class}`,
    String(truck.gvwr ?? ''),
    truck.body,
    truck.condition,
    `$${truck.price}`,
    String(truck.mileage),
    truck.color,
    truck.fuel,
    truck.engine,
    city,
    state,
    zip,
  ];
}
