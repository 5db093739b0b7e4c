/**
 * vPIC's pattern keys. A key is compared, from its start, with positions 4 to 8 of a VIN, a bar, and positions 10 to
 * 17: `*` stands for any character, `[A-D7]` for one of a set. A key may be shorter than what it is compared with.
 */

/** What the keys of a VIN's patterns are compared with. */
export function keyedPart(vin: string): string {
  return `${vin.slice(3, 8)}|${vin.slice(9)}`;
}

/** True when the key fits. */
export function fits(key: string, part: string): boolean {
  let at = 0;
  for (let index = 0; index < key.length; index++, at++) {
    const wanted = key.charCodeAt(index);
    if (wanted === STAR) {
      if (at >= part.length) return false;
    } else if (wanted === BRACKET) {
      const end = key.indexOf(']', index);
      if (end < 0 || !inSet(key, index + 1, end, part.charCodeAt(at))) return false;
      index = end;
    } else if (wanted !== part.charCodeAt(at)) return false;
  }
  return true;
}

/**
 * How closely a key describes a vehicle: first the positions it names, then how few characters each of them allows.
 * The closest fitting key of an element wins.
 */
export function closeness(key: string): number {
  let named = 0;
  let allowed = 0;
  for (let index = 0; index < key.length; index++) {
    const wanted = key.charCodeAt(index);
    if (wanted === STAR || wanted === BAR) continue;
    named += 1;
    if (wanted !== BRACKET) {
      allowed += 1;
      continue;
    }
    const end = key.indexOf(']', index);
    if (end < 0) break;
    allowed += sizeOfSet(key, index + 1, end);
    index = end;
  }
  return named * 1_000 - allowed;
}

const STAR = 42;
const DASH = 45;
const BRACKET = 91;
const BAR = 124;

function inSet(key: string, start: number, end: number, char: number): boolean {
  for (let index = start; index < end; index++) {
    const low = key.charCodeAt(index);
    if (index + 2 < end && key.charCodeAt(index + 1) === DASH) {
      if (char >= low && char <= key.charCodeAt(index + 2)) return true;
      index += 2;
    } else if (char === low) return true;
  }
  return false;
}

function sizeOfSet(key: string, start: number, end: number): number {
  let size = 0;
  for (let index = start; index < end; index++, size++) {
    if (index + 2 >= end || key.charCodeAt(index + 1) !== DASH) continue;
    size += key.charCodeAt(index + 2) - key.charCodeAt(index);
    index += 2;
  }
  return size;
}
