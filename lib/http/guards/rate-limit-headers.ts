import type { Quota, Verdict } from '../../ports/limits.ts';

/**
 * The headers a limited answer carries (draft-ietf-httpapi-ratelimit-headers, newest form):
 * `RateLimit-Policy: "requests";q=60;w=60`, `RateLimit: "requests";r=12;t=34`, and on a refusal `Retry-After` in
 * whole seconds (RFC 9110, section 10.2.3).
 */
export function rateLimitHeaders(quota: Quota, verdict: Verdict): Record<string, string> {
  const name = quoted(quota.name);
  const headers: Record<string, string> = {
    'RateLimit-Policy': `${name};q=${quota.limit};w=${quota.windowSeconds}`,
    RateLimit: `${name};r=${Math.max(0, verdict.remaining)};t=${verdict.resetSeconds}`,
  };
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.retryAfterSeconds);
  return headers;
}

/** A structured-field String (RFC 8941, section 3.3.3): printable ASCII in quotes, quote and backslash escaped. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
