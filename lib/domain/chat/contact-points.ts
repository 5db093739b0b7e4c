import { folded } from './plain-speech.ts';

/** Links, addresses and numbers in a text that a reader might follow, and whether they are the dealer's own. */

/** What a dealer's record says; null where nothing is known. */
export interface DealerContact {
  website: string | null;
  email: string | null;
  phone: string | null;
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const LINK = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"']+/giu;
const HOST =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,24}|xn--[a-z0-9-]+)(?:[:/?#][^\s<>"']*)?(?![\p{L}\p{N}])/giu;
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const SPELLED =
  /[\p{L}\p{N}]\s*[([{]?\s*\b(?:dot|punto|point)\b\s*[)\]}]?\s*(?:com|net|org|io|co|info|biz|shop|app|xyz|ru|me|ly|us|mx|fr|ca|site|online)\b/iu;
const DEFANGED =
  /[\p{L}\p{N}]\s*[([{]\s*\.\s*[)\]}]\s*\p{L}{2,}|[\p{L}\p{N}](?:\s[.,]\s?|,)(?:com|net|org)\b|\bhxxps?\b/iu;
const HANDLE = /(?<![\p{L}\p{N}])@[\p{L}\p{N}_]{3,}/u;
/** Schemes without slashes that a click would follow. */
const SCHEME = /\b(?:javascript|data|vbscript|file|tel|sms|mailto|whatsapp|tg|ftp|blob):/iu;
const PHONE = /(?<![\p{L}\p{N},$€£.])\+?\(?\d(?:[ .()/-]{0,2}\d){6,16}(?![\p{L}\p{N}]|,\d)/gu;
const VANITY = /\b1?[ .-]?\(?8(?:00|33|44|55|66|77|88)\)?[ .-][A-Z0-9][A-Z0-9 .-]{5,9}\b/g;

const YEARS = /(?<!\d)(?:19|20)\d{2}(?:\s?[-/]\s?|\s)(?:19|20)\d{2}(?!\d)/g;

/** Abbreviations that look like hosts. */
const NO_HOST = /^(?:[a-z]\.)+[a-z]{1,2}\.?$/i;

const LEADS_SOMEWHERE = [
  ...[DEFANGED, SPELLED, EMAIL, LINK, HOST, SCHEME, ADDRESS, HANDLE, VANITY, PHONE].map(
    ({ source, flags }) => new RegExp(source, flags.replace('g', '')),
  ),
];

/** True when something in the text leads somewhere. */
export function hasContact(text: string): boolean {
  const rest = folded(text)
    .replace(YEARS, ' ')
    .replace(HOST, (found) => (NO_HOST.test(found) ? ' ' : found));
  return LEADS_SOMEWHERE.some((pattern) => pattern.test(rest));
}

/** The text without what leads somewhere: for words that a dealer wrote. */
export function withoutContacts(text: string): string {
  let rest = folded(text);
  for (const pattern of [EMAIL, LINK, HOST, ADDRESS, PHONE, VANITY])
    rest = rest.replace(pattern, (found) => (pattern === HOST && NO_HOST.test(found) ? found : ' '));
  const again = [DEFANGED, SPELLED, SCHEME, HANDLE];
  return again.some((pattern) => pattern.test(rest)) ? sentencesWithout(rest, again) : rest;
}

function sentencesWithout(text: string, patterns: readonly RegExp[]): string {
  return text
    .split(/(?<=[.!?]\s|\n)/)
    .filter((sentence) => !patterns.some((pattern) => pattern.test(sentence)))
    .join('');
}

/** The text without what leads to the dealer: only that which is exactly of the record. */
export function withoutOwnContacts(text: string, dealer: DealerContact): string {
  const page = dealer.website === null ? null : parsePage(dealer.website);
  const email = dealer.email?.toLowerCase();
  const number = dealer.phone === null ? null : nationalNumber(dealer.phone);
  const isOwn = (link: string) => page !== null && parsePage(link.replace(/[.,;:!?)\]}'"]+$/, '')) === page;
  return folded(text)
    .replace(EMAIL, (found) => (found.toLowerCase() === email ? ' ' : found))
    .replace(LINK, (found) => (isOwn(found) ? ' ' : found))
    .replace(HOST, (found) => (isOwn(found) ? ' ' : found))
    .replace(PHONE, (found) => (nationalNumber(found) === number ? ' ' : found));
}

/** Host and path, however it is written: only the very page of the record is the dealer's. */
function parsePage(link: string): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(link) ? link : `https://${link.replace(/^\/\//, '')}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  if (url.search !== '' || url.hash !== '') return null;
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}`;
}

/** The last ten digits: with or without the country's. */
function nationalNumber(phone: string): string {
  return phone.replace(/\D/g, '').slice(-10);
}
