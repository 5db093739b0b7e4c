import { isNested } from '../is-object.ts';

/** Deeper than anything the service accepts; what lies below is written as null. */
const DEEPEST = 40;

/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever the order of their members.
 * Undefined members are left out, what is not JSON becomes null, and -0 is 0. For hashing.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value + 0) : 'null';
  if (typeof value === 'boolean') return String(value);
  if (!isNested(value) || depth >= DEEPEST) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;

  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members && ','}${JSON.stringify(key)}:${write(member, depth + 1)}`;
  }
  return `{${members}}`;
}
