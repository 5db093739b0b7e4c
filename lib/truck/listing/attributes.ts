import { isPrivateName } from '../text/private-names.ts';
import { cleanLine } from '../text/text.ts';
import type { Attributes } from './truck.ts';

/** Bounds of what is kept of fields the service does not know. Size is in characters of JSON, roughly. */
export const ATTRIBUTE_LIMITS = { keys: 100, keyLength: 100, depth: 8, size: 16_384 } as const;

export interface AttributesReading {
  attributes: Attributes;
  /** Keys that were left out: too big, too deep, too many, dangerous, or no JSON value. */
  dropped: string[];
}

const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
const DROP = Symbol('drop');

/**
 * Cleans unknown members: JSON values only, strings well formed and without control characters (line breaks and tabs
 * stay), within ATTRIBUTE_LIMITS. An attribute is kept whole or not at all, but for members with a private name, however
 * deep, which go nowhere. Idempotent.
 */
export function readAttributes(members: Iterable<readonly [string, unknown]>): AttributesReading {
  const attributes: Attributes = {};
  const dropped: string[] = [];
  const budget = { left: ATTRIBUTE_LIMITS.size };
  let count = 0;
  for (const [rawKey, raw] of members) {
    if (isPrivateName(rawKey)) continue;
    const key = cleanKey(rawKey);
    const before = budget.left;
    const value = key === null || count >= ATTRIBUTE_LIMITS.keys ? DROP : clean(raw, 1, budget);
    budget.left -= rawKey.length + 4;
    if (key === null || value === DROP || budget.left < 0) {
      budget.left = before;
      dropped.push(rawKey);
      continue;
    }
    if (!Object.hasOwn(attributes, key)) count++;
    attributes[key] = value;
  }
  return { attributes, dropped };
}

function cleanKey(raw: string): string | null {
  if (raw.length > ATTRIBUTE_LIMITS.keyLength) return null;
  const key = cleanLine(raw);
  return key === '' || key.length > ATTRIBUTE_LIMITS.keyLength || DANGEROUS.has(key) ? null : key;
}

function clean(raw: unknown, depth: number, budget: { left: number }): unknown {
  budget.left -= 2;
  if (budget.left < 0 || depth > ATTRIBUTE_LIMITS.depth) return DROP;
  if (raw === null || typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') {
    budget.left -= 8;
    return Number.isFinite(raw) ? raw + 0 : DROP;
  }
  if (typeof raw === 'string') {
    budget.left -= raw.length;
    return budget.left < 0 ? DROP : raw.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '');
  }
  if (Array.isArray(raw)) return cleanItems(raw, depth, budget);
  return typeof raw === 'object' ? cleanMembers(raw, depth, budget) : DROP;
}

function cleanItems(raw: readonly unknown[], depth: number, budget: { left: number }): unknown {
  const items: unknown[] = [];
  for (const item of raw) {
    const value = clean(item, depth + 1, budget);
    if (value === DROP) return DROP;
    items.push(value);
  }
  return items;
}

function cleanMembers(raw: object, depth: number, budget: { left: number }): unknown {
  const members: Attributes = {};
  for (const [rawKey, member] of Object.entries(raw)) {
    if (isPrivateName(rawKey)) continue;
    const key = cleanKey(rawKey);
    const value = key === null ? DROP : clean(member, depth + 1, budget);
    if (key === null || value === DROP) return DROP;
    budget.left -= key.length;
    members[key] = value;
  }
  return members;
}
