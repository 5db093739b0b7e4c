import { type Mailer, MailFailure } from './mailer.ts';

/** No mail server: leads that should go by mail wait, and say so. */
export function absentMailer(): Mailer {
  const refuse = async () => {
    throw new MailFailure('smtp_not_configured');
  };
  return { send: refuse, ping: refuse };
}
