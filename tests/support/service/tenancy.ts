import { afterAll, expect } from 'vitest';
import { listUnscoped } from '../postgres/sent-sql.ts';

/** Every statement on a tenant's table names the account. */
afterAll(() => expect(listUnscoped(), 'name account_id, or begin with /* all accounts */').toEqual([]));
