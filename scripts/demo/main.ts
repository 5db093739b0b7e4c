import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PortTaken } from '../../lib/local/server.ts';
import { type RunningService, startService } from '../../lib/local/service.ts';
import { endOnSignals } from '../../lib/local/signals.ts';
import { type Truck, truckAt, writeTrucks } from '../trucks/trucks.ts';
import { pullFeed, pushFile, sellAndRead } from './day.ts';
import { type DealerRow, dealerRows } from './dealer-file.ts';
import { bold, count, dim, print, seconds, step } from './print.ts';
import { type Caller, call, DEALER, MAILBOX, newKey, newSeller, openSeller } from './seller.ts';
import { type DealerSite, startSite } from './site.ts';

/**
 * `npm run demo`: starts the service on a database of its own and does a dealer's day with it, over HTTP only.
 * `-- --once` ends after that with exit code 0, or 1 and the reason. DATA_DIR, HOST, PORT and NO_COLOR are honoured;
 * LOG=stdout shows the service's own log as well.
 */

const TRUCKS = 2_500;
/** Sellers beside the demo's own: a market has figures from three others on. */
const OTHERS = ['Lone Star Equipment', 'Prairie Commercial', 'Gulf Coast Trucks', 'Front Range Fleet'];
const OTHER_TRUCKS = 200;

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
let site: DealerSite | undefined;
const stop = async () => {
  await service?.stop();
  await site?.close();
};

async function main(options: readonly string[]): Promise<void> {
  const unknownOptions = options.filter((option) => option !== '--once');
  if (unknownOptions.length > 0)
    throw new Error(`unknown option ${unknownOptions.join(' ')}; the only one is --once`);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const isOnce = options.includes('--once');
  print(`\n  ${bold('Commercial Truck Inventory Service')} ${dim('· demo')}\n`);
  const startedAt = performance.now();
  site = await startSite();
  const env = {
    LOG: 'silent',
    ...process.env,
    ...EMBEDDED,
    OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, site.host].filter(Boolean).join(),
  };
  const docs = !isOnce;
  service = await startService({ env, docs }).catch((error) => {
    if (error instanceof PortTaken) return startService({ env: { ...env, PORT: '0' }, docs });
    throw error;
  });
  const { url, adminToken } = service;
  step('service', `${url} ${dim(`up in ${seconds(performance.now() - startedAt)}, data ${service.data}`)}`);
  const operator: Caller = { url, token: adminToken };
  const stateFile = join(process.env.DATA_DIR?.trim() || '.data', 'demo.json');
  const { accountId, key, isNew } = await openSeller(operator, stateFile);
  step('account', `${accountId} ${dim(isNew ? 'new, with a secret key and a dealer' : 'of the run before')}`);

  const seller: Caller = { url, token: key };
  const currentYear = new Date().getUTCFullYear();
  const rows = dealerRows(TRUCKS, currentYear);
  const trucks = rows.flatMap(({ outcome }, at) => (outcome === 'stored' ? [truckAt(at, currentYear)] : []));
  await pushFile(seller, isOnce ? rows : withPhotos(rows, site, currentYear));
  const [truckToSell, truckToRead, another] = trucks as [Truck, Truck, Truck];
  await sellAndRead(seller, truckToSell.vin, truckToRead.vin);
  await pullFeed(seller, site.feed, currentYear);
  printCommands(url, key, stateFile, another.vin);
  print(`\n  ${dim(`All of this took ${seconds(performance.now() - startedAt)}.`)}\n`);
  if (isOnce) {
    await stop();
    print('  The service has ended; npm start brings it back with the same trucks.\n');
    return;
  }
  if (isNew) await addCompany(operator, seller, trucks, currentYear);
  await openSite(operator, accountId, site, trucks);
}

/** Each record with a photo of the dealer's own server, in place of those that nobody serves. */
const withPhotos = (
  rows: readonly DealerRow[],
  { toPhotoUrl }: DealerSite,
  currentYear: number,
): DealerRow[] =>
  rows.map(({ record, outcome }, at) => ({
    record: { ...record, ['photos' in record ? 'photos' : 'images']: [toPhotoUrl(truckAt(at, currentYear))] },
    outcome,
  }));

