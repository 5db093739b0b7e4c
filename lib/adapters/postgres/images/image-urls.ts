/** How long a dead image stays dead before a post that names it anew has it fetched again. */
export const DEAD_FOR = '24 hours';

/** Whom an image is fetched from, port included: at most a few at a time from each. */
export function parseHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

/** Most listings that are noted as waiting for one image: a placeholder that every truck of an import names. */
const MAX_WAITING = 10_000;
const REQUEUED = Object.entries({
  reason: 'null',
  attempts: '0',
  claims: '0',
  due_at: 'excluded.due_at',
  updated_at: 'excluded.updated_at',
  waiting: 'excluded.waiting',
});
const NOTED = `case when coalesce(cardinality(s.waiting), 0) < ${MAX_WAITING} then s.waiting || excluded.waiting else s.waiting end`;

/** Of an insert into `image_sources as s`: one that is pending gets more listings, a dead one another try. */
export const WAIT_FOR_IMAGE = `on conflict (account_id, url_hash) do update set status = 'pending', ${REQUEUED.map(
  ([column, value]) =>
    `${column} = case when s.status = 'failed' then ${value} else ${column === 'waiting' ? NOTED : `s.${column}`} end`,
).join(', ')}
        where s.status = 'pending' or s.status = 'failed' and excluded.updated_at - s.updated_at > interval '${DEAD_FOR}'`;
