/** SQL for how long ago a feed may have been due to count as in time: crons come late. */
export const lately = (minutes: string): string => `now() - make_interval(mins => least(10, ${minutes} / 2))`;

/**
 * SQL for when a feed that is pulled every so many `minutes` is due once it has waited since then: at the whole hour, or at
 * the parts of it that the cadence is made of. Feeds of one cadence are due together, and wake a database that sleeps once
 * for all.
 */
export function dueSlot(since: string, waits: string, minutes: string): string {
  const seconds = `(60 * gcd(${minutes}, 60))`;
  return `to_timestamp(ceil(date_part('epoch', ${since} + make_interval(mins => ${waits})) / ${seconds}) * ${seconds})`;
}
