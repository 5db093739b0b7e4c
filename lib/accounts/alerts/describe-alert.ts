import { quote } from '../../truck/text/quote.ts';
import { cleanLine, cut } from '../../truck/text/text.ts';
import type { Attention } from '../queries/overview.ts';
import type { AlertKind } from './kinds.ts';

/** What a mail to the owners says. What sellers wrote is quoted in its text, and never in its subject. */

export interface AlertText {
  subject: string;
  lines: string[];
  /** The page that shows it. */
  path: string;
}

/** Null: whatever it was about has passed. */
export function describeAlert(kind: AlertKind, found: Attention): AlertText | null {
  return DESCRIBE[kind](found);
}

const DESCRIBE: Readonly<Record<AlertKind, (found: Attention) => AlertText | null>> = {
  feed({ held_feeds, failing_feeds }) {
    const feeds = [...held_feeds, ...failing_feeds];
    const [first] = feeds;
    if (first === undefined) return null;
    const one = held_feeds.length > 0 ? 'A feed needs your OK' : 'A feed failed';
    return {
      subject: feeds.length === 1 ? one : `${feeds.length} feeds need you`,
      lines: [
        ...held_feeds.map(
          ({ name }) =>
            `${quote(name)}: its last file would take many trucks off your list. Nothing is taken off until you agree.`,
        ),
        ...failing_feeds.map(
          ({ name }) => `${quote(name)}: the last run failed. Your trucks stay listed as they were.`,
        ),
      ],
      path: feeds.length === 1 ? `/dashboard/feeds/${first.id}/runs/${first.run}` : '/dashboard/feeds',
    };
  },
  lead({ undelivered }) {
    if (undelivered === 0) return null;
    const leads = undelivered === 1 ? '1 lead' : `${undelivered} leads`;
    return {
      subject: `${leads} could not be delivered`,
      lines: [
        `${leads} could not be sent to your dealer’s mailbox or system, and we stopped trying.`,
        'Nothing is lost: you can read and answer them in your dashboard, and send them again.',
      ],
      path: '/dashboard/leads',
    };
  },
  issues({ issues, not_listed: { trucks } }) {
    if (trucks === 0) return null;
    const subject = trucks === 1 ? '1 truck is not listed' : `${trucks} trucks are not listed`;
    return {
      subject,
      lines: [
        `${subject} because something in their data is missing or wrong. For example:`,
        ...issues.slice(0, 3).map(({ fix, trucks: some }) => `- ${some} × ${cut(cleanLine(fix), 200)}`),
      ],
      path: '/dashboard/issues',
    };
  },
};
