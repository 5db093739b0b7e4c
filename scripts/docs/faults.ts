import { createPorts } from '../../lib/connect.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { LockTimeout } from '../../lib/outside/faults.ts';
import type { Ports } from '../../lib/ports.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Something that really breaks for the time of one call. Returns how to mend it. */
type Fault = (rehearsal: Rehearsal) => Promise<() => Promise<void>>;

/** Ports in place of those in use; returns how to put these back. */
function replacePorts(rehearsal: Rehearsal, broken: Partial<Ports>): () => Promise<void> {
  const { ports } = rehearsal;
  rehearsal.ports = { ...ports, ...broken };
  return async () => {
    rehearsal.ports = ports;
  };
}

/** No database listens where the service looks for it. */
const databaseGone: Fault = async (rehearsal) => {
  const absentDatabase = openPg({ url: 'postgres://nobody@127.0.0.1:1/gone' });
  const { clock, limiter } = rehearsal.ports;
  const mend = replacePorts(rehearsal, { ...createPorts(rehearsal.env, absentDatabase), clock, limiter });
  return async () => {
    await mend();
    await absentDatabase.close();
  };
};

const geocoderBroken: Fault = async (rehearsal) =>
  replacePorts(rehearsal, { geocoder: { locate: () => Promise.reject(new Error('no geocoder')) } });

/** The search table refuses every row. */
const searchTableBroken: Fault = async ({ sql }) => {
  await sql.query({
    text: `create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = 'check_violation'; end $$`,
  });
  await sql.query({
    text: 'create trigger refuse before insert on listing_search for each row execute function refuse()',
  });
  return async () => {
    await sql.query({ text: 'drop trigger refuse on listing_search' });
    await sql.query({ text: 'drop function refuse()' });
  };
};

/** Another writer inserts every listing first, and its lock is never released. */
const rowHeld: Fault = async (rehearsal) => {
  const { db } = rehearsal.ports;
  return replacePorts(rehearsal, {
    db: {
      ...db,
      query: async (statement, values) =>
        statement.text.includes('insert into listings ') ? [] : db.query(statement, values),
      transaction: () => Promise.reject(new LockTimeout()),
    },
  });
};

export const FAULTS = { databaseGone, geocoderBroken, searchTableBroken, rowHeld } as const;
export type FaultName = keyof typeof FAULTS;
