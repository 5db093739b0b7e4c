import { type Context, requireAccount } from '../../http/context.ts';
import { countUse } from '../../http/guards/fair-use.ts';
import { type OutboundAnswer, OutboundFailure } from '../../outside/outbound.ts';
import { findDealer } from '../dealers/queries.ts';
import { isWellFormedKey, keyPrefix } from '../keys/api-key.ts';
import { worksStill } from '../keys/describe-key.ts';
import { listOwnKeys } from '../keys/manage-keys.ts';

/** Says what keeps the widget from working on a page of a dealer's site. */

/** What was looked at: fine, or what is wrong and what to do. */
export interface Finding {
  isFine: boolean;
  text: string;
}

const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;
const TIMEOUT_MS = 10_000;
/** As much is read of a tag. */
const MAX_TAG = 2_000;
/** Of an account: each check sends a request to another server. */
const CHECKS = { name: 'widget-checks', limit: 10, windowSeconds: 60 };

const fine = (text: string): Finding => ({ isFine: true, text });
const fault = (text: string): Finding => ({ isFine: false, text });

export async function checkPage(ctx: Context, address: string): Promise<Finding[]> {
  await countUse(ctx, CHECKS, requireAccount(ctx).id, 'Too many pages were checked in the last minute.');
  const answer = await fetchPage(ctx, address);
  if (typeof answer === 'string') return [fault(answer)];
  const html = withoutComments(new TextDecoder().decode(answer.bytes));
  const tag = findTags(html, '<script', '</script').find((text) => text.includes('/widget.js'));
  const metas = findTags(html, '<meta', '>').filter((text) => /content-security-policy/i.test(text));
  const { origin } = new URL(ctx.publicUrl);
  return [
    fine(`${answer.url} can be read.`),
    ...(tag === undefined ? [NO_TAG] : await checkTag(ctx, tag, new URL(answer.url))),
    checkPolicies([answer.headers['content-security-policy'] ?? '', ...metas], origin),
  ];
}

const NO_TAG = fault(
  'The page’s HTML has no tag of the widget. Paste it before </body>; if a tag manager adds it, check that its trigger fires on this page.',
);

/** The answer, or why there is none. */
async function fetchPage({ ports }: Context, url: string): Promise<OutboundAnswer | string> {
  const request = { url, headers: { accept: 'text/html' }, maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS };
  try {
    const answer = await ports.fetcher.fetch(request);
    return answer.status === 200
      ? answer
      : `The page answered with status ${answer.status}. Give the address of a page that everybody can open.`;
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return `The page could not be read: ${error.reason}. Give the public address of a page, beginning with https://.`;
  }
}

/** A tag in a comment does nothing. */
const withoutComments = (html: string) =>
  html
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.split('-->').slice(1).join('-->')))
    .join('');

/** The attributes of such tags as they are written, in time that grows with the page's length alone. */
const findTags = (html: string, start: string, end: string): string[] =>
  html
    .split(new RegExp(`${start}(?=\\s)`, 'i'))
    .slice(1)
    .map((rest) => rest.slice(0, MAX_TAG).split(end, 1).join());

const readAttribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s]*)`, 'i').exec(tag)?.[1] ?? '';

async function checkTag(ctx: Context, tag: string, page: URL): Promise<Finding[]> {
  const service = new URL(ctx.publicUrl);
  const [src, slug] = [readAttribute(tag, 'src'), readAttribute(tag, 'data-dealer')];
  const dealer = slug && (await findDealer(ctx.ports.db, requireAccount(ctx).id, slug));
  return [
    URL.parse(src, page)?.origin === service.origin
      ? fine('The tag is on the page, with this service’s address.')
      : fault(`The tag’s src is ${src}. It must be ${service.origin}/widget.js.`),
    await checkKey(ctx, readAttribute(tag, 'data-key'), slug, page.origin.toLowerCase()),
    dealer
      ? fine(`data-dealer names ${dealer.name}.`)
      : fault(`data-dealer is “${slug}”, which is none of your dealers’ slugs.`),
  ];
}

async function checkKey(ctx: Context, text: string, slug: string, origin: string): Promise<Finding> {
  if (text.startsWith('ctis_sk_'))
    return fault('data-key is a secret key, and public now: revoke it, and put a widget key there.');
  const prefix = isWellFormedKey(text) ? keyPrefix(text) : '';
  const key = (await listOwnKeys(ctx)).find((own) => own.prefix === prefix);
  if (!key || !worksStill(key, ctx.ports.clock.now()))
    return fault(
      'data-key was not copied whole, is revoked, has expired, or is not one of your keys. Make a widget key and paste it whole.',
    );
  if (key.dealers?.includes(slug) === false) return fault(`data-key is not for the dealer ${slug}.`);
  return key.allowed_origins.includes(origin)
    ? fine(`data-key is one of your widget keys, and may be used on ${origin}.`)
    : fault(`The key does not list ${origin}: add it to the sites that may use the key.`);
}

/** Whether each names the service; which of its directives count is for the page's own console to say. */
function checkPolicies(policies: readonly string[], origin: string): Finding {
  const isSilent = policies.some((policy) => policy !== '' && !policy.includes(new URL(origin).host));
  return isSilent
    ? fault(
        `The page’s Content-Security-Policy does not name ${origin}: add it to script-src, connect-src and img-src.`,
      )
    : fine(`The page has no Content-Security-Policy, or one that names ${origin}.`);
}
