import { html } from 'hono/html';
import { wordsFor } from '../../dashboard/parts/labels.ts';
import { badge, moment } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { ApiKey } from '../operator/schemas.ts';

/** A key in words. */

export const nameKey = ({ name, kind }: ApiKey): string =>
  name ?? (kind === 'secret' ? 'Secret key' : 'Publishable key');

export const worksStill = ({ revoked_at, expires_at }: ApiKey, nowMs: number): boolean =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);

export function keyStatus(key: ApiKey, nowMs: number): Html {
  if (!worksStill(key, nowMs)) return badge(key.revoked_at === null ? 'expired' : 'revoked', 'bad');
  return key.expires_at === null
    ? badge('works', 'good')
    : html`${badge('ends', 'warn')} ${moment(key.expires_at)}`;
}

export function keyReach({ kind, scopes, dealers, allowed_origins }: ApiKey): string {
  if (kind === 'publishable') return `Widget on ${allowed_origins.join(', ') || 'no site yet'}`;
  const { choices = {} } = wordsFor('scopes');
  const reach = scopes?.map((scope) => choices[scope]).join(', ') ?? 'Everything';
  return dealers === null ? reach : `${reach}; only ${dealers.join(', ')}`;
}
