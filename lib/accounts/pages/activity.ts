import { html } from 'hono/html';
import * as z from 'zod/mini';
import { table } from '../../dashboard/parts/table.ts';
import { empty, moment } from '../../dashboard/parts/text.ts';
import { requireAccount } from '../../http/context.ts';
import { startPage, toPage } from '../../http/page.ts';
import { page } from '../../http/pages/page.ts';
import { Cursor } from '../../truck/json.ts';
import { toTable } from '../../truck/text/table.ts';
import { type AuditRow, listAudit } from '../queries/audit.ts';

const PAGE_SIZE = 50;

/** Who did what in the account, the newest first. */
export const activity = page({
  query: z.object({ cursor: Cursor }),
  async show({ ctx, query }) {
    const start = startPage({ limit: PAGE_SIZE, cursor: query.cursor }, /^\d{1,15}$/);
    const found = await listAudit(ctx.ports.db, requireAccount(ctx).id, start);
    const { items: rows, next_cursor } = toPage(found, PAGE_SIZE, ({ id }) => String(id));
    if (rows.length === 0)
      return {
        title: 'Activity',
        main: empty(
          'Nothing yet',
          'Changes of keys, people, dealers and feeds, uploads and what is done with leads appear here.',
        ),
      };
    return {
      title: 'Activity',
      main: html`${table(
        'Activity of the account',
        ['What', 'Who', 'When', 'Details'],
        rows.map((row) => [describeAction(row.action), actor(row), moment(row.at), details(row)]),
      )}${next_cursor ? html`<p><a class="button" href="?cursor=${next_cursor}">Older</a></p>` : ''}`,
    };
  },
});

const ACTIONS: Readonly<Record<string, string>> = toTable({
  'account.create': 'Account created',
  'account.change': 'Account changed',
  'key.create': 'Key created',
  'key.change': 'Key changed',
  'key.rotate': 'Key rotated',
  'key.revoke': 'Key revoked',
  'person.invite': 'Person invited',
  'person.change': 'Role changed',
  'person.remove': 'Person removed',
  'person.sign_in': 'Signed in',
  'session.end': 'Browser signed out',
  'link.create': 'Sign-in link created',
  'dealer.change': 'Dealer changed',
  'dealer.change_leads': 'Delivery of leads changed',
  'dealer.create': 'Dealer added',
  'dealer.create_leads': 'Dealer with delivery of leads added',
  'dealer.remove': 'Dealer removed',
  'dealer.remove_leads': 'Dealer with delivery of leads removed',
  'feed.create': 'Feed added',
  'feed.change': 'Feed changed',
  'feed.pause': 'Feed paused',
  'feed.resume': 'Feed resumed',
  'feed.remove': 'Feed removed',
  'feed.run': 'Feed run by hand',
  'feed.release': 'Trucks missing from a feed taken off',
  'listing.sold': 'Trucks marked sold',
  'listing.delisted': 'Trucks delisted',
  'listing.available': 'Trucks made available again',
  'file.upload': 'File uploaded',
  'issue.leave_out': 'Trucks left out of the issues',
  'issue.list_again': 'Trucks put back among the issues',
  'lead.change': 'State of a lead changed',
  'lead.retry': 'Lead sent again',
  'lead.erase': 'Lead erased',
  'lead.export': 'Leads saved as a file',
  'listing.erase': 'Truck erased',
  'operator.enter': 'Operator opened the account',
  'operator.leave': 'Operator left the account',
  'account.export': 'Account exported',
  'account.erase': 'Erasure asked for',
  'account.keep': 'Erasure undone',
});

/** `account.erase` → Account erase: what has no sentence of its own here. */
const describeAction = (action: string) =>
  ACTIONS[action] ?? action.charAt(0).toUpperCase() + action.slice(1).replaceAll(/[._]/g, ' ');

function actor({ actor: id, actor_name }: AuditRow) {
  if (actor_name !== null) return actor_name;
  if (id === 'operator') return 'Operator';
  return id.startsWith('key_') ? 'An API key' : 'A former person of the account';
}

/** Of the details, what people know by these names. */
const DETAILS: Readonly<Record<string, string>> = toTable({
  role: 'role',
  tier: 'tier',
  kind: 'kind',
  allowed_origins: 'sites',
  fields: 'fields',
  vins: 'VINs',
  status: 'status',
  delisted: 'taken off',
  overlap_hours: 'old key works for hours',
  suspended: 'suspended',
  email: 'e-mail',
  browser: 'browser',
  rows: 'rows',
  created: 'new',
  merged: 'changed',
  rejected: 'rejected',
});
/** Ids of ours say nothing to people. */
const ID = /^[a-z]+_[0-9a-f]{24}$/;

/** By its name, where it has one: what it was about may be gone by now. */
function details({ target, target_name, detail }: AuditRow) {
  const name = detail.name ?? target_name ?? (ID.test(target) ? '' : target);
  const shown = Object.entries(detail).filter(([name, value]) => value !== null && name in DETAILS);
  const text = shown.map(([name, value]) => `${DETAILS[name]}: ${toText(value)}`).join('; ');
  return html`${toText(name)}${text ? html` <small>${text}</small>` : ''}`;
}

const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(', ') || 'none'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
