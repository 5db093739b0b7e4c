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

/** The first thing in the text that leads somewhere and is not of the dealer's record; null when there is none. */
export function foreignContact(text: string, dealer: DealerContact): string | null {
  let rest = folded(text);
  const found = (pattern: RegExp) => pattern.exec(rest)?.[0] ?? null;
  const defanged = found(DEFANGED) ?? found(SPELLED);
  if (defanged !== null) return defanged;

  for (const [email] of rest.matchAll(EMAIL))
    if (dealer.email === null || email.toLowerCase() !== dealer.email.toLowerCase()) return email;
  rest = rest.replace(EMAIL, ' ');

  const own = dealer.website === null ? null : parsePage(dealer.website);
  for (const pattern of [LINK, HOST]) {
    for (const [link] of rest.matchAll(pattern)) {
      const bare = link.replace(/[.,;:!?)\]}'"]+$/, '');
      if (pattern === HOST && NO_HOST.test(bare)) continue;
      if (own === null || parsePage(bare) !== own) return link;
    }
    rest = rest.replace(pattern, (link) => (pattern === HOST && NO_HOST.test(link) ? link : ' '));
  }
  const other = found(SCHEME) ?? rest.match(ADDRESS)?.[0] ?? found(HANDLE) ?? rest.match(VANITY)?.[0];
  if (other !== null && other !== undefined) return other;

  const number = dealer.phone === null ? null : nationalNumber(dealer.phone);
  for (const [phone] of rest.replace(YEARS, ' ').matchAll(PHONE))
    if (nationalNumber(phone) !== number) return phone;
  return null;
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

/** The digits of a contact that belongs to the dealer, so that they are not read as figures. */
export function withoutOwnContacts(text: string, dealer: DealerContact): string {
  let rest = text;
  for (const contact of [dealer.email, dealer.website, dealer.phone])
    if (contact) rest = rest.replaceAll(contact, ' ');
  const number = dealer.phone === null ? null : nationalNumber(dealer.phone);
  return rest.replace(PHONE, (phone) => (nationalNumber(phone) === number ? ' ' : phone));
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
