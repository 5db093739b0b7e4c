import { type Context, requireAccount } from '../../http/context.ts';
import { countUse } from '../../http/guards/fair-use.ts';
import { type OutboundAnswer, OutboundFailure } from '../../outside/outbound.ts';
import { findDealer } from '../dealers/queries.ts';
import { isWellFormedKey, keyPrefix } from '../keys/api-key.ts';
import { listOwnKeys } from '../keys/own-keys.ts';
import { findRefused } from './content-policy.ts';
import { type Attributes, readTags } from './tags.ts';

/** Says what keeps the widget from working on a page of a dealer's site. */

/** What was looked at: fine, or what is wrong and what to do. */
export interface Finding {
  about: 'page' | 'tag' | 'key' | 'origin' | 'dealer' | 'policy';
  isFine: boolean;
  text: string;
}

const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;
const TIMEOUT_MS = 10_000;
/** Of an account: each check sends a request to another server. */
const CHECKS = { name: 'widget-checks', limit: 10, windowSeconds: 60 };

export async function checkPage(ctx: Context, address: string): Promise<Finding[]> {
  await countUse(ctx, CHECKS, requireAccount(ctx).id, 'Too many pages were checked in the last minute.');
  const answer = await fetchPage(ctx, address);
  if (typeof answer === 'string') return [fault('page', answer)];
  const service = new URL(ctx.publicUrl);
  const tags = readTags(new TextDecoder().decode(answer.bytes));
  const policies = [
    ...(answer.headers['content-security-policy'] ?? '').split(','),
    ...tags.filter(isPolicy).map(({ attributes }) => attributes.content ?? ''),
  ];
  const tag = tags.find(({ attributes: { src = '' } }) => /\/widget\.js(?:\?|$)/.test(src))?.attributes;
  const page = new URL(answer.url);
  return [
    fine('page', `${answer.url} can be read.`),
    ...(tag ? [checkSource(tag, service, page)] : [NO_TAG]),
    ...(tag ? await checkOwner(ctx, tag, page) : []),
    checkPolicy(policies, { service, page, nonce: tag?.nonce }),
  ];
}

const fine = (about: Finding['about'], text: string): Finding => ({ about, isFine: true, text });
const fault = (about: Finding['about'], text: string): Finding => ({ about, isFine: false, text });

const isPolicy = ({ attributes }: { attributes: Attributes }) =>
  attributes['http-equiv']?.toLowerCase() === 'content-security-policy';

const NO_TAG = fault(
  'tag',
  'The page’s HTML has no tag of the widget. Paste it before </body>; if a tag manager adds it, check that its trigger fires on this page.',
);

/** The answer, or why there is none. */
async function fetchPage({ ports }: Context, url: string): Promise<OutboundAnswer | string> {
  try {
    const headers = { accept: 'text/html' };
    const answer = await ports.fetcher.fetch({
      url,
      headers,
      maxBytes: MAX_PAGE_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    return answer.status === 200
      ? answer
      : `The page answered with status ${answer.status}. Give the address of a page that everybody can open.`;
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return `The page could not be read: ${error.reason}. Give the public address of a page, beginning with https://.`;
  }
}

function checkSource({ src = '' }: Attributes, service: URL, page: URL): Finding {
  const source = URL.canParse(src, page) ? new URL(src, page) : null;
  return source?.origin === service.origin
    ? fine('tag', 'The tag is on the page, with this service’s address.')
    : fault('tag', `The tag’s src is ${src}. It must be ${service.origin}/widget.js.`);
}

async function checkOwner(ctx: Context, tag: Attributes, page: URL): Promise<Finding[]> {
  const slug = tag['data-dealer'] ?? '';
  const dealer = slug && (await findDealer(ctx.ports.db, requireAccount(ctx).id, slug));
  return [
    ...(await checkKey(ctx, tag['data-key'] ?? '', slug, page)),
    dealer
      ? fine('dealer', `data-dealer names ${dealer.name}.`)
      : fault('dealer', `data-dealer is “${slug}”, which is none of your dealers’ slugs.`),
  ];
}

async function checkKey(ctx: Context, text: string, slug: string, page: URL): Promise<Finding[]> {
  if (text.startsWith('ctis_sk_'))
    return [fault('key', 'data-key is a secret key, and public now: revoke it, and put a widget key there.')];
  if (!isWellFormedKey(text))
    return [
      fault('key', 'data-key is missing or was not copied whole. Make a widget key and paste it whole.'),
    ];
  const key = (await listOwnKeys(ctx)).find(({ prefix }) => prefix === keyPrefix(text));
  const hasExpired = key?.expires_at && Date.parse(key.expires_at) <= ctx.ports.clock.now();
  if (!key || key.revoked_at || hasExpired)
    return [
      fault('key', 'data-key is revoked, has expired, or is not one of your keys. Make a new widget key.'),
    ];
  const reaches = key.dealers?.includes(slug) ?? true;
  const origin = page.origin.toLowerCase();
  return [
    reaches
      ? fine('key', 'data-key is one of your widget keys.')
      : fault('key', `data-key is not for the dealer ${slug}.`),
    key.allowed_origins.includes(origin)
      ? fine('origin', `The key may be used on ${origin}.`)
      : fault('origin', `The key does not list ${origin}: add it to the sites that may use the key.`),
  ];
}

function checkPolicy(policies: readonly string[], origins: Parameters<typeof findRefused>[1]): Finding {
  const refused = findRefused(policies, origins);
  return refused.length === 0
    ? fine('policy', 'No Content-Security-Policy of the page keeps the widget out.')
    : fault(
        'policy',
        `The page’s Content-Security-Policy keeps the widget out: add ${origins.service.origin} to ${refused.join(', ')}.`,
      );
}
