import { toTable } from './table.ts';
import { groupDigits } from './text.ts';

/** Currencies of North America, as prices name them. */

export const CURRENCIES = ['USD', 'CAD', 'MXN'] as const;
export type Currency = (typeof CURRENCIES)[number];

const PATTERNS: readonly (readonly [Currency, RegExp])[] = [
  [
    'CAD',
    /(?<![a-z])(?:cad|cdn|can(?= ?[$\d]|$)|(?<=\d[ $]{0,2})can|ca ?\$|c ?\$|canadian(?: dollars?)?|(?:dollars? )?canadiens?)(?![a-z])|\$ ?(?:ca|can|cad|cdn)(?![a-z])/,
  ],
  [
    'MXN',
    /(?<![a-z])(?:mxn|mxp|mx ?\$|m\.?n\.?|(?:pesos? )?mexicanos?|pesos?)(?![a-z])|\$ ?(?:mx|mxn|mn|m\.n\.)(?![a-z])/,
  ],
  [
    'USD',
    /(?<![a-z])(?:usd|us|u\$s|u\.s\.|usa|american dollars?|dollars? am[eé]ricains?|d[oó]lares|dlls?|dls|dlrs)(?![a-z])|\$ ?(?:us|usd)(?![a-z])/,
  ],
];

/** Lists the currencies that a text names. */
export function findCurrencies(text: string): Currency[] {
  if (!/[a-z]/i.test(text)) return [];
  const plain = text.slice(0, 60).toLowerCase();
  return PATTERNS.flatMap(([currency, pattern]) => (pattern.test(plain) ? [currency] : []));
}

/** A price without the words for its currency. */
export const withoutCurrency = (text: string): string =>
  PATTERNS.reduce((rest, [, pattern]) => rest.replace(new RegExp(pattern, 'g'), ' '), text);

/** Returns the first currency that a text names, or null. */
export const findCurrency = (text: string): Currency | null => findCurrencies(text)[0] ?? null;

/** Returns the name of a currency of another continent in a text, or null. */
export const findOtherCurrency = (text: string): string | null =>
  /[€£¥]|(?<![a-z])(?:eur|euros?|gbp|jpy|aud|brl|cop|ars|clp)(?![a-z])/i.exec(text)?.[0] ?? null;

const SIGNS: Readonly<Record<string, string>> = toTable({ USD: '$', CAD: 'CA$', MXN: 'MX$' });

/** Formats a price so that it shows its currency: `$54,900`, `CA$61,400`, `MX$850,000`. */
export const formatPrice = (price: number, currency: string | null = null): string =>
  `${SIGNS[currency ?? 'USD'] ?? `${currency} `}${groupDigits(price)}`;

/** Approximate exchange rates, to judge whether a price is possible; figures do not use them. */
const PER_DOLLAR: Readonly<Record<string, number>> = toTable({ USD: 1, CAD: 1.37, MXN: 18.5 });

/** Converts a price to approximate US dollars. */
export const toDollars = (price: number, currency: string | null): number =>
  price / (PER_DOLLAR[currency ?? 'USD'] ?? 1);
