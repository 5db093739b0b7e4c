import { BLOCKED_BODIES } from '../../contract/fields.ts';
import { foldKey, snakeCase } from '../text/text.ts';
import { BLOCKED_BODY_FORMS, BODIES } from './bodies.ts';

/** Truck bodies. Spellings are compared whole, never by substring: a "station wagon body shop" is no wagon. */

const DOORS = /^[2-5](?:DOOR|DR|D)(?=[A-Z])/;
const PLURAL = /(?:(?<=S)ES|S)$/;
const TRUCK_BODIES = toKeys(BODIES);
const CONSUMER_BODIES = toKeys(BLOCKED_BODY_FORMS);

/** The blocked consumer body (contract section 2) that a text names, long forms included; null for a truck's. */
export function blockedBody(text: string): (typeof BLOCKED_BODIES)[number] | null {
  const name = find(CONSUMER_BODIES, text);
  return BLOCKED_BODIES.find((body) => body === name) ?? null;
}

/** Canonical name of a body, for example `sleeper_tractor`; an unknown body becomes snake_case. Idempotent. */
export function canonicalBody(text: string): string {
  return find(TRUCK_BODIES, text) ?? (snakeCase(text) || text);
}

/** True when the body is a known one that only trucks have. */
export function isTruckBody(text: string): boolean {
  const name = find(TRUCK_BODIES, text);
  return name !== undefined && !['pickup', 'cargo_van', 'passenger_van', 'other'].includes(name);
}

function find(bodies: ReadonlyMap<string, string>, text: string): string | undefined {
  const key = foldKey(text);
  const bare = key.replace(DOORS, '');
  return bodies.get(key) ?? bodies.get(bare) ?? bodies.get(bare.replace(PLURAL, ''));
}

function toKeys(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [name, forms] of Object.entries(table)) {
    for (const form of [name, ...forms]) keys.set(foldKey(form), name);
  }
  return keys;
}
