import { makeAlertsOffUrl } from '../../../lib/accounts/alerts/alert-links.ts';
import type { FeedRunState } from '../../../lib/feeds/run/claimed-run.ts';
import type { Guard } from '../../../lib/http/endpoint.ts';
import { mediaKey } from '../../../lib/images/names/media.ts';
import { makeConfirmationToken } from '../../../lib/leads/confirm-address.ts';
import { queryRows } from '../service/database.ts';
import {
  ADMIN_TOKEN,
  CRON_SECRET,
  goodTruck,
  type TestAccount,
  type TestService,
} from '../service/service.ts';

/** One request to an endpoint, without its credential. */
export interface Sample {
  path: string;
  json?: unknown;
}

export interface Stage {
  service: TestService;
  account: TestAccount;
}

type Maker = (stage: Stage) => unknown;

/** A request to a path with what is made for it at `{}`. */
const at =
  (path: string, make: Maker = () => '', json?: unknown) =>
  async (stage: Stage): Promise<Sample> => ({ path: path.replace('{}', String(await make(stage))), json });

async function postedVin({ account }: Stage): Promise<unknown> {
  const truck = goodTruck();
  await account.post(truck);
  return truck.vin;
}

let serial = 0;
export const uniqueSlug = () => `dealer-${process.pid}-${++serial}`;

export async function createdSlug({ account }: Stage): Promise<string> {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Sample' });
  return slug;
}

/** A dealer with a truck of its own. */
async function stockedSlug(stage: Stage): Promise<string> {
  const slug = await createdSlug(stage);
  await stage.account.post(goodTruck({ dealer: slug }));
  return slug;
}

/** A lead that nothing was done about. */
async function leadId(stage: Stage): Promise<string> {
  const { path, json } = await leadSample(stage);
  const captured = await stage.account.call('POST', path, json);
  return captured.body.leadId;
}

async function leadSample(stage: Stage): Promise<Sample> {
  const dealerSlug = await createdSlug(stage);
  return {
    path: '/v1/widget/lead',
    json: { message: 'Is it still there?', dealerSlug, visitorId: 'v-1', phone: '(210) 555-0142' },
  };
}

const ownId = ({ account }: Stage) => account.id;

async function createdKeyId({ service, account }: Stage): Promise<string> {
  const key = await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind: 'secret' });
  return key.body.id;
}

/** A feed of a server that does not answer: its runs fail, and that is an answer too. */
async function createdFeed({ account }: Stage): Promise<string> {
  const feed = await account.call('POST', '/v1/feeds', FEED);
  return feed.body.id;
}

async function endedRun(stage: Stage): Promise<string> {
  const feed = await createdFeed(stage);
  const run = await stage.account.call('POST', `/v1/feeds/${feed}/runs?wait=true`);
  return `/v1/feeds/${feed}/runs/${run.body.id}`;
}

/** As if the guard had held it. */
async function heldRun(stage: Stage): Promise<string> {
  const path = await endedRun(stage);
  const state: FeedRunState = {
    file: { etag: null, lastModified: null },
    part: 1,
    hasRetryableRejects: false,
  };
  await queryRows(
    `update feed_runs set status = 'held', would_delist = 30, observed_at = now(), sha256 = 'ab', state = $3::json
    where account_id = $1 and id = $2`,
    [stage.account.id, path.split('/').at(-1), JSON.stringify(state)],
  );
  return path;
}

const FEED = { name: 'Sample', url: 'https://feeds.invalid/trucks.csv', source_provider_id: 'dms' };

