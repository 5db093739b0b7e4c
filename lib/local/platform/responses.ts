import { type Details, type ErrorCode, toEnvelope } from '../../errors.ts';

/** What the platform on one machine answers by itself: always the contract's envelope, always an x-request-id. */
export interface OwnAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

export function ownAnswer(
  status: number,
  code: ErrorCode,
  message: string,
  more: {
    details?: Partial<Details>;
    headers?: Record<string, string>;
    requestId?: string;
    /** For the link to the code's page. */
    origin?: string;
  } = {},
): OwnAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': more.requestId ?? newRequestId(),
      ...more.headers,
    },
    body: JSON.stringify(toEnvelope({ code, message, details: more.details ?? {} }, more.origin ?? '')),
  };
}

export function toResponse({ status, headers, body }: OwnAnswer): Response {
  return new Response(body, { status, headers });
}
