import { hash as digest, randomBytes } from 'node:crypto';
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
const TIMEOUT_MS = 60_000 + KILLS * 12_000;
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

const query = <Row>(text: string, params: string[] = []) => sql.query<Row>({ text }, params);

async function newAccount() {
  const id = `acc_${randomBytes(12).toString('hex')}`;
  await query(`insert into accounts (id, name, tier) values ($1, 'Lot', 'pro')`, [id]);
  return id;
}

/** Queues what `more` makes and kills workers over it, until enough were killed and the queue is empty. */
async function killWorkers(work: string, more: () => Promise<void>, left: string) {
  await more();
  const finished: Finished | null = await startWorker({ ...env, WORK: work });
  if (finished === null || finished.outcome.includes('stopped'))
    throw new Error(`it ended as ${finished?.outcome}`);
  let kills = 0;
  let rounds = 0;
  while (kills < KILLS) {
    await more();
    for (; (await query(left)).length > 0; rounds += 1) {
      if (rounds > KILLS * 20) throw new Error('the queue is stuck');
      const kill = kills < KILLS ? killSomewhere(finished, rounds, 1) : {};
      if ((await startWorker({ ...env, WORK: work, ...kill })) === null) kills += 1;
      // Time passes. A photo over which so many died would be parked, and is not asked for here.
      await query('update jobs set due_at = now(), leased_until = null, tries = least(tries, 1)');
    }
  }
}

/** How many there are of each status. */
const count = (table: string) => query(`select status, count(*)::int as n from ${table} group by status`);

/** Leads of a dealer who gets them by mail and by webhook; returns their ids. */
async function captureLeads() {
  const account = await newAccount();
  const destinations = {
    lead_email: `${account}@crm.example`,
    lead_webhook_url: `${receiver.url}?${account}`,
  };
  const secret = await sealWebhookSecret(
    ports,
    account,
    'lot',
    `whsec_${randomBytes(24).toString('base64')}`,
  );
  const dealer = { name: 'Dealer', ...destinations };
  await writeDealer(ports.db, account, 'lot', dealer, { secret, rotates: false, maxDealers: 200 });
  const ids = Array.from({ length: 12 }, () => `lead_${randomBytes(14).toString('hex')}`);
  for (const id of ids) {
    const visit = { dealer: 'lot', visitorId: id, conversationId: null };
    const lead = newLead(id, { name: 'Jane', email: 'jane@visitor.example', message: 'Is it there?' });
    await storeEnquiry(ports.db, account, visit, id.replace('lead', 'conv'), lead);
  }
  return ids;
}

test(
  `workers killed ${KILLS} times deliver every lead at least once, under the same id`,
  async () => {
    const ids: string[] = [];
    const more = async () => void ids.push(...(await captureLeads()));
    await killWorkers('leads', more, `select 1 from lead_deliveries where status = 'pending'`);
    expect(await count('lead_deliveries')).toEqual([{ status: 'delivered', n: ids.length * 2 }]);
    const mailed = smtp.mails.map(({ messageId }) => messageId?.replace(/^<|@.*$/g, ''));
    const callIds = receiver.calls.map(({ headers }) => headers['webhook-id']?.replace('msg_', ''));
    for (const deliveredIds of [mailed, callIds]) expect(new Set(deliveredIds)).toEqual(new Set(ids));
  },
  TIMEOUT_MS,
);

/** Trucks with an image each; returns the images. */
async function queueImages(account: string) {
  const trucks = cleanTrucks(6);
  const images = await Promise.all(trucks.map(({ vin }) => uniqueJpeg(vin, 400, 300)));
  const records = trucks.map((truck, at) => ({ ...truck, images: [pictures.add(images[at] ?? 404)] }));
  await ingestFor(ports, account, { records, dryRun: false, observedAt: null });
  return images;
}

test(
  `workers killed ${KILLS} times store every image once`,
  async () => {
    const originals: Buffer[] = [];
    const more = async () => void originals.push(...(await queueImages(await newAccount())));
    await killWorkers('photos', more, `select 1 from jobs where kind = 'photos'`);
    expect(await count('image_sources')).toEqual([{ status: 'stored', n: originals.length }]);
    const rows = await query<{ hash: string; renditions: { width: number }[] }>(
      `select encode(hash, 'hex') as hash, renditions from stored_images`,
    );
    expect(rows.map(({ hash }) => hash).sort()).toEqual(
      originals.map((bytes) => digest('sha256', bytes)).sort(),
    );
    for (const { hash, renditions } of rows)
      for (const name of ['original.jpg', ...renditions.map(({ width }) => renditionName(width))])
        expect(await ports.objects.get(mediaKey(hash, name))).not.toBeNull();
  },
  TIMEOUT_MS,
);
