import { toTable } from '../text/table.ts';
import { foldKey, toNormalForm } from '../text/text.ts';

/** Countries of North America, as places name them. */

export type Country = 'US' | 'CA' | 'MX';

export const COUNTRY_NAMES: Readonly<Record<Country, string>> = {
  US: 'the United States',
  CA: 'Canada',
  MX: 'Mexico',
};

const COUNTRY_SPELLINGS: Readonly<Record<string, Country>> = toTable({
  ...toSpellings('US', 'us usa unitedstates unitedstatesofamerica estadosunidos eeuu eua etatsunis'),
  ...toSpellings('CA', 'ca can canada'),
  ...toSpellings('MX', 'mx mex mexico'),
});

function toSpellings(country: Country, keys: string): Record<string, Country> {
  return Object.fromEntries(keys.split(' ').map((key) => [key.toUpperCase(), country]));
}

/** Reads a country, such as `Canada`, `CAN` and `CA`; null for any other than the three. Idempotent. */
export function readCountry(raw: unknown): Country | null {
  if (typeof raw !== 'string' || raw.length > 60) return null;
  return COUNTRY_SPELLINGS[foldKey(toNormalForm(raw, 'NFKD').replace(/\p{M}/gu, ''))] ?? null;
}

/** Countries at the end of an address, where `CA` is California. */
const LAST =
  /(?:^|[\s,(]{1,3})(U\.?S\.?A\.?|United States(?: of America)?|US|Estados Unidos|EE\.? ?UU\.?|EUA|[EÉ]tats-Unis|Canad[aá]|CAN|M[eé]xico|MX|MEX)\.?\)?$/i;
/** Words that make a country's name that of a state or city: New Mexico, Estado de México. */
const BEGINS_STATE = /(?<!\p{L})(?:new|n\.?|nuevo|de|del|edo\.?|estado|ciudad|cd\.?)$/iu;

/** Splits the country off the end of a place: `Calgary, Canada`. */
export function splitCountry(text: string): { rest: string; country: Country | null } {
  const match = LAST.exec(text);
  const rest = text.slice(0, match?.index).trim();
  if (match === null || BEGINS_STATE.test(rest)) return { rest: text, country: null };
  return { rest, country: readCountry(match[1]) };
}
