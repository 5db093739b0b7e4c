import { RECORD, typedKeys } from '../contract/record/record.ts';
import { isAllowedPlain } from '../domain/accounts/allowed-host.ts';
import { isFeedTarget } from '../domain/columns/feed-columns.ts';
import { collectRecord } from '../domain/listing/record-names.ts';
import { findNearMiss } from '../domain/names/near-miss.ts';
import { received } from '../domain/text/text.ts';
import { ApiError, type Details } from '../errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { Feed, FeedChange, FeedSettings } from './feed.ts';
import { FEED_FAULTS } from './feed-faults.ts';

/** Checks of a feed as a whole, beyond the schema of its members. */

/** What a dealer did not send. */
export const FEED_DEFAULTS = {
  dealer: null,
  username: null,
  password: null,
  private_key: null,
  host_key_sha256: null,
  format: null,
  source_provider_id: null,
  mapping: null,
  defaults: {},
  class_from_vin: false,
  zero_price_is_call: true,
  misses_before_delist: 1,
  enabled: true,
} satisfies Partial<FeedSettings>;

/** INVALID_PAYLOAD with field and fix. */
export function invalidFeed(
  field: string,
  message: string,
  fix: string,
  more: Partial<Pick<Details, 'reason' | 'received'>> = {},
): ApiError {
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}.`, {
    details: { field, reason: 'not_allowed', ...more, fix },
  });
}

export function checkFeed(feed: FeedSettings, { outboundAllow }: Ports['settings']): void {
  checkUrl(feed, outboundAllow);
  if (feed.protocol === 'sftp') checkSftp(feed);
  else checkHttps(feed);
  checkNames(feed);
}

/** A URL that no run would ever fetch, whatever its name resolves to. */
export async function checkReachable({ fetcher }: Pick<Ports, 'fetcher'>, url: string): Promise<void> {
  const reason = await fetcher.findRefusal(url);
  if (reason === null) return;
  const problem =
    reason === 'url_refused' ? 'files are not fetched from this host or port' : 'its host is not public';
  throw invalidFeed('url', problem, FEED_FAULTS[reason], { reason, received: received(url) });
}

/** A stored secret goes to no other server than the one it was sent for, so that who may change a feed does not learn it. */
export function checkStoredSecrets(
  before: Pick<Feed, 'url' | 'has_password' | 'has_private_key'>,
  change: Pick<FeedChange, 'url' | 'password' | 'private_key'>,
): void {
  if (change.url === undefined || toServer(change.url) === toServer(before.url)) return;
  const fix = 'Send the one for that server: a stored one goes nowhere else.';
  if (before.has_password && change.password === undefined)
    throw invalidFeed('password', 'the file is on another server now', fix);
  if (before.has_private_key && change.private_key === undefined)
    throw invalidFeed('private_key', 'the file is on another server now', fix);
}

/** Protocol, host and port; those of sftp:// are not normalized by URL. */
function toServer(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return '';
  const port = parsed.port || (parsed.protocol === 'sftp:' ? '22' : '');
  return `${parsed.protocol}//${parsed.hostname.toLowerCase()}:${port}`;
}

/** The fields that a feed names itself are those of a record. */
export function checkNames({ mapping, defaults }: Pick<FeedSettings, 'mapping' | 'defaults'>): void {
  checkMapping(mapping);
  checkDefaults(defaults);
}

function checkMapping(mapping: FeedSettings['mapping']): void {
  for (const [column, field] of Object.entries(mapping ?? {}))
    if (field !== null && !isFeedTarget(field))
      throw invalidFeed(
        `mapping.${column.slice(0, 80)}`,
        `a record has no field ${field}`,
        'Name a field of the inventory record, or null to leave the column out.',
        { received: received(field) },
      );
}

/** A default under a misspelt name would fill nothing but an attribute; one of the dealer's own fills that. */
function checkDefaults(defaults: FeedSettings['defaults']): void {
  const unknown = Object.fromEntries(collectRecord(defaults).unknown);
  const names = typedKeys(RECORD).filter((name) => !Object.hasOwn(defaults, name));
  const miss = findNearMiss(unknown, names);
  if (miss === null) return;
  throw invalidFeed(
    `defaults.${miss.sent.toWellFormed()}`,
    `a record has no field ${miss.sent.toWellFormed()}`,
    `Send it as ${miss.meant}, if that is what you mean; otherwise leave it out.`,
    { reason: 'unknown_field' },
  );
}

/** The contract's limit: faster than hourly has to be agreed with the operator. */
export function checkCadence(minutes: number, minMinutes: number, salesEmail: string): void {
  if (minutes >= minMinutes) return;
  throw invalidFeed(
    'cadence_minutes',
    `this account may pull a feed every ${minMinutes} minutes at most`,
    `Send at least ${minMinutes}; a faster cadence has to be agreed with ${salesEmail}.`,
    { reason: 'out_of_range', received: minutes },
  );
}

export function parseProtocol(url: string): FeedSettings['protocol'] {
  return url.toLowerCase().startsWith('sftp:') ? 'sftp' : 'https';
}

function checkUrl({ url, protocol }: FeedSettings, allow: ReadonlySet<string>): void {
  const parsed = URL.parse(url);
  const fix = 'Send an https:// URL, or sftp://host/path.';
  if (parsed === null || parsed.hostname === '')
    throw invalidFeed('url', 'there is no host in it', fix, { reason: 'malformed', received: received(url) });
  if (parsed.username !== '' || parsed.password !== '')
    throw invalidFeed('url', 'there are credentials in it', 'Send them as username and password.');
  if (parsed.protocol === 'http:' && !isAllowedPlain(allow, parsed))
    throw invalidFeed('url', 'files are fetched encrypted only', fix, { received: received(url) });
  if (parseProtocol(url) !== protocol)
    throw invalidFeed(
      'protocol',
      `the URL is not of ${protocol}`,
      'Leave protocol out, or send the one of the URL.',
      { reason: 'conflicting', received: protocol },
    );
}

const MISSING = { reason: 'missing' };
const CONFLICTING = { reason: 'conflicting' };

function checkSftp({ url, username, password, private_key }: FeedSettings): void {
  const path = URL.parse(url)?.pathname ?? '';
  if (path === '' || path.endsWith('/'))
    throw invalidFeed('url', 'there is no file in it', 'Send the path of the file: sftp://host/path.', {
      reason: 'malformed',
      received: received(url),
    });
  if (username === null) throw invalidFeed('username', 'SFTP needs a user', 'Add username.', MISSING);
  if (password === null && private_key === null)
    throw invalidFeed('password', 'SFTP needs a credential', 'Add password or private_key.', MISSING);
}

function checkHttps({ private_key, host_key_sha256, username, password }: FeedSettings): void {
  const fix = 'Leave it out, or send an sftp:// URL.';
  if (private_key !== null) throw invalidFeed('private_key', 'this is for SFTP only', fix, CONFLICTING);
  if (host_key_sha256 !== null)
    throw invalidFeed('host_key_sha256', 'this is for SFTP only', fix, CONFLICTING);
  if (password !== null && username === null)
    throw invalidFeed(
      'username',
      'a password needs a user',
      'Add username, or clear password with null.',
      MISSING,
    );
}

/** What a feed's secrets are bound to: they cannot be opened as those of another feed. */
export const secretAbout = (accountId: string, feedId: string): string => `feed ${accountId} ${feedId}`;
