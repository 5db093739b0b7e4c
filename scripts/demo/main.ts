import { existsSync } from 'node:fs';
import { Listing } from '../../lib/contract/inventory.ts';
import { StatusAnswer } from '../../lib/contract/status-changes.ts';
import { type RunningService, startService } from '../../lib/local/service.ts';
import { endOnSignals } from '../../lib/local/signals.ts';
import { client, Refused } from './client.ts';
import { type DealerRow, dealerRows } from './dealer-file.ts';
import { type FileServer, feedsDay, startFileServer } from './feed.ts';
import { addOtherSellers } from './other-sellers.ts';
import { choosePort } from './port.ts';
import { progress } from './progress.ts';
import { type Accepted, push, rehearse } from './push.ts';
import { rejectsCsv } from './rejected-rows.ts';
import { reportListing, reportPush, reportRejects, reportTryOut } from './report.ts';
import { dashboardLink, demoSeller, keepSeller, LEADS, sellerFile } from './seller.ts';
import { withPhotos } from './site/photos.ts';
import { demoSite } from './site/site.ts';
import { count, seconds, terminal } from './terminal.ts';

/**
 * `npm run demo`: starts the service on a database of its own and does a dealer's day with it, over HTTP only.
 * `-- --once` ends after that with exit code 0, or 1 and the reason. DATA_DIR, HOST, PORT and NO_COLOR are honoured;
 * LOG=stdout shows the service's own log as well.
 */

const out = terminal(process.stdout, process.env);
const PROVIDER = 'heartland-dms';

/** Whatever databases the shell knows of: the demo's trucks go into a database of its own and nowhere else. */
const EMBEDDED = {
  POSTGRES_URL: '',
  POSTGRES_URL_NON_POOLING: '',
  DATABASE_URL: '',
  UPSTASH_REDIS_REST_URL: '',
  UPSTASH_REDIS_REST_TOKEN: '',
  KV_REST_API_URL: '',
  KV_REST_API_TOKEN: '',
  VERCEL: '',
  VERCEL_ENV: '',
};

let service: RunningService | undefined;
let files: FileServer | undefined;
let ending = false;

