/** SQL for the other enabled feeds of account $1 that have the truck `hash`, or miss it less often than they may. */
export const elsewhere = (hash: string, feed: string) => `
      select f.id as feed_id, o.run_no from feed_members o join feeds f on f.account_id = $1 and f.id = o.feed_id
      where o.account_id = $1 and o.dedup_hash = ${hash} and o.feed_id <> ${feed} and f.enabled
        and (o.part is not null or o.misses < f.misses_before_delist)`;
