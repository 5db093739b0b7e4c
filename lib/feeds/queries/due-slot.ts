/** When a feed `f` of the account `a` is due. */

export const SCHEDULED = 'feeds f join accounts a on a.id = f.account_id';
export const CADENCE = 'greatest(f.cadence_minutes, a.min_feed_cadence_minutes)';

/** SQL for how long ago a feed may have been due to count as in time: crons come late. */
export const LATELY = `now() - make_interval(mins => least(10, ${CADENCE} / 2))`;

/**
 * SQL for when a feed is due once it has waited so many minutes since then: at the whole hour, or at the parts of it that
 * the cadence is made of. Feeds of one cadence are due together, and wake a database that sleeps once for all.
 */
export function dueSlot(since: string, waits = CADENCE) {
  const seconds = `(60 * gcd(${CADENCE}, 60))`;
  return `to_timestamp(ceil(date_part('epoch', ${since} + make_interval(mins => ${waits})) / ${seconds}) * ${seconds})`;
}
