import { createPorts } from '../../lib/connect.ts';
import { openPg } from '../../lib/db/connection/pool.ts';
import { LockTimeout } from '../../lib/outside/faults.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Something that really breaks for the time of one call. Answers how to mend it. */
export type Fault = (rehearsal: Rehearsal) => Promise<() => Promise<void>>;

/** No database listens where the service looks for it. */
export const databaseGone: Fault = async (rehearsal) => {
  const sound = rehearsal.ports;
  const gone = openPg({ url: 'postgres://nobody@127.0.0.1:1/gone' });
  rehearsal.ports = { ...createPorts(rehearsal.env, gone), clock: sound.clock, limiter: sound.limiter };
  return async () => {
    rehearsal.ports = sound;
    await gone.close();
  };
};

export const geocoderBroken: Fault = async (rehearsal) => {
  const sound = rehearsal.ports;
  rehearsal.ports = { ...sound, geocoder: { locate: () => Promise.reject(new Error('no geocoder')) } };
  return async () => {
    rehearsal.ports = sound;
  };
};

/** The search table refuses every row. */
export const searchTableBroken: Fault = async ({ sql }) => {
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

/** Another writer wins every race and never lets go of the row. */
export const rowHeld: Fault = async (rehearsal) => {
  const sound = rehearsal.ports;
  const { db } = sound;
  rehearsal.ports = {
    ...sound,
    db: {
      ...db,
      query: async (statement, values) =>
        statement.text.includes('insert into listings ') ? [] : db.query(statement, values),
      transaction: () => Promise.reject(new LockTimeout()),
    },
  };
  return async () => {
    rehearsal.ports = sound;
  };
};
