import { invalid } from '../http/context.ts';
import { EmailAddress } from './schemas/widget.ts';

interface Sent {
  email?: string | undefined;
  phone?: string | undefined;
}

/**
 * The ways to answer a visitor. One is enough: what cannot be read of another, and a phone's extension, is in `notes` for
 * the dealer to read.
 */
export async function readContacts(form: Sent) {
  const email = EmailAddress.safeParse(form.email).data ?? null;
  const phone = form.phone === undefined ? null : await parsePhone(form.phone);
  if (email === null && phone === null) throw toFault(form);
  const notes = [];
  if (form.email !== undefined && email === null) notes.push(`Email as written: ${form.email}`);
  if (form.phone !== undefined && phone === null) notes.push(`Phone as written: ${form.phone}`);
  if (phone?.extension) notes.push(`Phone extension ${phone.extension}`);
  return { email, phone: phone?.e164 ?? null, notes };
}

function toFault({ email, phone }: Sent) {
  if (phone !== undefined)
    return invalid('phone', 'is no phone number', {
      reason: 'malformed',
      received: phone,
      fix: 'Send a number with its area code; outside the US begin with + and the country.',
    });
  if (email !== undefined)
    return invalid('email', 'is no email address', { reason: 'malformed', received: email });
  return invalid('email', 'is missing, and so is phone', { reason: 'missing', fix: 'Add email or phone.' });
}

/** A phone number as people write it, US unless it says otherwise; null when it is none. */
export async function parsePhone(text: string) {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const number = parsePhoneNumberFromString(text, 'US');
  return number?.isValid() ? { e164: number.number as string, extension: number.ext ?? null } : null;
}
