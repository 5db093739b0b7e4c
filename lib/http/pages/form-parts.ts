import { BodyFault } from '../input/body.ts';

/** The bounds of a form with a file, counted before the platform's parser makes objects of its parts. */

/** Two for each of the 500 columns whose meaning can be chosen, and the form's own fields. */
const MAX_PARTS = 1_020;
/** Of all parts together; the parser reads their lines letter by letter. */
const MAX_HEADER_BYTES = 128 * 1024;
/** As browsers and HTTP clients write it: in other boundaries this count and the parser could see different parts. */
const CONTENT_TYPE = /^multipart\/form-data; ?boundary=("?)([\w'+.-]{1,70})\1$/i;

/** The boundary that a Content-Type names. Throws `BodyFault`. */
export function readBoundary(contentType: string): string {
  const boundary = CONTENT_TYPE.exec(contentType.trim())?.[2];
  if (boundary === undefined) throw new BodyFault('malformed', 'The form could not be read.');
  return boundary;
}

/** Throws `BodyFault` for more parts, or more bytes of their headers, than a form of a page has. */
export function checkParts(bytes: Uint8Array<ArrayBuffer>, boundary: string): void {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = `--${boundary}`;
  let headerBytes = 0;
  let parts = 0;
  for (let at = sent.indexOf(delimiter); at >= 0; at = sent.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    const end = sent.subarray(at, at + MAX_HEADER_BYTES + 1).indexOf('\r\n\r\n');
    const isLast = sent.length - at - delimiter.length <= '--\r\n'.length;
    if (!isLast) headerBytes += end < 0 ? MAX_HEADER_BYTES + 1 : end;
    if (parts > MAX_PARTS || headerBytes > MAX_HEADER_BYTES)
      throw new BodyFault('too_many_values', 'The form has too many fields.');
  }
}
