import { toTable } from '../truck/text/table.ts';

/** What people and keys do in an account, in words: of its activity, and of mails to its owners. */
const ACTS: Readonly<Record<string, string>> = toTable({
  'account.create': 'Account created',
  'account.change': 'Account changed',
  'key.create': 'Key created',
  'key.change': 'Key changed',
  'key.rotate': 'Key rotated',
  'key.revoke': 'Key revoked',
  'person.invite': 'Person invited',
  'person.change': 'Role changed',
  'person.remove': 'Person removed',
  'person.sign_in': 'Signed in',
  'session.end': 'Browser signed out',
  'dealer.change': 'Dealer changed',
  'dealer.change_leads': 'Delivery of leads changed',
  'dealer.create': 'Dealer added',
  'dealer.create_leads': 'Dealer with delivery of leads added',
  'dealer.remove': 'Dealer removed',
  'dealer.remove_leads': 'Dealer with delivery of leads removed',
  'feed.create': 'Feed added',
  'feed.change': 'Feed changed',
  'feed.remove': 'Feed removed',
  'feed.run': 'Feed run started',
  'feed.release': 'Held run released',
  'feed.refuse': 'Held run refused',
  'listing.sold': 'Trucks marked sold',
  'listing.delisted': 'Trucks delisted',
  'listing.available': 'Trucks made available again',
  'listing.erase': 'Truck erased',
  'file.upload': 'File uploaded',
  'issue.leave_out': 'Trucks left out of the issues',
  'issue.list_again': 'Trucks put back among the issues',
  'lead.change': 'Lead status changed',
  'lead.retry': 'Lead sent again',
  'lead.erase': 'Lead erased',
  'lead.export': 'Leads saved as a file',
  'operator.enter': 'Operator opened the account',
  'operator.leave': 'Operator left the account',
  'account.export': 'Account exported',
  'account.erase': 'Erasure in 7 days requested',
  'account.keep': 'Erasure undone',
});

/** An act without words here has its name. */
export const describeAct = (action: string): string => ACTS[action] ?? action;

/** What the other owners get a mail about. */
export const MAILED_ACTS: ReadonlySet<string> = new Set([
  'person.invite',
  'person.change',
  'person.remove',
  'key.create',
  'key.rotate',
  'key.revoke',
  'dealer.create_leads',
  'dealer.change_leads',
  'dealer.remove_leads',
  'account.export',
  'account.erase',
  'account.keep',
]);
