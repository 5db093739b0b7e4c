import { html } from 'hono/html';
import * as z from 'zod/mini';
import { nextPage } from '../../dashboard/parts/links.ts';
import { table } from '../../dashboard/parts/table.ts';
import { empty, moment } from '../../dashboard/parts/text.ts';
import { requireAccount } from '../../http/context.ts';
import { startPage, toPage } from '../../http/keyset.ts';
import { page } from '../../http/pages/page.ts';
import { Cursor } from '../../truck/json.ts';
import { describeAct } from '../acts.ts';
import { type AuditRow, listAudit } from '../queries/audit.ts';

const PAGE_SIZE = 50;

/** Who did what in the account, the newest first. */
export default page({
  query: z.object({ cursor: Cursor }),
  async show({ ctx, query }) {
    const start = startPage({ limit: PAGE_SIZE, cursor: query.cursor }, /^\d{1,15}$/);
    const entries = await listAudit(ctx.ports.db, requireAccount(ctx).id, start);
    const { items: rows, next_cursor } = toPage(entries, PAGE_SIZE, ({ id }) => String(id));
    if (rows.length === 0)
      return {
        title: 'Activity',
        main: empty('Nothing yet', 'What people, keys and the operator do in the account appears here.'),
      };
    return {
      title: 'Activity',
      main: html`${table(
        'Activity of the account',
        ['What', 'Who', 'When', 'Details'],
        rows.map((row) => [describeAct(row.action), actor(row), moment(row.at), details(row)]),
      )}${nextPage('/dashboard/activity', {}, next_cursor)}`,
    };
  },
});

function actor({ actor: id, actor_name }: AuditRow) {
  if (id === 'operator') return 'Operator';
  return html`<bdi>${actor_name ?? 'A former person or key'}</bdi>`;
}

/** Ids of ours say nothing to people. */
const ID = /^[a-z]+_[0-9a-f]{24}$/;

/** By its name, where it has one: what it was about may be gone by now. */
function details({ target, target_name, detail: { name, ...detail } }: AuditRow) {
  const subject = toText(name ?? target_name ?? target);
  const texts = Object.entries(detail).flatMap(([key, value]) =>
    value === null || ID.test(toText(value))
      ? []
      : [
          html`<div class="hint">${key.replaceAll('_', ' ')}: ${key === 'expires_at' ? moment(toText(value)) : toText(value)}</div>`,
        ],
  );
  return html`${ID.test(subject) ? '' : subject}${texts}`;
}

function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
}
