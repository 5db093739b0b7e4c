import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeDealer } from '../../../../lib/accounts/dealers/queries.ts';
import { createPorts } from '../../../../lib/connect.ts';
import { readEnv } from '../../../../lib/env.ts';
import { mediaKey, renditionName } from '../../../../lib/images/names/media.ts';
import { ingestFor } from '../../../../lib/inventory/ingest-listings.ts';
import { sealWebhookSecret } from '../../../../lib/leads/delivery/webhook-secret.ts';
import { storeEnquiry } from '../../../../lib/leads/queries/capture.ts';
import { LOCALHOST_TLS } from '../../../fixtures/localhost-tls.ts';
import { type Finished, killSomewhere, startWorker } from '../../../support/postgres/kill-workers.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';
import { suiteFolder } from '../../../support/processes/suite-folder.ts';
import { newLead } from '../../../support/samples/leads.ts';
import { uniqueJpeg } from '../../../support/samples/pictures.ts';
import { cleanTrucks } from '../../../support/samples/trucks.ts';
import { startImageServer } from '../../../support/servers/image-server.ts';
import { startMailServer } from '../../../support/servers/mail-server.ts';
import { startReceiver } from '../../../support/servers/webhook-receiver.ts';
import { FEED_SECRET_KEY } from '../../../support/service/service.ts';

/** Workers on the queues of leads and images are killed again and again, anywhere. KILLS says how often (`npm run prove`). */

const KILLS = Number(process.env.KILLS ?? 4);
const TIMEOUT_MS = 30_000 + KILLS * 6_000;
const folder = await suiteFolder();
const { sql, url } = await suiteDatabase();
const [smtp, receiver, pictures] = await Promise.all([
  startMailServer(),
  startReceiver(),
  startImageServer(),
] as const);
const authority = join(folder, 'authority.pem');
await writeFile(authority, LOCALHOST_TLS.cert);
const pictureHost = new URL(pictures.add(404)).host;
const env = {
  POSTGRES_URL: url,
  DATA_DIR: folder,
  TMPDIR: folder,
  FEED_SECRET_KEY,
  SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  MAIL_FROM: 'leads@trucks.example',
  OUTBOUND_ALLOW: `${receiver.host},${pictureHost}`,
  NODE_EXTRA_CA_CERTS: authority,
};
const ports = createPorts(readEnv({ ...env, LOG: 'silent', VERCEL: '1', PREVIEW_OUTBOUND: 'yes' }), sql);
afterAll(async () => {
  await Promise.all([smtp.close(), receiver.close(), pictures.close()]);
});

let serial = 0;
async function newAccount(): Promise<string> {
  serial += 1;
  const id = `acc_${serial.toString(16).padStart(24, '0')}`;
  await sql.query({ text: `insert into accounts (id, name, tier) values ($1, 'Lot', 'pro')` }, [id]);
  return id;
}

/** Kills workers until the queue is empty; `leaseRunsOut` stands for the time that passes. Returns the kills. */
async function killUntilDone(
  work: string,
  whole: Finished,
  maxKills: number,
  isDone: () => Promise<boolean>,
  leaseRunsOut: () => Promise<unknown>,
): Promise<number> {
  let kills = 0;
  for (let turns = 0; !(await isDone()); turns += 1) {
    if (turns > maxKills + 20) throw new Error('the queue is stuck');
    const kill = kills < maxKills ? killSomewhere(whole, turns, 1) : {};
    if ((await startWorker({ ...env, WORK: work, ...kill })) === null) kills += 1;
    await leaseRunsOut();
  }
  return kills;
}

/** A photo over which so many died would be parked, and is not asked for here. */
const leasesRunOut = () =>
  sql.query({ text: 'update jobs set due_at = now(), leased_until = null, tries = least(tries, 1)' });

async function uninterrupted(work: string): Promise<Finished> {
  const whole = await startWorker({ ...env, WORK: work });
  if (whole === null || whole.outcome.includes('stopped')) throw new Error(`it ended as ${whole?.outcome}`);
  return whole;
}

const DEALERS = 3;
const LEADS = 4;

