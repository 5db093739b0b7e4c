import { toTable } from './table.ts';
import { grouped } from './text.ts';

/** Currencies of North America, as prices name them. */

export const CURRENCIES = ['USD', 'CAD', 'MXN'] as const;
export type Currency = (typeof CURRENCIES)[number];

const PATTERNS: readonly (readonly [Currency, RegExp])[] = [
  [
    'CAD',
    /(?<![a-z])(?:cad|cdn|can ?\$|ca ?\$|c ?\$|canadian(?: dollars?)?|dollars? canadiens?)(?![a-z])|\$ ?(?:ca|can|cad|cdn)(?![a-z])/,
  ],
  [
    'MXN',
    /(?<![a-z])(?:mxn|mxp|mx ?\$|m\.?n\.?|pesos?(?: mexicanos?)?)(?![a-z])|\$ ?(?:mx|mxn|mn|m\.n\.)(?![a-z])/,
  ],
  [
    'USD',
    /(?<![a-z])(?:usd|us ?\$|u\.s\. ?\$|usa|us dollars?|american dollars?|d[oó]lares|dlls?|dls|dlrs)(?![a-z])|\$ ?(?:us|usd)(?![a-z])/,
  ],
];

/** The currency that a text names, whatever else it says; null when it names none. */
export function currencyIn(text: string): Currency | null {
  if (!/[a-z]/i.test(text)) return null;
  const plain = text.slice(0, 60).toLowerCase();
  return PATTERNS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

const SIGNS: Readonly<Record<string, string>> = toTable({ USD: '$', CAD: 'CA$', MXN: 'MX$' });

/** `$54,900`, `CA$61,400`, `MX$850,000`: a price never looks like one in another currency. */
export const formatPrice = (price: number, currency: string | null = null): string =>
  `${SIGNS[currency ?? 'USD'] ?? `${currency} `}${grouped(price)}`;

/** About what one US dollar costs: for judging whether a price is possible, never for figures. */
const PER_DOLLAR: Readonly<Record<string, number>> = toTable({ USD: 1, CAD: 1.37, MXN: 18.5 });

/** A price as about so many US dollars. */
export const inDollars = (price: number, currency: string | null): number =>
  price / (PER_DOLLAR[currency ?? 'USD'] ?? 1);
