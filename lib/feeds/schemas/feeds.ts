import * as z from 'zod/mini';
import { about, flag, Id, IsoTime, line, Nullable, nameSchema, PageQuery } from '../../truck/json.ts';
import { WarningAnswer } from '../../warnings.ts';
import { isFeedTarget } from '../mapping/columns.ts';
import { FEED_CHANGE_KINDS, FEED_LIMITS, FEED_RUN_STATUSES } from './feed-fields.ts';
import { FEED_ENCODINGS, FEED_FORMATS, FEED_PROTOCOLS } from './feed-files.ts';

/** Schemas of /v1/feeds. */

const wellFormed = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\u0000'),
  'must be plain text',
);
const Secret = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), wellFormed);
const fewer = (most: number) =>
  z.refine<object>((members) => Object.keys(members).length <= most, `must have at most ${most} members`);

/** Whether the host may be fetched from is judged by the service. */
const Url = about(
  line(2_000).check(
    z.regex(
      /^(?:https?:\/\/[^\s@/?#\\]+(?:[/?#]\S*)?|sftp:\/\/[^\s@/?#\\]+\/\S*[^\s/])$/,
      'must be https://host/path, or sftp://host/path/to/file, without credentials',
    ),
  ),
  'URL of the file: `https://…` or `sftp://host/path`, without credentials.',
  'https://dms.example/export/trucks.csv.gz',
);

const Column = z.string().check(z.maxLength(300), wellFormed);
const Field = line(60).check(({ value, issues }) => {
  if (isFeedTarget(value)) return;
  const message = 'must be a field of the inventory record, or null to leave the column out';
  issues.push({ code: 'invalid_value', values: [], input: value, message });
});
const Value = z.union([z.string().check(z.maxLength(2_000), wellFormed), z.number(), z.boolean(), z.null()]);

const ofFields = z.refine<object>(
  (members) => Object.keys(members).every(isFeedTarget),
  'must name fields of the inventory record',
);

/** What the owner of a feed sets. */
export const FeedMembers = z.object({
  name: about(line(200), 'Name.', 'Heartland export'),
  url: Url,
  username: z.nullable(about(line(200), 'For SFTP, or HTTPS with Basic authentication.', 'lonestar')),
  password: z.nullable(
    about(Secret(1_000), 'Write-only. With private_key: its passphrase.', 'correct horse'),
  ),
  private_key: z.nullable(about(Secret(20_000), 'SFTP, write-only: OpenSSH or PEM text.')),
  host_key_sha256: z.nullable(
    about(
      z
        .string()
        .check(z.regex(/^(?:SHA256:)?[A-Za-z0-9+/]{43}=?$/, 'must be like SHA256:… of ssh-keygen -l')),
      'SFTP: fingerprint of the server’s key. A server with another key is refused before credentials are sent.',
      'SHA256:jEcOZFmGqJ0YAsKqZ2XKQ0bD7F2bQpXqL4vBkK3sT1o',
    ),
  ),
  format: z.nullable(
    about(
      z.enum(FEED_FORMATS),
      'Format of the file; null detects it from the content. Compression is always detected.',
      'csv',
    ),
  ),
  dealer: z.nullable(
    about(line(64), 'Slug of one of your dealers, for rows without a dealer.', 'lone-star-trucks'),
  ),
  source_provider_id: z.nullable(about(line(200), 'Provider of rows without one.', 'heartland-dms')),
  mapping: z.nullable(
    about(
      z.record(Column, z.nullable(Field)).check(fewer(500)),
      'Column → field of a record; overrides the detected mapping. Null ignores the column.',
      { 'Asking $': 'price', Internal: null },
    ),
  ),
  defaults: about(
    z.record(line(60), Value).check(fewer(50), ofFields),
    'Values for fields that a row leaves empty.',
    { class: 'class_8' },
  ),
  class_from_vin: about(z.boolean(), 'Take a missing weight class from the VIN.', false),
  cadence_minutes: about(
    z.int().check(z.gte(1), z.lte(FEED_LIMITS.cadenceMinutes)),
    'Minutes between pulls; at least the account’s min_feed_cadence_minutes, 60 unless agreed otherwise.',
    60,
  ),
  misses_before_delist: about(
    z.int().check(z.gte(1), z.lte(FEED_LIMITS.misses)),
    'Consecutive snapshots without a truck before it is delisted. Default 1.',
    1,
  ),
  enabled: about(z.boolean(), 'Whether the feed is pulled on schedule; manual runs always work.', true),
});
const { password: _password, private_key: _key, ...readable } = FeedMembers.shape;

export const FeedPatch = z.partial(FeedMembers);
export const FeedCreate = z.object({
  ...FeedPatch.shape,
  name: FeedMembers.shape.name,
  url: FeedMembers.shape.url,
});

export const FeedParams = z.object({ id: about(Id, 'Id of the feed.', 'feed_5f1c8a0e2b9d4c7f6a3b1e0d') });
export const FeedRunParams = z.object({
  ...FeedParams.shape,
  run: about(Id, 'Id of the run.', 'run_0b9d4c7f6a3b1e0d5f1c8a0e'),
});

export const FeedChangesQuery = z.strictObject({
  kind: about(
    z.enum(FEED_CHANGE_KINDS),
    '`merged`: changed trucks; `repriced`: those among them with another price; `would_delist`: the trucks that a held run would delist.',
    'repriced',
  ),
  ...PageQuery.shape,
});

export const FeedChangesAnswer = z.object({
  changes: z.array(
    z.object({
      vin: z.string(),
      source_provider_id: Nullable.text,
      stock_number: Nullable.text,
      year: Nullable.integer,
      make: Nullable.text,
      model: Nullable.text,
      currency: about(Nullable.text, 'The truck’s current currency, for both prices; null is USD.'),
      old_price: Nullable.integer,
      new_price: Nullable.integer,
    }),
  ),
  next_cursor: Nullable.text,
});

export const FeedRunQuery = z.object({
  wait: about(z._default(flag, false), '`true` waits for the run to end, at most 4 minutes.', true),
});

const Count = z.int().check(z.gte(0));
const Counts = z.record(z.string(), Count);

const Reject = z.object({
  line: Count,
  vin: Nullable.text,
  code: z.string(),
  field: Nullable.text,
  received: z.unknown(),
  fix: z.string(),
  also: z.optional(about(z.array(z.string()), 'Other fields of the row that are wrong.')),
  stock_number: z.optional(Nullable.text),
});

export const FeedRunAnswer = nameSchema(
  'FeedRun',
  z.object({
    id: z.string(),
    feed_id: z.string(),
    status: about(
      z.enum(FEED_RUN_STATUSES),
      '`unchanged`: the file is the one applied or refused last. `held`: it would delist too many trucks and waits until a person releases or refuses it. `closed`: it was held, and was refused or replaced by a later run.',
    ),
    rows: Count,
    created: Count,
    merged: Count,
    unchanged: Count,
    delisted: Count,
    rejected: Count,
    rejects_by_code: Counts,
    rejects: about(
      z.array(Reject),
      `The first ${FEED_LIMITS.rejectsReturned} (${FEED_LIMITS.rejectsListed} in lists); rejects.csv has all.`,
    ),
    would_delist: z.optional(about(Count, 'How many trucks a held run would delist.')),
    error: z.optional(
      about(
        z.object({ reason: z.string(), message: z.string(), fix: z.string() }),
        'Why the run failed or is held, and what to do.',
      ),
    ),
    started_at: Nullable.time,
    finished_at: Nullable.time,
    created_at: IsoTime,
    bytes: Nullable.integer,
    sha256: Nullable.text,
    phases: about(Counts, 'Milliseconds by phase: fetch, ingest, reconcile, delist.', {
      fetch: 310,
      ingest: 1904,
    }),
  }),
  'A run of a feed.',
);

export const FeedAnswer = nameSchema(
  'Feed',
  z.object({
    id: z.string(),
    ...readable,
    protocol: about(z.enum(FEED_PROTOCOLS), 'That of the URL.', 'https'),
    has_password: z.boolean(),
    has_private_key: z.boolean(),
    last_run: z.nullable(FeedRunAnswer),
    next_run_at: Nullable.time,
    created_at: IsoTime,
    updated_at: IsoTime,
  }),
  'A dealer’s file that is pulled. Its secrets are never returned.',
);

export const FeedsAnswer = z.object({ feeds: z.array(FeedAnswer), next_cursor: Nullable.text });
export const FeedRunsAnswer = z.object({ runs: z.array(FeedRunAnswer), next_cursor: Nullable.text });

const MAX_SAMPLE_LENGTH = 4 * 1024 * 1024;

export const FeedPreviewBody = z.object({
  ...FeedPatch.shape,
  sample: z.optional(
    about(
      z.string().check(z.maxLength(MAX_SAMPLE_LENGTH)),
      'Text of a file, or its beginning up to the end of a row.',
      'VIN,Year,Make,Asking Price\n3AKJHHDR0KSKA1234,2019,Freightliner,"$68,900"\n',
    ),
  ),
  sample_base64: z.optional(
    about(
      z.string().check(z.maxLength(MAX_SAMPLE_LENGTH), z.regex(/^[A-Za-z0-9+/=\s]*$/, 'must be base64')),
      'The same for a binary file or another encoding, such as gzip or zip.',
    ),
  ),
});

const PreviewColumn = z.object({
  column: z.string(),
  field: about(Nullable.text, 'Field of the record the column maps to; null: none.'),
  kept: about(z.boolean(), 'For a column without a field: whether its values are kept under `attributes`.'),
  confidence: about(z.number().check(z.gte(0), z.lte(1)), '1 is certain; 0 means no field.'),
  examples: about(z.array(z.unknown()), 'Values from the first rows.'),
});

export const FeedPreviewAnswer = nameSchema(
  'FeedPreview',
  z.object({
    format: z.enum(FEED_FORMATS),
    encoding: z.enum(FEED_ENCODINGS),
    delimiter: about(Nullable.text, 'Separator of values; null if there is none.'),
    columns: z.array(PreviewColumn),
    records: about(
      z.array(z.record(z.string(), z.unknown())),
      `The first ${FEED_LIMITS.previewRecords} rows as records; long texts are cut.`,
    ),
    verdict: z.object({
      rows: about(Count, `Rows validated, at most ${FEED_LIMITS.previewRows}.`),
      complete: about(z.boolean(), 'Whether these are all rows of the file.'),
      created: Count,
      merged: Count,
      unchanged: Count,
      rejected: Count,
      rejects_by_code: Counts,
      rejects: z.array(Reject),
      warnings: about(
        z.array(z.extend(WarningAnswer, { line: Count, count: Count })),
        'Each code of warnings once: what it says of the first row, and how often it comes.',
      ),
    }),
  }),
  'How a file would be read. Nothing is stored.',
);
