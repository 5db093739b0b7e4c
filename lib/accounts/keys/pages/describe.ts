import { html } from 'hono/html';
import { badge, moment } from '../../../dashboard/parts/text.ts';
import type { Html } from '../../../http/pages/page.ts';
import type { ApiKey } from '../../operator/schemas.ts';
import { SCOPE_CHOICES } from './forms.ts';

/** A key in words. */

type Key = ApiKey & { creator: string | null };

export const nameKey = ({ name, kind }: ApiKey): string =>
  name ?? (kind === 'secret' ? 'Secret key' : 'Widget key');

/** A key of the same name that was made later: the one that took its place. */
export const isReplaced = (key: ApiKey, all: readonly ApiKey[]): boolean =>
  key.expires_at !== null &&
  all.some(
    ({ id, name, kind, created_at }) =>
      id !== key.id && name === key.name && kind === key.kind && created_at > key.created_at,
  );

export function keyState({ revoked_at, expires_at }: ApiKey, nowMs: number): Html {
  if (revoked_at !== null) return badge('revoked', 'bad');
  if (expires_at === null) return badge('works', 'good');
  if (Date.parse(expires_at) <= nowMs) return badge('expired', 'bad');
  return html`${badge('ends', 'warn')} ${moment(expires_at)}`;
}

export const worksStill = ({ revoked_at, expires_at }: ApiKey, nowMs: number): boolean =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);

export function keyReach({ kind, scopes, dealers, allowed_origins }: ApiKey): string {
  if (kind === 'publishable')
    return allowed_origins.length === 0
      ? 'Widget, on no site yet'
      : `Widget on ${allowed_origins.join(', ')}`;
  const labels = SCOPE_CHOICES.filter(({ value }) => scopes?.includes(value)).map(({ label }) => label);
  const what = scopes === null ? 'Everything' : labels.join(', ');
  return dealers === null ? what : `${what}; only ${dealers.join(', ')}`;
}

export const keyMaker = ({ creator, created_by }: Key): string =>
  creator ?? (created_by === 'operator' ? 'Operator' : 'A former person of the account');
