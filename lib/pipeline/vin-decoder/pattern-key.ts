/**
 * vPIC's pattern keys. A key is compared, from its start, with positions 4 to 8 of a VIN, a bar, and positions 10 to
 * 17: `*` stands for any character, `[A-D7]` for one of a set. A key may be shorter than what it is compared with.
 */

/** What the keys of a VIN's patterns are compared with. */
export const keyedPart = (vin: string) => `${vin.slice(3, 8)}|${vin.slice(9)}`;

export interface Key {
  pattern: RegExp;
  closeness: number;
  /** What it was compared with last, and whether it fits: many facts of a VIN share a key. */
  part: string;
  isFit: boolean;
}

export const compileKey = (key: string): Key => ({
  pattern: new RegExp(`^${key.replaceAll('*', '.').replaceAll('|', '\\|')}`),
  closeness: closeness(key),
  part: '',
  isFit: false,
});

export function fits(key: Key, part: string) {
  if (key.part !== part) {
    key.part = part;
    key.isFit = key.pattern.test(part);
  }
  return key.isFit;
}

/**
 * How closely a key describes a vehicle: first the positions it names, then how few characters each of them allows.
 * The closest fitting key of an element wins.
 */
export function closeness(key: string) {
  const positions = key.match(/\[[^\]]*\]|[^*|]/g) ?? [];
  return positions.reduce((sum, characters) => sum + 1_000 - countCharacters(characters), 0);
}

/** Of `7` one, of `[A-D7]` five. */
function countCharacters(characters: string) {
  const spans = characters.match(/[^[\]]-[^\]]|[^[\]]/g) ?? [];
  return spans.reduce(
    (sum, span) => sum + 1 + (span.charCodeAt(2) || span.charCodeAt(0)) - span.charCodeAt(0),
    0,
  );
}