async function main(options: readonly string[]): Promise<void> {
  const unknown = options.filter((option) => option !== '--once');
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(' ')}; the only one is --once`);
  if (existsSync('.env')) process.loadEnvFile('.env');
  out.print();
  out.print(`  ${out.bold('Commercial Truck Inventory Service')} ${out.dim('· demo')}`);
  out.print();
  const started = performance.now();
  const site = options.includes('--once') ? null : await demoSite();
  const port = await choosePort(
    Number(process.env.PORT?.trim() || 3_000),
    process.env.HOST?.trim() || '127.0.0.1',
  );
  files = await startFileServer();
  service = await startService({
    // The showroom's pictures are fetched from this very service.
    env: {
      ...EMBEDDED,
      OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, ...ownAddresses(port), files.host].filter(Boolean).join(),
    },
    port,
    quiet: process.env.LOG !== 'stdout',
    ...(site ? { files: site.files, docs: true } : {}),
  });
  const took = seconds(performance.now() - started);
  step('service', `${service.url} ${out.dim(`up in ${took}, data ${service.data}`)}`);
  const kept = sellerFile(process.env.DATA_DIR?.trim() || '.data');
  const day = await dealersDay(service, kept, files, site !== null);
  const total = performance.now() - started;
  const before = day.earlier === null ? '' : ` (first run: ${seconds(day.earlier.total_ms)})`;
  out.print(out.dim(`  All of this took ${seconds(total)}${before}.`));
  let { seller } = day;
  if (day.earlier === null) {
    const first = { file: day.file, push_ms: Math.round(day.pushMs), total_ms: Math.round(total) };
    seller = { ...seller, first_run: first };
    await keepSeller(kept, seller);
  }
  out.print();
  if (site === null) {
    await service.stop();
    await files.close();
    out.print('  The service has ended; npm start brings it back with the same trucks.');
  } else {
    const { url, adminToken } = service;
    const widget = await site.open({
      url,
      adminToken,
      seller,
      rejects: day.rejects,
      known: seller.widget,
      print: (line) => out.print(`  ${line}`),
    });
    await keepSeller(kept, { ...seller, widget });
    out.print(`  ${out.bold('The dealer’s site')}  ${url}/demo`);
    const chat = process.env.AI_MODEL
      ? 'and chat'
      : 'and chat once AI_BASE_URL, AI_API_KEY and AI_MODEL are set';
    out.print(`    ${out.dim(`with the widget on it: search, leads, ${chat}`)}`);
    out.print(`  ${out.bold('What the dealer received')}  ${url}/demo/leads`);
    out.print();
    const dashboard = await dashboardLink(url, adminToken, seller.account_id);
    out.print(`  ${out.bold('The dashboard')}      ${out.isWatched ? dashboard : `${url}/dashboard`}`);
    out.print(
      `    ${out.dim(`${out.isWatched ? 'signs in once, as the owner' : `sign in as ${LEADS}`}: what is not listed and why, feeds, leads, keys`)}`,
    );
    out.print(`  ${out.bold('The rejected rows')}  ${url}/demo/rejects.csv`);
    out.print(`    ${out.dim('mend one, and upload the file in the dashboard')}`);
    out.print();
    out.print(`  The service keeps running. ${out.bold('Ctrl-C')} ends it.`);
  }
  out.print();
}

async function dealersDay(
  { url, adminToken }: RunningService,
  kept: string,
  files: FileServer,
  hasSite: boolean,
) {
  const currentYear = new Date().getUTCFullYear();
  const written = dealerRows({ currentYear });
  const rows = hasSite ? withPhotos(written, url) : written;
  const file = `${rows.length} records of ${currentYear}`;
  const { seller, isNew } = await demoSeller(url, adminToken, kept);
  step(
    'account',
    `${seller.account_id} ${out.dim(isNew ? 'new, with a secret key' : 'of the run before, key still good')}`,
  );
  step('dealer', seller.dealer);
  step('file', `${count(rows.length)} records as dealers write them, in batches of 500`);

  const records = rows.map((row) => row.record);
  const rehearsal = await rehearse(client(url, seller.key), records, PROVIDER);
  step(
    'dry run',
    `first ${rehearsal.received}: ${rehearsal.rejected} would be rejected ${out.dim('?dry_run=true, nothing stored')}`,
  );
  out.print();

  const bar = progress(out, rows.length, () => performance.now());
  const api = client(url, seller.key, bar.waiting);
  bar.show(0);
  const pushed = await push(api, records, PROVIDER, bar.show).finally(bar.end);
  const earlier = seller.first_run?.file === file ? seller.first_run : null;
  reportPush(out, pushed, earlier);
  reportRejects(out, pushed.rejects);
  const rejects = await rejectsCsv(rows, pushed.rejects);

  const { toSell, another, toRead } = examples(pushed.accepted, rows);
  const sold = await api.call({
    method: 'PATCH',
    path: '/v1/inventory',
    body: { vin: toSell.vin, status: 'sold' },
    answer: StatusAnswer,
  });
  out.print();
  out.print(`  ${out.bold('Marked sold')} ${out.dim('PATCH /v1/inventory')}`);
  const again =
    sold.previous_status === sold.status ? out.dim('as in the run before: a repeat does no harm') : '';
  out.print(`    ${sold.vin}  ${sold.previous_status} → ${out.green(sold.status)}  ${again}`.trimEnd());
  const listing = await api.call({ method: 'GET', path: `/v1/inventory/${toRead.vin}`, answer: Listing });
  out.print();
  out.print(`  ${out.bold('Fetched')} ${out.dim(`GET /v1/inventory/${toRead.vin}`)}`);
  reportListing(out, rows[toRead.index]?.record ?? {}, listing);
  if (hasSite && isNew) {
    const others = await addOtherSellers(url, adminToken, currentYear);
    step('market', `four other sellers with ${count(others)} trucks, so that prices can be compared`);
  }
  await feedsDay(out, api, files, currentYear, hasSite ? url : null);
  reportTryOut(out, { url, key: seller.key, keyFile: kept, vin: toRead.vin, another: another.vin });
  out.print();
  return { seller, file, pushMs: pushed.ms, earlier, rejects };
}

const ownAddresses = (port: number) => ['127.0.0.1', 'localhost'].map((host) => `${host}:${port}`);

function step(name: string, text: string): void {
  out.print(`  ${out.green('✓')} ${name.padEnd(8)} ${text}`);
}

/** Trucks to show things on, the same in every run: good ones that stand in the file once. */
function examples(accepted: readonly Accepted[], rows: readonly DealerRow[]) {
  const lines = Map.groupBy(accepted, (result) => result.vin);
  const good = accepted.filter(
    ({ vin, index }) => rows[index]?.outcome === 'stored' && lines.get(vin)?.length === 1,
  );
  const [toSell, ...others] = good;
  const [another, ...rest] = others.filter((result) => result.status === 'available');
  // An export's names and spellings show best what canonical values are worth.
  const [toRead] = rest
    .filter(({ index }) => 'manufacturer' in (rows[index]?.record ?? {}))
    .toSorted((a, b) => b.quality.score - a.quality.score || a.index - b.index);
  if (toSell === undefined || another === undefined || toRead === undefined)
    throw new Error('the service stored hardly any of the good trucks');
  return { toSell, another, toRead };
}

// Whoever reads along in a pipe may have seen enough.
process.stdout.on('error', () => {});

endOnSignals(async () => {
  ending = true;
  await service?.stop();
  await files?.close();
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  // Whoever pressed Ctrl-C knows why the request at hand was cut off.
  if (!ending) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\n  ${out.red('✗')} The demo failed: ${reason}\n`);
    if (error instanceof Refused && error.status >= 500)
      process.stderr.write('    LOG=stdout npm run demo shows what the service logs.\n');
    process.stderr.write('\n');
    process.exitCode = 1;
    await service?.stop();
    await files?.close();
  }
}
