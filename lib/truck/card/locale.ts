/** Languages that visitors are answered in. */
const LOCALES = ['en', 'es', 'fr'] as const;
export type Locale = (typeof LOCALES)[number];

/** `es-MX`, `FR`, `en_US`; anything else is English. */
export function readLocale(text: string): Locale {
  const language = text.trim().toLowerCase().split(/[-_]/)[0];
  return LOCALES.find((locale) => locale === language) ?? 'en';
}
