import { hash as digest } from 'node:crypto';
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
async function newAccount() {
  serial += 1;
  const id = `acc_${serial.toString(16).padStart(24, '0')}`;
  await sql.query({ text: `insert into accounts (id, name, tier) values ($1, 'Lot', 'pro')` }, [id]);
  return id;
}

const query = <Row>(text: string) => sql.query<Row>({ text });

/** Queues what `more` makes and kills workers over it, until enough were killed and the queue is empty. */
async function killWorkers(work: string, more: () => Promise<void>, left: string) {
  await more();
  const whole: Finished | null = await startWorker({ ...env, WORK: work });
  if (whole === null || whole.outcome.includes('stopped')) throw new Error(`it ended as ${whole?.outcome}`);
  let kills = 0;
  let turns = 0;
  while (kills < KILLS) {
    await more();
    for (; (await query(left)).length > 0; turns += 1) {
      if (turns > KILLS * 20) throw new Error('the queue is stuck');
      const kill = kills < KILLS ? killSomewhere(whole, turns, 1) : {};
      if ((await startWorker({ ...env, WORK: work, ...kill })) === null) kills += 1;
      // Time passes. A photo over which so many died would be parked, and is not asked for here.
      await query('update jobs set due_at = now(), leased_until = null, tries = least(tries, 1)');
    }
  }
}

/** How many there are of each status. */
const count = async (table: string) =>
  (
    await query<{ status: string; n: number }>(
      `select status, count(*)::int as n from ${table} group by status order by 1`,
    )
  ).map(({ status, n }) => [status, n]);

const DEALERS = 3;
const LEADS = 4;

/** Leads of several dealers that get them by mail and by webhook; returns their ids. */
async function captureLeads() {
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

test(
  `workers killed ${KILLS} times deliver every lead at least once, under the same id`,
  async () => {
    const ids: string[] = [];
    const more = async () => void ids.push(...(await captureLeads()));
    await killWorkers('leads', more, `select 1 from lead_deliveries where status = 'pending'`);
    expect(await count('lead_deliveries')).toEqual([['delivered', ids.length * 2]]);
    const mailed = smtp.mails.map(({ messageId }) => messageId?.replace(/^<|@.*$/g, ''));
    const posted = receiver.calls.map(({ headers }) => headers['webhook-id']?.replace('msg_', ''));
    for (const sent of [mailed, posted]) expect(new Set(sent)).toEqual(new Set(ids));
  },
  TIMEOUT_MS,
);

const IMAGES = 6;

/** Trucks with an image each; returns the images. */
async function queueImages(account: string) {
  const images = await Promise.all(
    cleanTrucks(IMAGES).map((_, at) => uniqueJpeg(`${account}-${at}`, 400, 300)),
  );
  const records = cleanTrucks(IMAGES).map((truck, at) => ({
    ...truck,
    images: [pictures.add(images[at] ?? 404)],
  }));
  await ingestFor(ports, account, { records, dryRun: false, observedAt: null });
  return images;
}

test(
  `workers killed ${KILLS} times store every image once`,
  async () => {
    const wanted: Buffer[] = [];
    const more = async () => void wanted.push(...(await queueImages(await newAccount())));
    await killWorkers('photos', more, `select 1 from jobs where kind = 'photos'`);
    expect(await count('image_sources')).toEqual([['stored', wanted.length]]);
    const rows = await query<{ hash: string; renditions: { width: number }[] }>(
      `select encode(hash, 'hex') as hash, renditions from stored_images`,
    );
    expect(rows.map(({ hash }) => hash).sort()).toEqual(
      wanted.map((bytes) => digest('sha256', bytes)).sort(),
    );
    for (const { hash, renditions } of rows)
      for (const name of ['original.jpg', ...renditions.map(({ width }) => renditionName(width))])
        expect(await ports.objects.get(mediaKey(hash, name))).not.toBeNull();
  },
  TIMEOUT_MS,
);
