/** Languages of the widget. */
const LOCALES = ['en', 'es', 'fr'] as const;
export type Locale = (typeof LOCALES)[number];

/** Reads `es-MX`, `FR` and `en_US`; any other language becomes English. */
export function readLocale(text: string): Locale {
  const language = text.trim().toLowerCase().split(/[-_]/)[0];
  return LOCALES.find((locale) => locale === language) ?? 'en';
}
