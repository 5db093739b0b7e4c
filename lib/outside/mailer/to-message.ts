import type { Mail } from './mailer.ts';

/** A mail as nodemailer takes it. */
export const toMessage = ({ to, replyTo, subject, text, html, id, unsubscribeUrl }: Mail, from: string) => ({
  from,
  to: { name: '', address: to },
  ...(replyTo === null ? {} : { replyTo: { name: replyTo.name ?? '', address: replyTo.address } }),
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
});

/** Headers by which mail programs offer to end such mails with one click (RFC 8058). */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
