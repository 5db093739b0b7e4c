import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { about, nameSchema } from '../../truck/json.ts';

const HealthQuery = z.object({
  deep: z.optional(
    about(z.enum(['0', '1']), '`1`, with the operator’s token: every part with its milliseconds.'),
  ),
});

const Part = z.object({ ok: z.boolean(), ms: z.optional(z.number()), note: z.optional(z.string()) });

const HealthAnswer = nameSchema(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded']),
    parts: z.optional(z.record(z.string(), Part)),
    error: z.optional(about(z.object({ code: z.string(), message: z.string() }), 'With status 503.')),
  }),
  'The service is ready.',
);

export const getHealth = endpoint({
  id: 'getHealth',
  method: 'GET',
  path: '/api/health',
  tag: 'Platform',
  summary: 'Check whether the service is ready',
  description:
    'Returns 200 when the service takes requests. It does not ask the database, which may sleep. `?deep=1` with the operator’s token reports every part with its milliseconds, and returns 503 when the database is unavailable.',
  guard: 'anyone',
  operatorOnly: 'deep',
  query: HealthQuery,
  errors: ['INVALID_PARAMS'],
  headers: { 'Retry-After': ['With 503: seconds to wait.', '3'] },
  answers: { 200: HealthAnswer, 503: HealthAnswer },
  async handle({ ctx, query }) {
    if (query.deep === '1') {
      const { checkHealth } = await import('./check-health.ts');
      const body = await checkHealth(ctx);
      if (body.parts.database?.ok) return { status: 200, body };
      const error = { code: 'INTERNAL_ERROR', message: 'The database does not answer.' };
      return { status: 503, body: { error, ...body }, headers: { 'retry-after': '3' } };
    }
    return { status: 200, body: { status: 'ok' } };
  },
});
