import { audited } from '../accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../http/context.ts';
import type { IssueChoice } from './port.ts';

/** What is not to be listed at all, such as a car: a person takes it off the issues until what is sent of it changes. */

const ACTIONS = { leave_out: true, list_again: false } as const;

/** Throws NOT_FOUND when nothing is as the person saw it. */
export async function markIssues(
  ctx: Context,
  action: keyof typeof ACTIONS,
  choice: IssueChoice,
): Promise<void> {
  const toAct = (trucks: number) => ({
    action: `issue.${action}`,
    target: trucks === 1 ? '1 truck' : `${trucks} trucks`,
    detail: { code: choice.code },
  });
  await audited(ctx, toAct, async (own) => {
    const trucks = await own.ports.issues.of(requireAccount(own).id).setLeftOut(choice, ACTIONS[action]);
    if (trucks === 0) throw notFound('issue');
    return trucks;
  });
}
