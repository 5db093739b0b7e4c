import { type Context, invalid, requireAccount } from '../../http/context.ts';
import { countUse } from '../../http/guards/fair-use.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import { findDealer } from '../dealers/queries.ts';
import { isWellFormedKey, keyPrefix } from '../keys/api-key.ts';
import { worksStill } from '../keys/describe-key.ts';
import { listOwnKeys } from '../keys/keys.ts';

/** Says what keeps the widget from working on a page of a dealer's site. */

const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;
const TIMEOUT_MS = 10_000;
/** As much is read of a tag. */
const MAX_TAG = 2_000;
/** Of an account: each check sends a request to another server. */
const CHECKS = { name: 'widget-checks', limit: 10, windowSeconds: 60 };

/** What is wrong, and what to do about each; nothing when all is fine. */
export async function checkPage(ctx: Context, url: string): Promise<string[]> {
  await countUse(ctx, CHECKS, requireAccount(ctx).id, 'Too many pages were checked in the last minute.');
  const page = await fetchPage(ctx, url);
  const at = page.html.indexOf('/widget.js');
  if (at < 0)
    return [
      'The page’s HTML has no tag of the widget. Paste it before </body>; if a tag manager adds it, check that its trigger fires on this page.',
    ];
  const tag = page.html
    .slice(page.html.lastIndexOf('<script', at), page.html.indexOf('>', at))
    .slice(0, MAX_TAG);
  const [src, slug] = [readAttribute(tag, 'src'), readAttribute(tag, 'data-dealer')];
  const service = new URL(ctx.publicUrl).origin;
  const keyFault = await checkKey(ctx, readAttribute(tag, 'data-key'), slug, page.origin);
  const faults = [
    URL.parse(src, url)?.origin !== service && `The tag’s src is ${src}. It must be ${service}/widget.js.`,
    keyFault,
    (await findDealer(ctx.ports.db, requireAccount(ctx).id, slug)) === null &&
      `data-dealer is “${slug}”, which is none of your dealers’ slugs.`,
  ];
  return faults.filter((fault) => fault !== false);
}

async function fetchPage({ ports }: Context, url: string): Promise<{ html: string; origin: string }> {
  const request = { url, headers: { accept: 'text/html' }, maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS };
  try {
    const answer = await ports.fetcher.fetch(request);
    if (answer.status !== 200) throw invalid('page', `answered with status ${answer.status}`);
    return { html: new TextDecoder().decode(answer.bytes), origin: new URL(answer.url).origin };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw invalid('page', `could not be read: ${error.reason}`);
  }
}

const readAttribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s]*)`, 'i').exec(tag)?.[1] ?? '';

async function checkKey(ctx: Context, text: string, slug: string, origin: string): Promise<string | false> {
  if (text.startsWith('ctis_sk_'))
    return 'data-key is a secret key, and public now: revoke it, and put a widget key there.';
  const prefix = isWellFormedKey(text) && keyPrefix(text);
  const key = (await listOwnKeys(ctx)).find((own) => own.prefix === prefix);
  if (!key || !worksStill(key, ctx.ports.clock.now()))
    return 'data-key was not copied whole, is revoked, has expired, or is not one of your keys. Make a widget key and paste it whole.';
  if (key.dealers?.includes(slug) === false) return `data-key is not for the dealer ${slug}.`;
  return (
    !key.allowed_origins.includes(origin) &&
    `The key does not list ${origin}: add it to the sites that may use the key.`
  );
}
