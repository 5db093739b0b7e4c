import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Hours } from '../lib/contract/dealers/hours.ts';
import { FEED_RUN_STATUSES } from '../lib/contract/feeds/feed-fields.ts';
import { FEED_PROTOCOLS } from '../lib/contract/feeds/feed-files.ts';
import { IMAGE_STATUSES, LISTING_STATUSES } from '../lib/contract/fields.ts';
import {
  DELIVERY_KINDS,
  DELIVERY_STATUSES,
  LEAD_STATUSES,
  SPEAKERS,
} from '../lib/contract/leads/lead-states.ts';
import {
  entryFor,
  SEARCHED_FIELDS,
  type SearchedColumn,
  searchColumn,
} from '../lib/contract/record/record.ts';
import { MARKET_MODEL } from '../lib/domain/market/market-sample.ts';
import { KEY_KINDS, type Scope, TIERS } from '../lib/ports/accounts/accounts.ts';
import type { LeadTruck } from '../lib/ports/leads/leads.ts';

/**
 * The one schema. Tenant tables (`TENANT_TABLES`) lead every primary, unique and foreign key with account_id, ready
 * for hash partitions; the identity tables before them say who an account is. The hot tenant tables carry no
 * foreign keys: 1,500 look-ups a batch would buy nothing that their single writer does not already guarantee.
 */

const bytea = customType<{ data: string }>({ dataType: () => 'bytea' });
const byteas = customType<{ data: string[] }>({ dataType: () => 'bytea[]' });
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });
const now = sql`now()`;
const quoteList = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

// Identity

