import * as z from 'zod/mini';
import { named } from './json.ts';

/** Error envelope of contract section 2. */
export const ErrorEnvelope = named(
  'Error',
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  }),
  'Every error answer. Branch on `error.code`; `error.message` may change.',
);
