import { and, eq, sql } from 'drizzle-orm';
import { people, signInLinks } from '../../../drizzle/schema/people.ts';
import { builder } from '../../db/builder.ts';
import type { Sql } from '../../db/sql.ts';

/** People who sign in to the dashboard, and the browsers they are signed in with. */

export type Person = typeof people.$inferSelect;

/** The people of an account by address. */
export const findPeople = (db: Sql, accountId: string): Promise<Person[]> =>
  builder(db).select().from(people).where(eq(people.account_id, accountId)).orderBy(people.email).limit(500);

/**
 * A new person, with the role given, or the one with this address as it is; null: there are `maxPeople` already, which is
 * null for as many as are wanted.
 */
export async function insertPerson(
  db: Sql,
  accountId: string,
  { id, email, role }: Pick<Person, 'id' | 'email' | 'role'>,
  maxPeople: number | null,
) {
  const [person] = await db.query<Pick<Person, 'id' | 'email' | 'role'> & { hasSignedIn: boolean }>(
    {
      text: `
        insert into people (id, account_id, email, role, alerts)
        select $1, $2, $3, $4, not exists (select 1 from ended_alerts where account_id = $2 and email = $3)
        where $5::int is null or exists (select 1 from people where account_id = $2 and email = $3)
          or (select count(*) from people where account_id = $2) < $5::int
        on conflict (email, account_id) do update set role = people.role
        returning id, email, role, signed_in_at is not null as "hasSignedIn"`,
    },
    [id, accountId, email, role, maxPeople],
  );
  return person ?? null;
}

/** Locks the account's owners, so that of two that remove each other one stays. */
export const lockOwners = (db: Sql, accountId: string) =>
  builder(db)
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.account_id, accountId), eq(people.role, 'owner')))
    .orderBy(people.id)
    .for('update');

/** The person, or nobody. */
export const updateRole = (db: Sql, accountId: string, id: string, role: Person['role']) =>
  builder(db)
    .update(people)
    .set({ role })
    .where(and(eq(people.account_id, accountId), eq(people.id, id)))
    .returning();

/** The person as it was, or nobody; sessions and links go as well. */
export const deletePerson = (db: Sql, accountId: string, id: string) =>
  db.query<Pick<Person, 'email' | 'role'> & { confirmed: boolean }>(
    {
      text: `
        with removed as (
          delete from people where account_id = $1 and id = $2 returning *
        ), ended as (
          insert into ended_alerts (account_id, email) select $1, email from removed where not alerts
          on conflict (account_id, email) do nothing
        )
        select email, role, confirmed_at is not null as confirmed from removed`,
    },
    [accountId, id],
  );

/** A link that signs in once; `personId` null: the operator. */
export const insertLink = (db: Sql, tokenHash: string, personId: string | null, hours: number) =>
  builder(db)
    .insert(signInLinks)
    .values({
      token_hash: tokenHash,
      person_id: personId,
      expires_at: sql`now() + make_interval(hours => ${hours})`,
    });
