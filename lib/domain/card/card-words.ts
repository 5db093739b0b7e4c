import type { Locale } from '../../contract/widget/locale.ts';
import { grouped } from '../text/text.ts';
import { BODIES } from '../vocabulary/bodies.ts';

/** Words and numbers of cards in the visitor's language. */

const COLUMN = { en: 0, es: 1, fr: 2 } as const satisfies Record<Locale, number>;

/** `sleeper_tractor` → "Tractocamión con dormitorio". */
export function toBodyName(body: string, locale: Locale): string {
  return BODIES.get(body)?.names[COLUMN[locale]] ?? body.replaceAll('_', ' ');
}

/** The first use of a locale costs a cold start 10 ms, and most numbers need none. */
export const formatNumber = (value: number, locale: Locale): string =>
  Number.isInteger(value) && locale !== 'fr' ? grouped(value) : value.toLocaleString(`${locale}-US`);