/** Other sellers, so that prices can be compared, and two visitors' enquiries. */
async function addCompany(operator: Caller, seller: Caller, trucks: readonly Truck[], currentYear: number) {
  for (const [at, name] of OTHERS.entries()) {
    const { key } = await newSeller(operator, `${name} (demo)`);
    const records = writeTrucks(OTHER_TRUCKS, currentYear, 800_000 + at * OTHER_TRUCKS);
    await call({ ...operator, token: key }, 'POST', '/v1/inventory?return=summary', { records });
  }
  step('market', `${OTHERS.length} other sellers with ${count(OTHERS.length * OTHER_TRUCKS)} trucks`);
  const visitors = [
    { name: 'Dana Whitfield', phone: '(817) 555-0134', message: 'I could come on Thursday with a mechanic.' },
    { name: 'Martín Salazar', phone: '(956) 555-0178', message: '¿Cuál es el mejor precio de contado?' },
  ];
  for (const [at, visitor] of visitors.entries())
    await call(seller, 'POST', '/v1/widget/lead', {
      ...visitor,
      dealerSlug: DEALER,
      visitorId: `demo-visitor-${at}`,
      vin: trucks[at + 1]?.vin,
    });
}

/** The dealer's web site with the widget, and a way into the dashboard; from then on the service just runs. */
async function openSite(
  operator: Caller,
  accountId: string,
  { url, host, open }: DealerSite,
  trucks: readonly Truck[],
) {
  const widgetKey = await newKey(operator, {
    account_id: accountId,
    kind: 'publishable',
    allowed_origins: [url, `http://${host.replace('127.0.0.1', 'localhost')}`],
  });
  open(operator.url, widgetKey, trucks.slice(1, 25));
  const person = { account_id: accountId, email: MAILBOX };
  const link: { url: string } = await call(operator, 'POST', '/api/admin/sign-in-links', person);
  const chat = process.env.AI_MODEL ? '' : '; chat too once AI_BASE_URL, AI_API_KEY and AI_MODEL are set';
  print(
    `  ${bold('The dealer’s site')}  ${url}\n    ${dim(`with the widget on it: search and leads${chat}`)}`,
  );
  // Secrets are printed on a terminal only.
  const isWatched = process.stdout.isTTY;
  print(`  ${bold('The dashboard')}  ${isWatched ? link.url : `${operator.url}/dashboard`}`);
  print(`    ${dim(isWatched ? 'signs in once, as the owner' : `sign in as ${MAILBOX}`)}`);
  print(`\n  The service keeps running. ${bold('Ctrl-C')} ends it.\n`);
}

/** Lines to copy into a shell. */
function printCommands(url: string, key: string, keyFile: string, vin: string): void {
  const token = process.stdout.isTTY ? `KEY=${key}` : `KEY=$(grep -o 'ctis_sk_[0-9A-Za-z_]*' ${keyFile})`;
  print(`\n  ${bold('Try it yourself')}\n
    ${token}
    curl -s ${url}/v1/inventory/${vin} -H "Authorization: Bearer $KEY"
    curl -s -X PATCH ${url}/v1/inventory -H "Authorization: Bearer $KEY" -d '{"vin":"${vin}","status":"sold"}'
    curl -s '${url}/v1/inventory?dry_run=true' -H "Authorization: Bearer $KEY" -d '{"vin":"3AKJHHDR0KSKA1234","year":2019,"make":"FRHT","price":"$54,900"}'

  ${bold('Docs')}  ${url}/docs`);
}

// Whoever reads along in a pipe may have seen enough.
process.stdout.on('error', () => {});
let ending = false;
endOnSignals(() => {
  ending = true;
  return stop();
});
try {
  await main(process.argv.slice(2));
} catch (error) {
  // Whoever pressed Ctrl-C knows why the request at hand was cut off.
  if (!ending) {
    process.stderr.write(`\n  The demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write('  LOG=stdout npm run demo shows what the service logs.\n\n');
    process.exitCode = 1;
    await stop();
  }
}
