import * as z from 'zod/mini';
import { ERRORS } from '../errors.ts';
import { about, nameSchema } from '../truck/json.ts';

/** The same on every refusal; some have more members, which are documented where they occur. */
const Details = nameSchema(
  'ErrorDetails',
  z.looseObject({
    reason: about(z.string(), 'A token that says why; finer than the code.', 'missing'),
    fix: about(z.string(), 'What to change.'),
    retryable: about(z.boolean(), 'Whether the same request may succeed later.'),
    doc_url: about(z.string(), 'The page of the code.'),
    field: z.optional(about(z.string(), 'The member, parameter or header at fault.')),
    received: z.optional(about(z.unknown(), 'The value as received, shortened.')),
    issues: z.optional(
      about(z.array(z.looseObject({})), 'Every fault, in order; the first one names the error.'),
    ),
  }),
  'Why a request was refused and what to do.',
);

const Code = nameSchema(
  'ErrorCode',
  z.enum(Object.keys(ERRORS)),
  `Stable codes; branch on these.\n\n${Object.entries(ERRORS)
    .map(([code, { status, when }]) => `- \`${code}\` (${status}): ${when}`)
    .join('\n')}`,
);

/** Error envelope of contract section 2. */
export const ErrorEnvelope = nameSchema(
  'Error',
  z.object({ error: z.object({ code: Code, message: z.string(), details: z.optional(Details) }) }),
  'Every error answer. Branch on `error.code`; `error.message` may change.',
);
