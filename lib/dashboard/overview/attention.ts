import { html } from 'hono/html';
import type { Attention } from '../../accounts/queries/overview.ts';
import type { Html } from '../../http/pages/page.ts';
import { describeReject } from '../parts/reject-reasons.ts';
import { ago, count, moment, number, type Tone } from '../parts/text.ts';

interface Item {
  tone: Tone;
  what: Html | string;
  why: Html | string;
  path?: string;
  act?: string;
}

/** What needs the seller, the most urgent first. */
export function findTasks(found: Attention, nowMs: number): Item[] {
  return [...leadTasks(found, nowMs), ...feedTasks(found), ...stockTasks(found), ...keyTasks(found)];
}

export function taskList(tasks: readonly Item[]): Html {
  return html`<ul class="tasks">${tasks.map(
    ({
      tone,
      what,
      why,
      path,
      act,
    }) => html`<li class="${tone}"><div><strong>${what}</strong><p>${why}</p></div>
${path ? html`<a class="button" href="${path}">${act}</a>` : ''}</li>`,
  )}</ul>`;
}

function leadTasks({ new_leads, oldest_lead_at, undelivered }: Attention, nowMs: number): Item[] {
  const unanswered: Item = {
    tone: 'bad',
    what: `${count(new_leads, 'lead')} not answered yet`,
    path: '/dashboard/leads',
    act: 'Answer',
    why: oldest_lead_at === null ? '' : html`The oldest is from ${ago(oldest_lead_at, nowMs)}.`,
  };
  const lost: Item = {
    tone: 'bad',
    what: `${count(undelivered, 'lead')} could not be delivered`,
    path: '/dashboard/leads',
    act: 'See why',
    why: 'The dealer’s mailbox or system refused it, and we stopped trying. The lead itself is here.',
  };
  return [...(new_leads > 0 ? [unanswered] : []), ...(undelivered > 0 ? [lost] : [])];
}

function feedTasks({ held_feeds, failing_feeds }: Attention): Item[] {
  const held = held_feeds.map<Item>(({ id, name, run }) => ({
    tone: 'warn',
    what: `The feed ${name} needs your OK`,
    path: `/dashboard/feeds/${id}/runs/${run}`,
    act: 'Review the trucks',
    why: 'Its last file would take many trucks off the list. Nothing is taken off until you agree.',
  }));
  const failing = failing_feeds.map<Item>(({ id, name, run }) => ({
    tone: 'bad',
    what: `The feed ${name} fails`,
    act: 'See why',
    path: `/dashboard/feeds/${id}/runs/${run}`,
    why: 'Its last run ended with an error. The trucks stay as they were.',
  }));
  return [...held, ...failing];
}

function stockTasks({
  issues,
  not_listed,
  without_dealer,
  without_images,
  without_price,
}: Attention): Item[] {
  const rejected = issues.map<Item>(({ code, trucks }) => ({
    tone: 'warn',
    what: `${count(trucks, 'truck')} not listed: ${describeReject(code).title}`,
    why: describeReject(code).why,
    path: `/dashboard/issues?code=${code}`,
    act: 'Show them',
  }));
  const bare: Item = {
    tone: 'plain',
    what: `${number(without_images)} listed without a photo`,
    path: '/dashboard/inventory?has_images=false',
    act: 'Show them',
    why: 'Buyers pass over trucks that they cannot see.',
  };
  const priceless: Item = {
    tone: 'plain',
    what: `${number(without_price)} listed without a price`,
    path: '/dashboard/inventory?has_price=false',
    act: 'Show them',
    why: 'They are shown as “call for price”.',
  };
  const further = not_listed.codes - issues.length;
  const others: Item = {
    tone: 'warn',
    what: `And ${count(further, 'more kind')} of issues`,
    why: '',
    path: '/dashboard/issues',
    act: 'Show all',
  };
  if (further > 0) rejected.push(others);
  const ownerless: Item = {
    tone: 'warn',
    what: `${count(without_dealer, 'truck')} of no dealer`,
    act: 'See the dealers',
    path: '/dashboard/settings/dealers',
    why: 'They are in no widget. Add the dealer if it is not there yet, then send or upload the trucks again.',
  };
  return [
    ...rejected,
    ...(without_dealer > 0 ? [ownerless] : []),
    ...(without_images > 0 ? [bare] : []),
    ...(without_price > 0 ? [priceless] : []),
  ];
}

function keyTasks({ ending_keys }: Attention): Item[] {
  return ending_keys.map<Item>(({ id, name, prefix, expires_at }) => ({
    tone: 'warn',
    what: `The key ${name ?? `${prefix}…`} expires soon`,
    path: `/dashboard/settings/keys/${id}`,
    act: 'Open it',
    why: html`It works until ${moment(expires_at)}. Whatever uses it needs a new one by then.`,
  }));
}
