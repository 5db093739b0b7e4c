import { toPairs, toTable } from '../text/table.ts';
import { foldKey } from '../text/text.ts';
import { plainText } from '../text/tokens.ts';

/** Countries of North America, as places name them. */

export type Country = 'US' | 'CA' | 'MX';

export const COUNTRY_NAMES: Readonly<Record<Country, string>> = {
  US: 'the United States',
  CA: 'Canada',
  MX: 'Mexico',
};

const COUNTRY_SPELLINGS = toTable(
  toPairs(`
    US US, USA US, UNITEDSTATES US, UNITEDSTATESOFAMERICA US, ESTADOSUNIDOS US, EEUU US, EUA US, ETATSUNIS US,
    CA CA, CAN CA, CANADA CA, MX MX, MEX MX, MEXICO MX
  `),
);

/** Reads a country, such as `Canada`, `CAN` and `CA`; null for any other than the three. Idempotent. */
export function readCountry(raw: unknown): Country | null {
  if (typeof raw !== 'string' || raw.length > 60) return null;
  return (COUNTRY_SPELLINGS[foldKey(plainText(raw))] as Country | undefined) ?? null;
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
