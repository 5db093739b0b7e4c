/** A phone number as people write it, US unless it says otherwise. */
export async function parsePhone(
  text: string,
): Promise<{ e164: string; extension: string | null } | 'unreadable'> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const number = parsePhoneNumberFromString(text, 'US');
  if (!number?.isValid()) return 'unreadable';
  return { e164: number.number, extension: number.ext ?? null };
}
