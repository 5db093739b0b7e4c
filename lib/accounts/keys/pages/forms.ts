import * as z from 'zod/mini';
import { ApiError } from '../../../errors.ts';
import { typedKeys } from '../../../truck/record/record.ts';
import { DAY_MS } from '../../../truck/time.ts';
import { SCOPES, type Scope } from '../../access.ts';

/** What the forms about keys say, and how they are read. */

const LABELS: Readonly<Record<Scope, string>> = {
  'inventory:read': 'Read trucks and dealers',
  'inventory:write': 'Send and change trucks and dealers',
  feeds: 'Feeds',
  leads: 'Leads',
  market: 'Market data',
};
export const SCOPE_CHOICES = typedKeys(LABELS).map((value) => ({ value, label: LABELS[value] }));

export const Scopes = z.optional(z.array(z.enum(SCOPES)));

export const Origins = z._default(z.string().check(z.maxLength(5_000)), '');

const MAX_ORIGINS = 50;

/** Origins as people type them, one on a line: with a path, in capitals, without a scheme. */
export function readOrigins(text: string): string[] {
  const lines = text.split(/[\s,]+/).filter(Boolean);
  if (lines.length > MAX_ORIGINS) throw wrongOrigins(`At most ${MAX_ORIGINS} sites.`);
  return [...new Set(lines.map(readOrigin))];
}

function readOrigin(line: string): string {
  const url = URL.parse(line.includes('://') ? line : `https://${line}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^[a-z0-9.-]+$/.test(url.hostname))
    throw wrongOrigins(`${line.slice(0, 100)} is no address of a site.`);
  return url.origin;
}

function wrongOrigins(message: string): ApiError {
  return new ApiError('INVALID_PAYLOAD', message, {
    details: { field: 'origins', fix: 'Write one site on a line, such as https://www.dealer.example.' },
  });
}

/** A key of the widget works on the sites that it names, and on no other. */
export function siteMissing(): ApiError {
  return wrongOrigins('Say on which site the key is used.');
}

/** The last day of a key. */
export const LastDay = z.optional(z.iso.date());

export const endOfDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString();

export const Dealer = z.optional(z.string().check(z.maxLength(64)));
