import type { Locale } from '../../../truck/card/locale.ts';
import type { Hours } from '../hours.ts';
import { findOpening } from './opening.ts';
import { describeOpening, describeReply } from './opening-words.ts';

interface DealerContact {
  name: string;
  phone: string | null;
  sms: string | null;
  hours: Hours | null;
  time_zone: string | null;
  reply_minutes: number | null;
}

/** How visitors reach the dealer, in their language. A reply time is the dealer's own statement, and holds while it is open. */
export function toVisitorsDealer(dealer: DealerContact, locale: Locale, now: number) {
  const { name, phone, sms, hours, time_zone, reply_minutes } = dealer;
  const opening = hours && time_zone ? findOpening(hours, time_zone, now) : null;
  const text = opening && time_zone ? describeOpening(opening, time_zone, now, locale) : '';
  const repliesNow = reply_minutes !== null && opening?.isOpen !== false;
  return {
    name,
    phone,
    sms,
    opening: opening && { isOpen: opening.isOpen, text },
    reply: repliesNow ? describeReply(reply_minutes, locale) : null,
  };
}
