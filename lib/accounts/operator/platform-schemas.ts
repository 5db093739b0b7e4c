import * as z from 'zod/mini';
import { about, Nullable, named } from '../../truck/json.ts';

/** Schemas of health and cron. */

export const HealthQuery = z.object({
  deep: z.optional(
    about(z.enum(['0', '1']), '`1`, with the operator’s token: every part with its milliseconds.'),
  ),
});

const Part = z.object({ ok: z.boolean(), ms: z.optional(z.number()), note: z.optional(z.string()) });

export const HealthAnswer = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded']),
    parts: z.optional(z.record(z.string(), Part)),
    error: z.optional(about(z.object({ code: z.string(), message: z.string() }), 'With status 503.')),
  }),
  'The service is ready.',
);

export const CronAnswer = z.object({
  job: z.string(),
  outcome: z.enum(['done', 'busy']),
  result: z.nullable(z.record(z.string(), z.unknown())),
  finished_at: z.optional(Nullable.time),
});
