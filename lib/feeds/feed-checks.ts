import { ApiError, type Details } from '../errors.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { isAllowedPlain } from '../outside/fetcher/allowed-host.ts';
import type { Ports } from '../ports.ts';
import { toReceivedValue } from '../truck/text/text.ts';
import type { Feed, FeedSettings } from './feed.ts';
import { FEED_FAULTS } from './feed-faults.ts';

/** Checks of a feed as a whole, beyond the schema of its members. */

/** INVALID_PAYLOAD with field and fix. */
export function invalidFeed(field: string, message: string, fix: string, more: Partial<Details> = {}) {
  return new ApiError('INVALID_PAYLOAD', `${field}: ${message}.`, {
    details: { field, reason: 'not_allowed', ...more, fix },
  });
}

export const parseProtocol = (url: string) => (url.startsWith('sftp:') ? 'sftp' : 'https');

/** Checks what the members of a feed mean together, and URL and cadence where they were sent. Throws INVALID_PAYLOAD. */
export async function checkFeed(ctx: Context, feed: FeedSettings, change: Partial<FeedSettings>) {
  checkMembers(feed);
  if (change.url !== undefined) await checkReachable(ctx.ports, change.url);
  const { min_feed_cadence_minutes: min } = requireAccount(ctx);
  if (change.cadence_minutes !== undefined && change.cadence_minutes < min)
    throw invalidFeed(
      'cadence_minutes',
      `this account may pull a feed every ${min} minutes at most`,
      `Send at least ${min}; a faster cadence has to be agreed with ${ctx.ports.settings.salesEmail}.`,
      { reason: 'out_of_range', received: change.cadence_minutes },
    );
}

/** Checks the members that need each other. */
function checkMembers({ protocol, username, password, private_key }: FeedSettings) {
  const isSftp = protocol === 'sftp';
  if (username === null && (isSftp || password !== null))
    throw invalidFeed(
      'username',
      'SFTP, or a password, needs a user',
      'Add username, or clear password with null.',
      MISSING,
    );
  if (isSftp && password === null && private_key === null)
    throw invalidFeed('password', 'SFTP needs a credential', 'Add password or private_key.', MISSING);
}

const MISSING = { reason: 'missing' };

/** Refuses a URL that no run would ever fetch, whatever its name resolves to. */
async function checkReachable({ fetcher, settings }: Pick<Ports, 'fetcher' | 'settings'>, url: string) {
  const isPlain = url.startsWith('http:') && !isAllowedPlain(settings.outboundAllow, URL.parse(url));
  const reason = isPlain ? 'url_refused' : await fetcher.findRefusal(url);
  if (reason === null) return;
  const details = { reason, received: toReceivedValue(url) };
  throw invalidFeed('url', 'files are not fetched from there', FEED_FAULTS[reason], details);
}

/** A stored secret goes to no other server than the one it was sent for, so that who may change a feed does not learn it. */
export function checkStoredSecrets(before: Feed, change: Partial<FeedSettings>) {
  if (change.url === undefined || toServer(change.url) === toServer(before.url)) return;
  for (const name of ['password', 'private_key'] as const)
    if (before[`has_${name}`] && change[name] === undefined)
      throw invalidFeed(
        name,
        'the file is on another server now',
        'Send the one for that server: a stored one goes nowhere else.',
      );
}

/** Protocol, host and port of a URL. */
const toServer = (url: string) => url.toLowerCase().split('/', 3).join('/');

/** What a feed's secrets are bound to: they cannot be opened as those of another feed. */
export const secretAbout = (accountId: string, feedId: string) => `feed ${accountId} ${feedId}`;
