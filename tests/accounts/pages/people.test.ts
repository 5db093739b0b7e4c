import { expect, test } from 'vitest';
import { signedIn } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const PEOPLE = '/dashboard/settings/people';

test('owners invite no more people than an account of their tier may have, also several at once', async () => {
  const account = await service.newAccount({ tier: 'starter' });
  const owner = await signedIn(service, account);
  const invite = (email: string) => owner.post(PEOPLE, 'invite', { email, role: 'owner' });
  const add = `insert into people (id, account_id, email, role)
    select 'per_' || $1 || n, $1, n || '@dealer.example', 'member' from generate_series(1, 47) n`;
  await queryRows(add, [account.id]);
  const several = await Promise.all(['a', 'b', 'c', 'd'].map((name) => invite(`${name}@dealer.example`)));
  expect(several.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
  const refused = several.find(({ status }) => status === 400);
  expect(refused?.text).toContain('at most 50 people');
  const count = 'select count(*)::int as count from people where account_id = $1';
  expect(await queryRows(count, [account.id])).toEqual([{ count: 50 }]);
  const audited = `select action from audit where account_id = $1 and action = 'person.invite' and actor <> 'operator'`;
  expect(await queryRows(audited, [account.id])).toHaveLength(2);
  expect((await invite('1@dealer.example')).status, 'who is there gets another link').toBe(200);
});
