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

/** The currencies that a text names, whatever else it says. */
export function findCurrencies(text: string): Currency[] {
  if (!/[a-z]/i.test(text)) return [];
  const plain = text.slice(0, 60).toLowerCase();
  return PATTERNS.flatMap(([currency, pattern]) => (pattern.test(plain) ? [currency] : []));
}

/** A price without the words for its currency. */
export const withoutCurrency = (text: string): string =>
  PATTERNS.reduce((rest, [, pattern]) => rest.replace(new RegExp(pattern, 'g'), ' '), text);

/** The first of them; null when it names none. */
export const findCurrency = (text: string): Currency | null => findCurrencies(text)[0] ?? null;

/** A currency of elsewhere, as a text names it; null when it names none. */
export const findOtherCurrency = (text: string): string | null =>
  /[€£¥]|(?<![a-z])(?:eur|euros?|gbp|jpy|aud|brl|cop|ars|clp)(?![a-z])/i.exec(text)?.[0] ?? null;

const SIGNS: Readonly<Record<string, string>> = toTable({ USD: '$', CAD: 'CA$', MXN: 'MX$' });

/** `$54,900`, `CA$61,400`, `MX$850,000`: a price never looks like one in another currency. */
export const formatPrice = (price: number, currency: string | null = null): string =>
  `${SIGNS[currency ?? 'USD'] ?? `${currency} `}${groupDigits(price)}`;

/** About what one US dollar costs: for judging whether a price is possible, never for figures. */
const PER_DOLLAR: Readonly<Record<string, number>> = toTable({ USD: 1, CAD: 1.37, MXN: 18.5 });

/** A price as about so many US dollars. */
export const toDollars = (price: number, currency: string | null): number =>
  price / (PER_DOLLAR[currency ?? 'USD'] ?? 1);
