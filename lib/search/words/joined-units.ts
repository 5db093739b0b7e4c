/** Lengths in feet and gears, which a query asks for as the one word that a listing has for them: `26ft`, `13speed`. */

const FEET = /(?<![\d.,-])(\d{1,2})[ -]?(?:['’′](?!['’′])|(?:ft|foot|feet|pies|pieds)(?![\p{L}\d]))/giu;
const GEARS = /(?<![\d.,\p{L}-])(\d{1,2})[ -]?(?:sp|spd|speeds?|vel|velocidades|vitesses)\b\.?/giu;

export const joinUnits = (text: string): string => text.replace(GEARS, '$1speed ').replace(FEET, '$1ft ');

/** Those words of a text. */
export const unitWords = (text: string): string[] => joinUnits(text).match(/\b\d{1,2}(?:ft|speed)\b/g) ?? [];
