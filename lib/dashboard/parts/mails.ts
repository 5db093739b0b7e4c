import { html } from 'hono/html';
import type { inviteByMail } from '../../accounts/people/invite.ts';
import type { Context } from '../../http/context.ts';
import type { Html } from '../../http/pages/page.ts';
import { copyable, moment } from './text.ts';

/** What pages say of mails that were sent. */

/** On a machine without a mail server, never in production: where the mail lies. */
export function outboxNote({ ports }: Context): Html | string {
  const { mail } = ports.settings;
  if (typeof mail === 'string') return '';
  return html`<p class="hint">No mail server is set up on this machine: the mail is a file in <code>${mail.folder}</code>.</p>`;
}

/** The link of an invitation, and how it reaches the person. */
export function invitationLink(
  ctx: Context,
  { url, expires_at, person, isMailed }: Awaited<ReturnType<typeof inviteByMail>>,
): Html {
  const isSent = isMailed && ctx.ports.settings.mail === 'smtp';
  return html`<p>${isSent ? html`The invitation to ${person.email} is on its way by mail. You may also hand over this link.` : html`Hand this link to ${person.email}.`} It signs in once, until ${moment(expires_at)}, and is shown only now.</p>
${copyable(url, 'link')}${isMailed && outboxNote(ctx)}`;
}