export const accounts = pgTable(
  'accounts',
  {
    id: text('id').notNull(),
    name: text('name').notNull(),
    tier: text('tier', { enum: TIERS }).notNull(),
    limitMultiplier: integer('limit_multiplier').notNull().default(1),
    minFeedCadenceMinutes: integer('min_feed_cadence_minutes').notNull().default(60),
    suspended: boolean('suspended').notNull().default(false),
    /** False: what it lists is nobody's market data. */
    inMarket: boolean('in_market').notNull().default(true),
    /** For trying things out: keys begin ctis_sk_test_, never in the market, no mail. */
    test: boolean('test').notNull().default(false),
    /** When a worker last took up a run of one of its feeds: the account served longest ago is next. */
    feedsServedAt: time('feeds_served_at'),
    /** Its owner had it erased: it is suspended for good, and its rows and objects are removed in slices. */
    erasingAt: time('erasing_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'accounts_pkey', columns: [t.id] }),
    check('accounts_tier', sql`${t.tier} in (${quoteList(TIERS)})`),
    check('accounts_multiplier', sql`${t.limitMultiplier} between 1 and 100`),
    // Every market answer asks who does not count.
    index('accounts_out_of_market').on(t.id).where(sql`${t.suspended} or not ${t.inMarket}`),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').notNull(),
    accountId: text('account_id').notNull(),
    kind: text('kind', { enum: KEY_KINDS }).notNull(),
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key in hex; the key itself is never stored. */
    hash: text('hash').notNull(),
    allowedOrigins: jsonb('allowed_origins').$type<string[]>().notNull(),
    name: text('name'),
    /** Null: all. */
    scopes: jsonb('scopes').$type<Scope[]>(),
    /** The only dealer that the key reaches; null: all. */
    dealer: text('dealer'),
    expiresAt: time('expires_at'),
    createdAt: time('created_at').notNull().default(now),
    /** The person who made it, or `operator`. */
    createdBy: text('created_by').notNull().default('operator'),
    lastUsedAt: time('last_used_at'),
    /** The page's origin of its last use, of publishable keys. */
    lastOrigin: text('last_origin'),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    primaryKey({ name: 'api_keys_pkey', columns: [t.id] }),
    unique('api_keys_hash').on(t.hash),
    index('api_keys_account').on(t.accountId, t.createdAt),
    index('api_keys_origins').using('gin', t.allowedOrigins).where(sql`${t.revokedAt} is null`),
    foreignKey({ name: 'api_keys_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('api_keys_kind', sql`${t.kind} in (${quoteList(KEY_KINDS)})`),
  ],
);

/** Calls of a key by day (UTC), added up in each process and written from time to time. */
export const keyUsage = pgTable(
  'key_usage',
  {
    accountId: text('account_id').notNull(),
    keyId: text('key_id').notNull(),
    day: date('day').notNull(),
    requests: integer('requests').notNull(),
  },
  (t) => [primaryKey({ name: 'key_usage_pkey', columns: [t.accountId, t.day, t.keyId] })],
);

export const audit = pgTable(
  'audit',
  {
    id: integer('id').generatedAlwaysAsIdentity({ name: 'audit_id_seq' }).notNull(),
    at: time('at').notNull().default(now),
    action: text('action').notNull(),
    target: text('target').notNull(),
    requestId: text('request_id').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    /** Whose activity it is part of; null: nobody's but the operator's. */
    accountId: text('account_id'),
    /** The person, the key, or `operator`. */
    actor: text('actor').notNull().default('operator'),
  },
  (t) => [
    primaryKey({ name: 'audit_pkey', columns: [t.id] }),
    index('audit_target').on(t.target, t.at),
    index('audit_account').on(t.accountId, t.id),
  ],
);

export const leases = pgTable(
  'leases',
  {
    job: text('job').notNull(),
    fence: integer('fence').notNull(),
    expiresAt: time('expires_at').notNull(),
    finishedAt: time('finished_at'),
    result: jsonb('result').$type<Record<string, unknown>>(),
  },
  (t) => [primaryKey({ name: 'leases_pkey', columns: [t.job] })],
);

/** What the geocoder of GEOCODER_URL said of a place; null coordinates: it knows none. Nobody's data. */
export const geocodes = pgTable(
  'geocodes',
  {
    place: text('place').notNull(),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    at: time('at').notNull().default(now),
  },
  (t) => [primaryKey({ name: 'geocodes_pkey', columns: [t.place] }), index('geocodes_at').on(t.at)],
);

// Tenant tables

export const dealers = pgTable(
  'dealers',
  {
    accountId: text('account_id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    phone: text('phone'),
    email: text('email'),
    website: text('website'),
    address: text('address'),
    city: text('city'),
    state: text('state'),
    zip: text('zip'),
    sms: text('sms'),
    hours: jsonb('hours').$type<Hours>(),
    /** IANA name, of `hours`. */
    timeZone: text('time_zone'),
    replyMinutes: integer('reply_minutes'),
    leadEmail: text('lead_email'),
    leadWebhookUrl: text('lead_webhook_url'),
    /** `whsec_…`, which signs what goes to that URL. */
    leadWebhookSecret: text('lead_webhook_secret'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    /** When city, state or ZIP last changed. */
    movedAt: time('moved_at'),
    /** The move that all trucks without a place of their own have followed. */
    followedAt: time('followed_at'),
  },
  (t) => [
    primaryKey({ name: 'dealers_pkey', columns: [t.accountId, t.slug] }),
    index('dealers_moved').on(t.accountId).where(sql`${t.movedAt} is distinct from ${t.followedAt}`),
    foreignKey({ name: 'dealers_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
  ],
);

export const listings = pgTable(
  'listings',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of VIN + source_provider_id (contract section 1). */
    dedupHash: bytea('dedup_hash').notNull(),
    vin: text('vin').notNull(),
    sourceProviderId: text('source_provider_id').notNull(),
    status: text('status', { enum: LISTING_STATUSES }).notNull(),
    /** Counts writes; guards against lost updates. 0 is a place held by a transaction that has not written yet. */
    version: integer('version').notNull(),
    /** Hash of the normalised input and the rules version; null after any other writer. */
    inputHash: bytea('input_hash'),
    /** The wire document without what other writers change; json, not jsonb, because its text is passed through. */
    doc: json('doc').notNull(),
    /** Of the record table that `doc` was made by (lib/adapters/postgres/listings/record-version.ts). */
    recordVersion: text('record_version').notNull().default(''),
    /** Image URLs in order; what became of them is in `image_sources`. */
    images: json('images').$type<string[]>().notNull().default([]),
    price: integer('price'),
    dealer: text('dealer'),
    quality: json('quality').notNull(),
    observedAt: time('observed_at').notNull(),
    /** The feed that wrote what stands here; null: the API. When that feed loses the truck, another that has it takes over. */
    feedId: text('feed_id'),
    /** That feed does not have it any more: any sighting replaces what is stored, however old the sighting is. */
    outdated: boolean('outdated').notNull().default(false),
    firstSeenAt: time('first_seen_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    soldAt: time('sold_at'),
    delistedAt: time('delisted_at'),
  },
  (t) => [
    primaryKey({ name: 'listings_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listings_vin').on(t.accountId, t.vin),
    // Housekeeping looks for documents of older versions, in all accounts.
    index('listings_record_version').on(t.recordVersion),
    check('listings_status', sql`${t.status} in (${quoteList(LISTING_STATUSES)})`),
  ],
);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The columns of the fields that the record table calls searchable. */
function searchedColumns() {
  const columns = SEARCHED_FIELDS.map((name) => {
    const { kind, required } = entryFor(name);
    const column = searchColumn(name);
    const built = kind === 'integer' ? integer(column) : text(column);
    const key = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [key, required ? built.notNull() : built];
  });
  return Object.fromEntries(columns) as Record<CamelCase<SearchedColumn>, ReturnType<typeof text>>;
}

/** One narrow row per listing, for search and for market data; derived, always equal to a recount. */
export const listingSearch = pgTable(
  'listing_search',
  {
    accountId: text('account_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    vin: text('vin').notNull(),
    status: text('status', { enum: LISTING_STATUSES }).notNull(),
    ...searchedColumns(),
    dealer: text('dealer'),
    state: text('state'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    quality: integer('quality').notNull(),
    hasImages: boolean('has_images').notNull(),
    /** `sleeper`, `crew` and the like. */
    cabKind: text('cab_kind'),
    /** Which samples of the market have it (lib/domain/market/market-sample.ts); null: none. */
    marketLevel: integer('market_level'),
    updatedAt: time('updated_at').notNull(),
    /** The transaction of the last change: unlike times, those that may still commit are known. */
    changedXid: xid8('changed_xid').notNull().default(sql`pg_current_xact_id()`),
  },
  // Every index begins with the account, so that no search reads another's rows; the market's alone crosses accounts.
  (t) => [
    primaryKey({ name: 'listing_search_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listing_search_newest').on(t.accountId, t.updatedAt, t.dedupHash),
    index('listing_search_changed').on(t.accountId, t.changedXid),
    index('listing_search_price').on(t.accountId, t.price, t.dedupHash),
    index('listing_search_mileage').on(t.accountId, t.mileage, t.dedupHash),
    index('listing_search_year').on(t.accountId, t.modelYear, t.dedupHash),
    index('listing_search_quality').on(t.accountId, t.quality, t.dedupHash),
    index('listing_search_make').on(t.accountId, t.make, t.model),
    index('listing_search_dealer').on(t.accountId, t.dealer, t.dedupHash),
    index('listing_search_place').on(t.accountId, t.latitude, t.longitude),
    // Complete for market data: only statements that name a level can use it, and those of a search never do.
    index('listing_search_market')
      .on(
        ...[
          t.status,
          t.marketLevel,
          t.make,
          sql.raw(`(${MARKET_MODEL})`),
          t.modelYear,
          t.truckClass,
          t.bodyType,
        ],
        ...[t.cabKind, t.state, t.condition, t.fuelType, t.price, t.mileage, t.accountId, t.vin, t.updatedAt],
        ...[t.dedupHash, t.model],
      )
      .where(sql`${t.marketLevel} is not null`),
  ],
);

/** The words of a listing; apart from `listing_search`, so that a new price does not touch the text index. */
export const listingWords = pgTable(
  'listing_words',
  {
    accountId: text('account_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    /** The words of the listing, separated by blanks; the vector is made again only when they change. */
    wordsSource: text('words_source').notNull(),
    /** The same words, each with the end of the account's id before it: the index then knows the account. */
    words: tsvector('words').notNull(),
  },
  (t) => [
    primaryKey({ name: 'listing_words_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listing_words_words').using('gin', t.accountId, t.words),
  ],
);

/** What a listing is counted under in the facets; never null here: '' stands for nothing known. */
const facetKey = () => ({
  status: text('status').notNull(),
  make: text('make').notNull(),
  model: text('model').notNull(),
});

/**
 * Listings per make and value: the sum of what was folded. Rows with model '' count the whole make, the others one
 * of its models. True only together with `facet_deltas`.
 */
export const facetCells = pgTable(
  'facet_cells',
  {
    accountId: text('account_id').notNull(),
    ...facetKey(),
    facet: text('facet').notNull(),
    value: text('value').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'facet_cells_pkey',
      columns: [t.accountId, t.status, t.model, t.make, t.facet, t.value],
    }),
  ],
);

/** What writers append instead of counting up a hot row: one row more (n = 1) or less (n = -1) of this kind. */
export const facetDeltas = pgTable(
  'facet_deltas',
  {
    accountId: text('account_id').notNull(),
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity({ name: 'facet_deltas_id_seq' }).notNull(),
    n: integer('n').notNull(),
    ...facetKey(),
    bodyType: text('body_type').notNull(),
    truckClass: text('truck_class').notNull(),
    year: text('year').notNull(),
    price: text('price').notNull(),
    condition: text('condition').notNull(),
    fuelType: text('fuel_type').notNull(),
    state: text('state').notNull(),
    dealer: text('dealer').notNull(),
  },
  (t) => [primaryKey({ name: 'facet_deltas_pkey', columns: [t.accountId, t.id] })],
);

export const EVENT_KINDS = ['created', 'changed', 'sold', 'delisted', 'vanished', 'relisted'] as const;

/** Append-only history of a listing. */
export const listingEvents = pgTable(
  'listing_events',
  {
    accountId: text('account_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    /** The listing's version that this event made. */
    version: integer('version').notNull(),
    kind: text('kind', { enum: EVENT_KINDS }).notNull(),
    at: time('at').notNull(),
    oldPrice: integer('old_price'),
    newPrice: integer('new_price'),
    /** The run of a feed that made the change; null: the API. */
    runNo: bigint('run_no', { mode: 'number' }),
  },
  (t) => [
    index('listing_events_run').on(t.accountId, t.runNo, t.dedupHash).where(sql`${t.runNo} is not null`),
    primaryKey({ name: 'listing_events_pkey', columns: [t.accountId, t.dedupHash, t.version, t.kind] }),
    check('listing_events_kind', sql`${t.kind} in (${quoteList(EVENT_KINDS)})`),
  ],
);

/**
 * One row per image URL an account ever named: the queue of what is to be fetched, and what became of it. Listings
 * name URLs only, so that a merge or a repeated post never loses what was fetched.
 */
export const imageSources = pgTable(
  'image_sources',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the URL. */
    urlHash: bytea('url_hash').notNull(),
    url: text('url').notNull(),
    host: text('host').notNull(),
    status: text('status', { enum: IMAGE_STATUSES }).notNull().default('pending'),
    /** Why it failed, or why the last try did. */
    reason: text('reason'),
    /** Tries that ended in a transient failure. */
    attempts: integer('attempts').notNull().default(0),
    /** Times it was claimed since a try last ended in order: an image that takes its workers down is parked by it. */
    claims: integer('claims').notNull().default(0),
    /** Counts claims; only the newest worker may write. */
    fence: integer('fence').notNull().default(0),
    /** When it may be claimed next; while claimed, the end of the lease. */
    dueAt: time('due_at').notNull().default(now),
    /** SHA-256 of the bytes: a row of `stored_images`. */
    imageHash: bytea('image_hash'),
    updatedAt: time('updated_at').notNull().default(now),
    /** Dedup hashes of listings that named it since it last was settled: they change with it. */
    waiting: byteas('waiting'),
  },
  (t) => [
    primaryKey({ name: 'image_sources_pkey', columns: [t.accountId, t.urlHash] }),
    index('image_sources_queue')
      .on(t.accountId, t.dueAt)
      .where(sql`${t.status} = 'pending' and ${t.claims} = 0`),
    // Asked for every image of a changed listing; nearly all of the answers are no.
    index('image_sources_failed').on(t.accountId, t.urlHash).where(sql`${t.status} = 'failed'`),
    index('image_sources_settled')
      .on(t.accountId)
      .where(sql`${t.status} <> 'pending' and ${t.waiting} is not null`),
    index('image_sources_claimed').on(t.dueAt).where(sql`${t.status} = 'pending' and ${t.claims} > 0`),
    check('image_sources_status', sql`${t.status} in (${quoteList(IMAGE_STATUSES)})`),
  ],
);

/** Stored images by content; their bytes are in the object store. */
export const storedImages = pgTable(
  'stored_images',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the original's bytes. */
    hash: bytea('hash').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Path of the original. */
    original: text('original').notNull(),
    /** Blurred thumbnail as a data URI. */
    placeholder: text('placeholder').notNull(),
    /** As on the wire: width, height, url. */
    renditions: json('renditions').notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** Since when no URL stands for it; its bytes are removed a day later. */
    unusedSince: time('unused_since'),
  },
  (t) => [primaryKey({ name: 'stored_images_pkey', columns: [t.accountId, t.hash] })],
);

// The widget: what visitors say and leave.

export const conversations = pgTable(
  'conversations',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    dealer: text('dealer').notNull(),
    visitorId: text('visitor_id').notNull(),
    /** Messages so far: the number of the newest. */
    messages: integer('messages').notNull().default(0),
    /** The lead captured in it; at most one. */
    leadId: text('lead_id'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    /** Null: the visitor's open one, which a call that names none goes on with. */
    closedAt: time('closed_at'),
  },
  (t) => [
    primaryKey({ name: 'conversations_pkey', columns: [t.accountId, t.id] }),
    uniqueIndex('conversations_open')
      .on(t.accountId, t.dealer, t.visitorId)
      .where(sql`${t.closedAt} is null`),
    index('conversations_updated').on(t.updatedAt),
  ],
);

export const messages = pgTable(
  'messages',
  {
    accountId: text('account_id').notNull(),
    conversationId: text('conversation_id').notNull(),
    /** From 1, without gaps. */
    n: integer('n').notNull(),
    role: text('role', { enum: SPEAKERS }).notNull(),
    text: text('text').notNull(),
    /** VINs of the trucks it is about. */
    vins: json('vins').$type<string[]>().notNull().default([]),
    at: time('at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'messages_pkey', columns: [t.accountId, t.conversationId, t.n] }),
    foreignKey({
      name: 'messages_conversation_fk',
      columns: [t.accountId, t.conversationId],
      foreignColumns: [conversations.accountId, conversations.id],
    }).onDelete('cascade'),
    check('messages_role', sql`${t.role} in (${quoteList(SPEAKERS)})`),
  ],
);

export const leads = pgTable(
  'leads',
  {
    accountId: text('account_id').notNull(),
    /** Sorts by time of capture. */
    id: text('id').notNull(),
    dealer: text('dealer').notNull(),
    conversationId: text('conversation_id').notNull(),
    visitorId: text('visitor_id').notNull(),
    name: text('name'),
    email: text('email'),
    /** E.164. */
    phone: text('phone'),
    message: text('message').notNull(),
    vin: text('vin'),
    /** The truck as it was then: what the dealer's CRM receives. */
    truck: json('truck').$type<LeadTruck>(),
    status: text('status', { enum: LEAD_STATUSES }).notNull().default('new'),
    suspicious: boolean('suspicious').notNull(),
    /** Why. */
    doubts: json('doubts').$type<string[]>().notNull(),
    consent: json('consent').$type<object>(),
    intent: text('intent'),
    details: json('details'),
    marketing: json('marketing'),
    transcript: json('transcript').$type<object[]>().notNull(),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'leads_pkey', columns: [t.accountId, t.id] }),
    unique('leads_conversation').on(t.accountId, t.conversationId),
    index('leads_created').on(t.createdAt),
    check('leads_status', sql`${t.status} in (${quoteList(LEAD_STATUSES)})`),
  ],
);

/** Later enquiries of a visitor whose lead is captured already, numbered from 1 without gaps. */
export const leadUpdates = pgTable(
  'lead_updates',
  {
    accountId: text('account_id').notNull(),
    leadId: text('lead_id').notNull(),
    n: integer('n').notNull(),
    name: text('name'),
    email: text('email'),
    /** E.164. */
    phone: text('phone'),
    message: text('message').notNull(),
    vin: text('vin'),
    truck: json('truck').$type<LeadTruck>(),
    suspicious: boolean('suspicious').notNull(),
    doubts: json('doubts').$type<string[]>().notNull(),
    consent: json('consent').$type<object>(),
    intent: text('intent'),
    details: json('details'),
    marketing: json('marketing'),
    /** What was said since the enquiry before. */
    transcript: json('transcript').$type<object[]>().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'lead_updates_pkey', columns: [t.accountId, t.leadId, t.n] }),
    foreignKey({
      name: 'lead_updates_lead_fk',
      columns: [t.accountId, t.leadId],
      foreignColumns: [leads.accountId, leads.id],
    }).onDelete('cascade'),
  ],
);

/** The outbox: one row per enquiry and way that it goes to the dealer, written together with the enquiry. */
/** Addresses and webhooks that the seller proved to be the dealer's: by the link in a mail, by a 2xx of the webhook. */
export const leadDestinations = pgTable(
  'lead_destinations',
  {
    accountId: text('account_id').notNull(),
    destination: text('destination').notNull(),
    confirmedAt: time('confirmed_at').notNull().default(now),
  },
  (t) => [primaryKey({ name: 'lead_destinations_pkey', columns: [t.accountId, t.destination] })],
);

/** What was sent in the last hour, so that nobody is flooded; across accounts, by the hash of the destination. */
export const leadSends = pgTable(
  'lead_sends',
  {
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity({ name: 'lead_sends_id_seq' }).notNull(),
    at: time('at').notNull().default(now),
    accountId: text('account_id').notNull(),
    dealer: text('dealer').notNull(),
    destinationHash: bytea('destination_hash').notNull(),
    confirmed: boolean('confirmed').notNull(),
  },
  (t) => [
    primaryKey({ name: 'lead_sends_pkey', columns: [t.id] }),
    index('lead_sends_destination').on(t.destinationHash, t.at),
    index('lead_sends_account').on(t.accountId, t.at),
  ],
);

export const leadDeliveries = pgTable(
  'lead_deliveries',
  {
    accountId: text('account_id').notNull(),
    leadId: text('lead_id').notNull(),
    /** Number of the update; 0: the lead itself. */
    updateN: integer('update_n').notNull().default(0),
    kind: text('kind', { enum: DELIVERY_KINDS }).notNull(),
    dealer: text('dealer').notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** Counts claims; only the newest worker may write. */
    fence: integer('fence').notNull().default(0),
    /** When it may be claimed next; while claimed, the end of the lease. */
    dueAt: time('due_at').notNull().default(now),
    /** While a worker tries. */
    leasedUntil: time('leased_until'),
    createdAt: time('created_at').notNull().default(now),
    deliveredAt: time('delivered_at'),
  },
  (t) => [
    primaryKey({ name: 'lead_deliveries_pkey', columns: [t.accountId, t.leadId, t.updateN, t.kind] }),
    foreignKey({
      name: 'lead_deliveries_lead_fk',
      columns: [t.accountId, t.leadId],
      foreignColumns: [leads.accountId, leads.id],
    }).onDelete('cascade'),
    index('lead_deliveries_queue')
      .on(t.kind, t.accountId, t.dealer, t.dueAt)
      .where(sql`${t.status} = 'pending'`),
    index('lead_deliveries_leased')
      .on(t.leasedUntil)
      .where(sql`${t.status} = 'pending' and ${t.leasedUntil} is not null`),
    check('lead_deliveries_kind', sql`${t.kind} in (${quoteList(DELIVERY_KINDS)})`),
    check('lead_deliveries_status', sql`${t.status} in (${quoteList(DELIVERY_STATUSES)})`),
  ],
);

// Feeds

/** Dealers' files that are pulled. */
export const feeds = pgTable(
  'feeds',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    dealer: text('dealer'),
    protocol: text('protocol', { enum: FEED_PROTOCOLS }).notNull(),
    url: text('url').notNull(),
    username: text('username'),
    /** Sealed (lib/adapters/system/secrets.ts), never in the clear. */
    password: text('password'),
    privateKey: text('private_key'),
    hostKeySha256: text('host_key_sha256'),
    format: text('format'),
    sourceProviderId: text('source_provider_id'),
    mapping: json('mapping'),
    defaults: json('defaults').notNull().default({}),
    classFromVin: boolean('class_from_vin').notNull().default(false),
    zeroPriceIsCall: boolean('zero_price_is_call').notNull().default(true),
    cadenceMinutes: integer('cadence_minutes').notNull().default(60),
    missesBeforeDelist: integer('misses_before_delist').notNull().default(1),
    enabled: boolean('enabled').notNull().default(true),
    /** What is known of the file that was applied last; null once the feed reads it in another way. */
    fileSha256: text('file_sha256'),
    fileEtag: text('file_etag'),
    fileLastModified: text('file_last_modified'),
    /** When that file's snapshot was observed: an older one with other content is stale. */
    fileObservedAt: time('file_observed_at'),
    /** The same bytes are worth reading again by runs that start later: a listing was handed over to this feed. */
    rereadAt: time('reread_at'),
    /** The file that last broke the worker reading it: sha256, etag, lastModified, and how many times. */
    brokenFile: json('broken_file'),
    /** Failed runs in a row. */
    failures: integer('failures').notNull().default(0),
    /** Null: not by itself. */
    nextRunAt: time('next_run_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'feeds_pkey', columns: [t.accountId, t.id] }),
    foreignKey({ name: 'feeds_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    index('feeds_due').on(t.nextRunAt).where(sql`${t.enabled}`),
    check('feeds_protocol', sql`${t.protocol} in (${quoteList(FEED_PROTOCOLS)})`),
  ],
);

/** Runs of feeds: at the same time the queue of those to work on. A claim is a lease (`due_at`) with a fencing token. */
export const feedRuns = pgTable(
  'feed_runs',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    feedId: text('feed_id').notNull(),
    /** Order in which runs were made. */
    no: bigint('no', { mode: 'number' }).generatedAlwaysAsIdentity({ name: 'feed_runs_no_seq' }).notNull(),
    status: text('status', { enum: FEED_RUN_STATUSES }).notNull().default('queued'),
    /** fetch, ingest, reconcile or delist: where the next worker resumes. */
    phase: text('phase').notNull().default('fetch'),
    /** Told to delist although the guard held it. */
    released: boolean('released').notNull().default(false),
    /** Counts claims; only the newest worker may write. */
    fence: integer('fence').notNull().default(0),
    /** Claims since there was progress: a file that takes its workers down is given up by it. */
    claims: integer('claims').notNull().default(0),
    /** When it may be claimed; while claimed, the end of the lease. */
    dueAt: time('due_at').notNull().default(now),
    /** When the snapshot was taken: the file's time or the start of the download, whichever is earlier. */
    observedAt: time('observed_at'),
    rows: integer('rows').notNull().default(0),
    created: integer('created').notNull().default(0),
    merged: integer('merged').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    delisted: integer('delisted').notNull().default(0),
    rejected: integer('rejected').notNull().default(0),
    rejectsByCode: json('rejects_by_code').notNull().default({}),
    wouldDelist: integer('would_delist'),
    error: json('error'),
    bytes: bigint('bytes', { mode: 'number' }),
    sha256: text('sha256'),
    /** Milliseconds by phase. */
    phases: json('phases').notNull().default({}),
    /** Where reading goes on, and how: lib/services/feeds/run/run-feed.ts. */
    state: json('state').notNull().default({}),
    /** The raw file is in the object store. */
    raw: boolean('raw').notNull().default(false),
    createdAt: time('created_at').notNull().default(now),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    primaryKey({ name: 'feed_runs_pkey', columns: [t.accountId, t.id] }),
    index('feed_runs_feed').on(t.accountId, t.feedId, t.no),
    // One run of a feed at a time.
    uniqueIndex('feed_runs_active')
      .on(t.accountId, t.feedId)
      .where(sql`${t.status} in ('queued', 'running')`),
    index('feed_runs_due').on(t.dueAt).where(sql`${t.status} in ('queued', 'running')`),
    index('feed_runs_raw').on(t.finishedAt).where(sql`${t.raw}`),
    check('feed_runs_status', sql`${t.status} in (${quoteList(FEED_RUN_STATUSES)})`),
  ],
);

/**
 * What a run found in its file, by chunks: the hashes packed, 2,000 rows for a million listings. A row is also the
 * record that its chunk was written, in the same transaction.
 */
export const feedChunks = pgTable(
  'feed_chunks',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    runNo: bigint('run_no', { mode: 'number' }).notNull(),
    chunk: integer('chunk').notNull(),
    /** Dedup hashes, of rejected records as well. */
    hashes: byteas('hashes').notNull(),
  },
  (t) => [primaryKey({ name: 'feed_chunks_pkey', columns: [t.accountId, t.feedId, t.runNo, t.chunk] })],
);

/** Listings of a feed that are in no chunk any more: missed before, or to be delisted next. */
export const feedMissing = pgTable(
  'feed_missing',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    /** Snapshots in a row that did not have it. */
    misses: integer('misses').notNull(),
    /** The run that noted it last. */
    runNo: bigint('run_no', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'feed_missing_pkey', columns: [t.accountId, t.feedId, t.dedupHash] })],
);

/** Rejected rows of a run, packed by chunks. */
export const feedRejects = pgTable(
  'feed_rejects',
  {
    accountId: text('account_id').notNull(),
    runId: text('run_id').notNull(),
    chunk: integer('chunk').notNull(),
    n: integer('n').notNull(),
    rejects: json('rejects').notNull(),
  },
  (t) => [primaryKey({ name: 'feed_rejects_pkey', columns: [t.accountId, t.runId, t.chunk] })],
);

/** Records that are not listed now, and why: one row per truck and source. */
export const issues = pgTable(
  'issues',
  {
    accountId: text('account_id').notNull(),
    /** `api`, `upload`, or the id of a feed. */
    source: text('source').notNull(),
    /** Which truck: its dedup hash, or a hash of what a record without a whole VIN says. */
    subject: bytea('subject').notNull(),
    /** Of a feed: the run that rejected it last. */
    runNo: bigint('run_no', { mode: 'number' }),
    /** Normalised, of any length. */
    vin: text('vin'),
    stockNumber: text('stock_number'),
    /** The VIN has 17 characters. */
    hasWholeVin: boolean('has_whole_vin').notNull(),
    /** As the record names it. */
    dealer: text('dealer'),
    code: text('code').notNull(),
    field: text('field'),
    received: json('received'),
    fix: text('fix').notNull(),
    times: integer('times').notNull().default(1),
    firstSeenAt: time('first_seen_at').notNull().default(now),
    lastSeenAt: time('last_seen_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'issues_pkey', columns: [t.accountId, t.source, t.subject] }),
    index('issues_stock').on(t.accountId, t.source, t.stockNumber).where(sql`not ${t.hasWholeVin}`),
    index('issues_vin').on(t.accountId, t.vin),
    index('issues_last_seen').on(t.lastSeenAt),
    index('issues_by_last_seen').on(t.accountId, t.lastSeenAt.desc().nullsFirst(), t.source, t.subject),
  ],
);

/** Answers kept for 24 hours under a caller's Idempotency-Key. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text('account_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    body: text('body'),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.accountId, t.key] }),
    index('idempotency_keys_created').on(t.createdAt),
  ],
);

/** Tables whose every statement names the account. */
export const TENANT_TABLES = [
  'key_usage',
  'owner_alerts',
  'ended_alerts',
  'dealers',
  'listings',
  'listing_search',
  'listing_words',
  'facet_cells',
  'facet_deltas',
  'listing_events',
  'image_sources',
  'stored_images',
  'idempotency_keys',
  'conversations',
  'messages',
  'leads',
  'lead_updates',
  'lead_deliveries',
  'lead_destinations',
  'feeds',
  'feed_runs',
  'feed_chunks',
  'feed_missing',
  'feed_rejects',
  'issues',
] as const;