/** A valid request for every endpoint, by operation id. */
export const SAMPLES: Readonly<Record<string, (stage: Stage) => Sample | Promise<Sample>>> = {
  postInventory: () => ({ path: '/v1/inventory', json: goodTruck() }),
  patchInventory: async (stage) => ({
    path: '/v1/inventory',
    json: { vin: await postedVin(stage), status: 'sold' },
  }),
  getInventory: at('/v1/inventory/{}', postedVin),
  deleteInventory: at('/v1/inventory/{}', postedVin),
  getIssues: at('/v1/issues?limit=2&source=api&code=VIN_LENGTH', async ({ account }) => {
    await account.post({ records: [{ vin: 'SHORT' }] });
  }),
  searchInventory: at('/v1/inventory?make=freightliner&year_min=2015&limit=2&q={}', postedVin),
  getOwnAccount: at('/v1/account'),
  postDealers: () => ({ path: '/v1/dealers', json: { slug: uniqueSlug(), name: 'Sample' } }),
  patchDealers: async (stage) => ({
    path: '/v1/dealers',
    json: { slug: await createdSlug(stage), city: 'Waco' },
  }),
  getDealers: at('/v1/dealers'),
  getDealer: at('/v1/dealers/{}', createdSlug),
  deleteDealer: at('/v1/dealers/{}', createdSlug),
  postTestLead: at('/v1/dealers/{}/test-lead', createdSlug),
  getWidgetInventory: at(
    '/v1/widget/inventory?dealerSlug={}&visitorId=v-1&make=freightliner&limit=2',
    stockedSlug,
  ),
  getWidgetForms: at('/v1/widget/forms?dealerSlug={}&visitorId=v-1&locale=es', stockedSlug),
  postWidgetLead: leadSample,
  postWidgetChat: async (stage) => ({
    path: '/v1/widget/chat',
    json: { message: 'What do you have?', dealerSlug: await stockedSlug(stage), visitorId: 'v-1' },
  }),
  getLeads: at('/v1/leads?limit=2&status=new', leadId),
  getLead: at('/v1/leads/{}', leadId),
  postLeadDeliveries: at('/v1/leads/{}/deliveries', leadId),
  patchLead: at('/v1/leads/{}', leadId, { status: 'contacted' }),
  deleteLead: at('/v1/leads/{}', leadId),
  postFeeds: () => ({ path: '/v1/feeds', json: FEED }),
  postFeedPreview: () => ({
    path: '/v1/feeds/preview',
    json: { sample: 'VIN,Year,Make,Class\n1FUJGLDR3H0000001,2019,Freightliner,8\n' },
  }),
  getFeeds: at('/v1/feeds?limit=2'),
  getFeed: at('/v1/feeds/{}', createdFeed),
  patchFeed: at('/v1/feeds/{}', createdFeed, { name: 'Again' }),
  deleteFeed: at('/v1/feeds/{}', createdFeed),
  postFeedRuns: at('/v1/feeds/{}/runs?wait=true', createdFeed),
  getFeedRuns: at('/v1/feeds/{}/runs', createdFeed),
  getFeedRun: at('{}', endedRun),
  getFeedChanges: at('{}/changes?kind=would_delist&limit=2', heldRun),
  releaseFeedRun: at('{}/release?wait=true', heldRun),
  refuseFeedRun: at('{}/refuse', heldRun),
  getFeedRejects: at('{}/rejects.csv', endedRun),
  getMarketComparables: at('/v1/market-data/comparables/{}', postedVin),
  getMarketTrends: at('/v1/market-data/trends?make=Freightliner&model=Cascadia&class=8'),
  getMarketPrices: at('/v1/market-data/prices?make=Freightliner&model=Cascadia&year_min=2018&class=8'),
  postAccounts: () => ({ path: '/api/admin/accounts', json: { name: 'Sample', tier: 'starter' } }),
  getAccounts: at('/api/admin/accounts?limit=2'),
  getAccount: at('/api/admin/accounts/{}', ownId),
  patchAccount: at('/api/admin/accounts/{}', ownId, { name: 'Sample again' }),
  postKeys: ({ account }) => ({
    path: '/api/admin/keys',
    json: { account_id: account.id, kind: 'publishable', allowed_origins: ['https://dealer.example'] },
  }),
  getKeys: at('/api/admin/keys?account_id={}', ownId),
  deleteKey: at('/api/admin/keys/{}', createdKeyId),
  postSignInLinks: ({ account }) => ({
    path: '/api/admin/sign-in-links',
    json: { account_id: account.id, email: 'owner@dealer.example' },
  }),
  getHealth: at('/api/health?deep=1'),
  cronDue: at('/api/cron/due'),
  getMedia: at('/media/{}/640.webp', async ({ service }) => {
    const hash = '5e'.repeat(32);
    await service.ports.objects.put(mediaKey(hash, '640.webp'), Buffer.from('RIFF'), 'image/webp');
    return hash;
  }),
  getConfirmAddress: at('/api/confirm-address/{}', confirmationToken),
  postConfirmAddress: at('/api/confirm-address/{}', confirmationToken),
  getAlertsOff: at('{}', alertsOffPath),
  postAlertsOff: at('{}', alertsOffPath),
  cronHousekeeping: at('/api/cron/housekeeping'),
};

/** The token that opens a guard. */
export function tokenFor(guard: Guard, account: TestAccount): string | null {
  const tokens = {
    'secret-key': account.key,
    // Server to server: no Origin.
    widget: account.key,
    operator: ADMIN_TOKEN,
    cron: CRON_SECRET,
    anyone: null,
  };
  return tokens[guard];
}

/** An address nobody else in this process uses: failed attempts are counted by address. */
export function uniqueIp(): string {
  serial += 1;
  return `198.18.${Math.floor(serial / 250) % 250}.${(serial % 250) + 1}`;
}

function confirmationToken({ service: { ports }, account: { id } }: Stage): string {
  return makeConfirmationToken(ports, id, 'crm@dealer.example');
}

/** Of a person who was just invited. */
async function alertsOffPath({ service: { ports, admin }, account: { id } }: Stage): Promise<string> {
  const email = `owner-${id}@dealer.example`;
  await admin('POST', '/api/admin/sign-in-links', { account_id: id, email });
  const [person] = await queryRows<{ id: string }>(
    'select id from people where account_id = $1 and email = $2',
    [id, email],
  );
  const settings = { ...ports.settings, publicUrl: '' };
  return makeAlertsOffUrl({ settings }, id, person?.id ?? '') ?? '';
}
