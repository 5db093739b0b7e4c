import { describe, expect, it } from 'vitest';
import { rateLimitHeaders } from '../../../lib/http/guards/rate-limit-headers.ts';

const quota = { name: 'requests', limit: 60, windowSeconds: 60 };

describe('rate limit headers', () => {
  it('tell policy and what is left, as structured fields', () => {
    const verdict = { allowed: true, remaining: 12, resetSeconds: 34, retryAfterSeconds: 0 };
    expect(rateLimitHeaders(quota, verdict)).toEqual({
      'RateLimit-Policy': '"requests";q=60;w=60',
      RateLimit: '"requests";r=12;t=34',
    });
  });

  it('add Retry-After in whole seconds on a refusal', () => {
    const verdict = { allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 7 };
    expect(rateLimitHeaders(quota, verdict)).toEqual({
      'RateLimit-Policy': '"requests";q=60;w=60',
      RateLimit: '"requests";r=0;t=60',
      'Retry-After': '7',
    });
  });

  it('cannot be broken out of by a name', () => {
    const verdict = { allowed: true, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 };
    const headers = rateLimitHeaders({ ...quota, name: 'a"b\\c\r\né' }, verdict);
    expect(headers.RateLimit).toBe('"a\\"b\\\\c???";r=1;t=1');
    expect(() => new Headers(headers)).not.toThrow();
  });
});
