import { isNested } from '../is-object.ts';
import { isPrivateName } from '../text/private-names.ts';
import { cleanLine } from '../text/text.ts';

/** Limits of the attributes of a listing. `size` is in characters of JSON. */
export const ATTRIBUTE_LIMITS = { keys: 100, keyLength: 100, depth: 8, size: 16_384 } as const;

/**
 * Cleans unknown members: JSON values only, strings well formed and without control characters (line breaks and tabs
 * stay), within ATTRIBUTE_LIMITS. An attribute is kept entirely or not at all, except that members with a private name are
 * removed at any depth. `dropped` lists the keys that were left out. Idempotent.
 */
export function readAttributes(members: Iterable<readonly [string, unknown]>) {
  const attributes = new Map<string, unknown>();
  const dropped: string[] = [];
  let remainingSize: number = ATTRIBUTE_LIMITS.size;
  for (const [rawKey, raw] of members) {
    if (isPrivateName(rawKey)) continue;
    const key = cleanKey(rawKey);
    const value = attributes.size < ATTRIBUTE_LIMITS.keys ? clean(raw, 1) : undefined;
    const size = value === undefined ? 0 : rawKey.length + JSON.stringify(value).length;
    if (key === null || value === undefined || size > remainingSize) {
      dropped.push(rawKey);
      continue;
    }
    remainingSize -= size;
    attributes.set(key, value);
  }
  return { attributes: Object.fromEntries(attributes), dropped };
}

const DANGEROUS = new Set(['', '__proto__', 'constructor', 'prototype']);

function cleanKey(raw: string): string | null {
  const key = cleanLine(raw);
  return raw.length > ATTRIBUTE_LIMITS.keyLength || DANGEROUS.has(key) ? null : key;
}

/** Returns undefined for a value that is not JSON, is too deep, or contains a dangerous name. */
function clean(raw: unknown, depth: number): unknown {
  if (depth > ATTRIBUTE_LIMITS.depth) return undefined;
  if (typeof raw === 'string') return raw.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '');
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw + 0 : undefined;
  if (!isNested(raw)) return raw;
  if (Array.isArray(raw)) {
    const items = raw.map((item) => clean(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const members = Object.entries(raw)
    .filter(([key]) => !isPrivateName(key))
    .map(([key, member]) => [cleanKey(key), clean(member, depth + 1)] as const);
  const isWhole = members.every(([key, value]) => key !== null && value !== undefined);
  return isWhole ? Object.fromEntries(members) : undefined;
}
