import { type Warning, warn } from '../../../truck/listing/warn.ts';
import { readZip } from '../../../truck/place/place.ts';
import { readState } from '../../../truck/place/states.ts';
import { quoted } from '../../../truck/text/text.ts';
import { hasAreaCode } from './phone.ts';

const CHECKS = {
  state: { expected: 'state or province', isReadable: (text: string) => readState(text) !== null },
  zip: { expected: 'ZIP or postal code', isReadable: (text: string) => readZip(text) !== null },
  phone: { expected: 'phone number with its area code', isReadable: hasAreaCode },
  sms: { expected: 'phone number with its area code', isReadable: hasAreaCode },
};

type Checked = { [Name in keyof typeof CHECKS]?: unknown };

/** Of what a dealer's change says and cannot be read: it is kept as it was typed. */
export function warnOfUnreadable(change: Checked): Warning[] {
  return Object.entries(CHECKS).flatMap(([field, { expected, isReadable }]) => {
    const sent = change[field as keyof Checked];
    if (typeof sent !== 'string' || isReadable(sent)) return [];
    return [warn('DEALER_DETAIL_DOUBTFUL', { field, received: quoted(sent), expected })];
  });
}
