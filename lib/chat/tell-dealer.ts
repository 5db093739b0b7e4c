import { describeHours } from '../domain/dealer/opening-words.ts';
import { toVisitorsDealer } from '../domain/dealer/visitors-dealer.ts';
import type { DealerTopic } from './choice.ts';
import type { Speaker } from './speak.ts';

/** What the dealer's record says of it; empty where it says nothing. */
export function tellDealer(
  topic: DealerTopic,
  { dealer, locale, now }: Pick<Speaker, 'dealer' | 'locale' | 'now'>,
): string {
  const { address, city, state, zip, phone, email, website, hours } = dealer;
  const parts = {
    place: [address, city, [state, zip].filter(Boolean).join(' ')],
    contact: [phone, email, website],
    hours: [toVisitorsDealer(dealer, locale, now).opening?.text, hours && describeHours(hours, locale)],
  };
  return parts[topic].filter(Boolean).join(topic === 'hours' ? ' · ' : ', ');
}
