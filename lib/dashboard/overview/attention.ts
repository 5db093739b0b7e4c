import type { AlertKind } from '../../accounts/alerts/kinds.ts';
import type { Attention } from '../../accounts/overview.ts';
import { UPLOAD_FEED } from '../../feeds/feed.ts';
import { quote } from '../../truck/text/text.ts';
import { describeReject } from '../parts/reject-reasons.ts';
import { count, type Tone } from '../parts/text.ts';

/** What needs the seller: shown on the overview, and mailed to the owners where it is of an `alert`. */
export interface Task {
  alert?: AlertKind;
  /** Of how many things: 0 is no task. */
  of: number;
  tone: Tone;
  what: string;
  why: string;
  /** Shown at the end of `why`. */
  deadline?: string;
  path: string;
}

const HELD = 'Its file lacks too many trucks. Nothing is delisted until you agree.';
const FAILED = 'Its last run ended with an error. It delists nothing more.';
const REFUSED = 'We could not deliver them, and stopped trying. Answer them here.';
const IN_NO_WIDGET =
  'They are in no widget. Add the dealer if it is not there yet, then send or upload the trucks again.';

/** The most urgent first. */
export function findTasks(attention: Attention): Task[] {
  const { new_leads, undelivered, without_dealer, without_images, without_price } = attention;
  const feedTask =
    (tone: Tone, words: string, advice: string) =>
    ({ id, name, run }: Attention['held_feeds'][number]): Task => {
      const task = { of: 1, tone, why: advice, path: `/dashboard/feeds/${id}/runs/${run}` };
      if (id === UPLOAD_FEED) return { ...task, what: `An upload ${words}` };
      return { ...task, alert: 'feed', what: `The feed ${quote(name)} ${words}` };
    };
  const tasks: Task[] = [
    {
      of: new_leads,
      tone: 'bad',
      what: `${count(new_leads, 'lead')} not answered yet`,
      why: 'Who answers first sells.',
      path: '/dashboard/leads?status=new',
    },
    {
      alert: 'lead',
      of: undelivered,
      tone: 'bad',
      what: `${count(undelivered, 'lead')} could not be delivered`,
      why: REFUSED,
      path: '/dashboard/leads?status=new',
    },
    {
      of: attention.dealers_without_delivery,
      tone: 'warn',
      what: `Leads of ${count(attention.dealers_without_delivery, 'dealer')} are sent nowhere`,
      why: 'Set an address or a webhook for leads. Until then they are only in the dashboard.',
      path: '/dashboard/settings/dealers',
    },
    ...attention.held_feeds.map(feedTask('warn', 'is held', HELD)),
    ...attention.failing_feeds.map(feedTask('bad', 'failed', FAILED)),
    ...attention.issues.map(({ code, trucks }): Task => {
      const title = `${count(trucks, 'truck')} rejected: ${describeReject(code)}`;
      return {
        alert: 'issues',
        of: trucks,
        tone: 'warn',
        what: title,
        why: '',
        path: `/dashboard/issues?code=${code}`,
      };
    }),
    {
      of: without_dealer,
      tone: 'warn',
      what: `${count(without_dealer, 'truck')} without a dealer`,
      why: IN_NO_WIDGET,
      path: '/dashboard/settings/dealers',
    },
    {
      of: without_images,
      tone: 'plain',
      what: `${count(without_images, 'truck')} listed without a photo`,
      why: 'Buyers pass over trucks that they cannot see.',
      path: '/dashboard/inventory?has_images=false',
    },
    {
      of: without_price,
      tone: 'plain',
      what: `${count(without_price, 'truck')} listed without a price`,
      why: 'They are shown as “call for price”.',
      path: '/dashboard/inventory?has_price=false',
    },
    ...attention.ending_keys.map(
      ({ id, name, prefix, expires_at }): Task => ({
        of: 1,
        tone: 'warn',
        what: `The key ${name ?? `${prefix}…`} expires soon`,
        why: 'Whatever uses it needs a new one by',
        deadline: expires_at,
        path: `/dashboard/settings/keys/${id}`,
      }),
    ),
  ];
  return tasks.filter(({ of }) => of > 0);
}
