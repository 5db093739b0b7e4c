import { expect, test } from 'vitest';
import { checkAccess } from '../../../lib/http/pages/access.ts';
import type { PageEntry } from '../../../lib/http/pages/page.ts';
import { NO_SESSION } from '../../../lib/http/pages/session.ts';

const entry = (role: PageEntry['role']): PageEntry => ({
  path: '/dashboard/x',
  role,
  load: () => Promise.reject(new Error('no page is loaded')),
});

test('the operator is who signed in as such, not every session without a person', () => {
  const nobody = { ...NO_SESSION, id: 'ses_1' };
  const operator = { ...nobody, isOperator: true };
  expect(checkAccess(operator, entry('operator'))).toBeNull();
  for (const role of ['member', 'owner', 'operator'] as const)
    expect(checkAccess(nobody, entry(role))).toBe('sign_in');
});
