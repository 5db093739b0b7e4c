import * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';
import { BodyFault, readBytes } from '../input/body.ts';
import { listTypes, readShape } from '../input/query.ts';

/** Fields by name, each with its values in order. */
export type Form = ReadonlyMap<string, readonly (string | File)[]>;

/** The form of a button that needs to know nothing. */
export const NoFields = z.object({});

const URL_ENCODED = 'application/x-www-form-urlencoded';
/** As browsers and HTTP clients write it: in other boundaries our count and the parser could see different parts. */
const MULTIPART = /^multipart\/form-data; ?boundary=("?)([\w'+.-]{1,70})\1$/i;

/** Two for each of the 500 columns whose meaning can be chosen, and the form's own fields. */
const MAX_FIELDS = 1_020;
/** Of the lines that name a part; the parser reads them letter by letter. */
const MAX_HEAD_BYTES = 1_024;
const MAX_TEXT_BYTES = 256 * 1024;

/** Reads what a form sends: at most `maxBytes`, 256 KiB without a file, and 1,020 fields. Throws INVALID_PAYLOAD. */
export async function readForm(request: Request, maxBytes = 64 * 1024): Promise<Form> {
  const type = request.headers.get('content-type')?.trim() ?? '';
  const boundary = MULTIPART.exec(type)?.[2];
  const isText = type.split(';')[0]?.trim().toLowerCase() === URL_ENCODED;
  if (boundary === undefined && !isText) throw unreadable('malformed');
  try {
    const bytes = await readBytes(request, isText ? Math.min(maxBytes, MAX_TEXT_BYTES) : maxBytes);
    // Before the platform's parser makes objects of them.
    checkFields(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), boundary);
    const headers = { 'content-type': isText ? URL_ENCODED : `multipart/form-data; boundary=${boundary}` };
    return toForm((await new Response(bytes, { headers }).formData()).entries());
  } catch (error) {
    throw unreadable(error instanceof BodyFault ? error.reason : 'malformed');
  }
}

/** Throws `BodyFault` for more fields than a form of a page has, or a part whose head is longer. */
function checkFields(bytes: Buffer, boundary: string | undefined): void {
  const mark = boundary === undefined ? '&' : `--${boundary}`;
  let fields = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    fields += 1;
    const isLast = bytes.length - at - mark.length <= '--\r\n'.length;
    const hasHead = boundary !== undefined && !isLast;
    const isHeadless = hasHead && !bytes.subarray(at, at + MAX_HEAD_BYTES).includes('\r\n\r\n');
    if (fields > MAX_FIELDS || isHeadless)
      throw new BodyFault('too_many_values', 'The form has too many fields.');
  }
}

function unreadable(reason: BodyFault['reason']): ApiError {
  const words = reason === 'body_too_large' ? 'What was sent is too large.' : 'The form could not be read.';
  return new ApiError('INVALID_PAYLOAD', words, { details: { reason } });
}

/** Throws INVALID_PAYLOAD for a NUL, which no form of a page sends and no store takes. */
export function toForm(entries: Iterable<[string, string | File]>): Form {
  const form = new Map<string, (string | File)[]>();
  for (const [name, value] of entries) {
    if (typeof value === 'string' && value.includes('\u0000')) throw unreadable('malformed');
    const values = form.get(name);
    if (values) values.push(value);
    else form.set(name, [value]);
  }
  return form;
}

/**
 * The fields that the schema knows: all values of a list, the first of any other, as a number where the schema asks for
 * one. A blank field is absent, or null where the schema takes that: it clears what is stored.
 */
export function toFormValues(form: Form, schema: z.ZodMiniType): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readShape(schema)).flatMap(([name, member]): [string, unknown][] => {
      const sentValues = form.get(name) ?? [];
      const values = sentValues.filter((value) => !isBlank(value));
      const types = listTypes(member);
      if (values.length === 0)
        return sentValues.length > 0 && types.includes('nullable') ? [[name, null]] : [];
      if (types.includes('array')) return [[name, values]];
      const isNumber = types.at(-1) === 'number' && !types.includes('pipe');
      return [[name, isNumber ? Number(values[0]) : values[0]]];
    }),
  );
}

/** A file without a name was not chosen. */
const isBlank = (value: string | File) =>
  typeof value === 'string' ? value.trim() === '' : value.size === 0 && value.name === '';
