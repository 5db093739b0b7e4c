import { invalid } from '../http/context.ts';
import { EmailAddress } from './schemas/widget-lead.ts';

export interface Contacts {
  email: string | null;
  /** E.164. */
  phone: string | null;
  /** For the dealer to read: what address and number cannot hold. */
  notes: string[];
}

/** The ways to answer a visitor. One is enough: another that cannot be read is handed on as it was written. */
export async function readContacts(sent: {
  email?: string | undefined;
  phone?: string | undefined;
}): Promise<Contacts> {
  const email = EmailAddress.safeParse(sent.email).data ?? null;
  const phone = sent.phone === undefined ? 'unreadable' : await parsePhone(sent.phone);
  if (phone === 'unreadable' && email === null) throw toFault(sent);
  const notes = [];
  if (sent.email !== undefined && email === null) notes.push(`Email as written: ${sent.email}`);
  if (phone === 'unreadable')
    return { email, phone: null, notes: sent.phone === undefined ? [] : [`Phone as written: ${sent.phone}`] };
  if (phone.extension) notes.push(`Phone extension ${phone.extension}`);
  return { email, phone: phone.e164, notes };
}

function toFault({ email, phone }: { email?: string | undefined; phone?: string | undefined }) {
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

/** A phone number as people write it, US unless it says otherwise. */
export async function parsePhone(
  text: string,
): Promise<{ e164: string; extension: string | null } | 'unreadable'> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const number = parsePhoneNumberFromString(text, 'US');
  if (!number?.isValid()) return 'unreadable';
  return { e164: number.number, extension: number.ext ?? null };
}
