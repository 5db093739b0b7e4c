import type { Context } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { newId } from '../../outside/new-id.ts';
import type { Ports } from '../../outside/ports.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { quote } from '../../truck/text/quote.ts';
import type { Role } from '../access.ts';
import { invitePerson } from './people.ts';

/** An account writes to so many people whom it does not know yet. */
const INVITATIONS: Quota = { name: 'invitations', limit: 20, windowSeconds: 3_600 };
/** Invitations that a mailbox is sent, whoever invites it. */
const TO_MAILBOX: Quota = { name: 'invitations-to-mailbox', limit: 5, windowSeconds: 3_600 };
const TIMEOUT_MS = 20_000;

/** Invites a person, and mails the link where there is a mail server; `isMailed` says whether. */
export async function inviteByMail(
  ctx: Context,
  accountId: string,
  who: { email: string; role: Role; accountName: string },
) {
  const { ports } = ctx;
  const invited = await invitePerson(ctx, accountId, who);
  const canMail = ports.settings.mail !== 'none' && ports.settings.publicUrl !== null;
  const isMailed =
    canMail &&
    (await ports.limiter.take(INVITATIONS, accountId)).allowed &&
    (await ports.limiter.take(TO_MAILBOX, hashSecret(toMailbox(who.email)))).allowed;
  if (isMailed) ctx.after((later) => mailInvitation(later, who, invited.url));
  return { ...invited, isMailed };
}

async function mailInvitation(
  ports: Pick<Ports, 'mailer' | 'random'>,
  { email, accountName }: { email: string; accountName: string },
  url: string,
): Promise<void> {
  const text = [
    `You are invited to the truck inventory of ${quote(accountName)}.`,
    '',
    'Open this link and press the button. It signs you in once, and works for a week:',
    url,
    '',
    'Later you sign in with your address and a code that we mail you.',
    'If you do not know what this is about, do nothing.',
    '',
  ].join('\n');
  const subject = 'You are invited to a truck inventory';
  const mail = { to: email, replyTo: null, subject, text, id: newId(ports, 'invitation') };
  await ports.mailer.send(mail, AbortSignal.timeout(TIMEOUT_MS));
}
