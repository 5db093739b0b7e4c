import { type Mailer, MailFailure } from '../../ports/leads.ts';

/** No mail server: leads that should go by mail wait, and say so. */
export function absentMailer(): Mailer {
  return {
    send: async () => {
      throw new MailFailure('smtp_not_configured');
    },
  };
}