/** Leads of several dealers that get them by mail and by webhook; returns their ids. */
async function captureLeads(): Promise<string[]> {
  const account = await newAccount();
  const ids: string[] = [];
  for (let dealer = 0; dealer < DEALERS; dealer += 1) {
    const slug = `dealer-${serial}-${dealer}`;
    const ways = { lead_email: `crm@${slug}.example`, lead_webhook_url: `${receiver.url}?${slug}` };
    const plain = `whsec_${Buffer.alloc(24, dealer).toString('base64')}`;
    const secret = await sealWebhookSecret(ports, account, slug, plain);
    const options = { secret, rotates: false, maxDealers: 200 };
    await writeDealer(ports.db, account, slug, { name: 'Dealer', ...ways }, options);
    for (let at = 0; at < LEADS; at += 1) {
      const id = `lead_${(serial * 100 + dealer * 10 + at).toString(16).padStart(28, '0')}`;
      const visit = { dealer: slug, visitorId: `visitor-${at}`, conversationId: null };
      await storeEnquiry(
        ports.db,
        account,
        visit,
        `conv_${id.slice(5)}`,
        newLead(id, { name: 'Jane', email: 'jane@visitor.example', message: 'Is it there?' }),
      );
      ids.push(id);
    }
  }
  return ids;
}

const statuses = async (text: string) =>
  (await sql.query<{ status: string; n: number }>({ text })).map(({ status, n }) => [status, n]);
const deliveries = () =>
  statuses('select status, count(*)::int as n from lead_deliveries group by status order by 1');

test(
  `workers killed ${KILLS} times deliver every lead at least once, under the same id`,
  async () => {
    const ids = await captureLeads();
    const whole = await uninterrupted('leads');
    for (let kills = 0; kills < KILLS; ) {
      ids.push(...(await captureLeads()));
      kills += await killUntilDone(
        ...(['leads', whole, KILLS - kills] as const),
        async () => (await deliveries()).every(([status]) => status !== 'pending'),
        leasesRunOut,
      );
    }
    expect(await deliveries()).toEqual([['delivered', ids.length * 2]]);
    const mailed = smtp.mails.map(({ messageId }) => messageId?.replace(/^<|@.*$/g, ''));
    const posted = receiver.calls.map(({ headers }) => headers['webhook-id']?.replace('msg_', ''));
    expect(new Set(mailed)).toEqual(new Set(ids));
    expect(new Set(posted)).toEqual(new Set(ids));
    console.log(
      `leads: ${ids.length} × 2 delivered, ${mailed.length + posted.length - ids.length * 2} twice`,
    );
  },
  TIMEOUT_MS,
);

const IMAGES = 6;

/** Trucks with an image each; returns the bytes by URL. */
async function queueImages(account: string): Promise<Map<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  for (let at = 0; at < IMAGES; at += 1) {
    const picture = await uniqueJpeg(`${account}-${at}`, 400, 300);
    bytes.set(pictures.add(picture), picture);
  }
  const urls = [...bytes.keys()];
  const records = cleanTrucks(IMAGES).map((truck, at) => ({ ...truck, images: [urls[at]] }));
  await ingestFor(ports, account, { records, dryRun: false, observedAt: null });
  return bytes;
}

const sources = () =>
  statuses('select status, count(*)::int as n from image_sources group by status order by 1');

test(
  `workers killed ${KILLS} times store every image once`,
  async () => {
    const wanted = await queueImages(await newAccount());
    const whole = await uninterrupted('photos');
    for (let kills = 0; kills < KILLS; ) {
      for (const [address, bytes] of await queueImages(await newAccount())) wanted.set(address, bytes);
      kills += await killUntilDone(
        ...(['photos', whole, KILLS - kills] as const),
        async () => (await sql.query({ text: `select 1 from jobs where kind = 'photos'` })).length === 0,
        leasesRunOut,
      );
    }
    expect(await sources()).toEqual([['stored', wanted.size]]);
    const rows = await sql.query<{ hash: string; renditions: { width: number }[] }>({
      text: `select encode(hash, 'hex') as hash, renditions from stored_images`,
    });
    const hashes = [...wanted.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    expect(rows.map(({ hash }) => hash).sort()).toEqual(hashes.sort());
    for (const { hash, renditions } of rows) {
      for (const name of ['original.jpg', ...renditions.map(({ width }) => renditionName(width))])
        expect(await ports.objects.get(mediaKey(hash, name))).not.toBeNull();
    }
    const fetches = [...wanted.keys()].reduce((sum, address) => sum + pictures.hits(address), 0);
    console.log(`images: ${wanted.size} stored once, ${fetches - wanted.size} fetched again`);
  },
  TIMEOUT_MS,
);
