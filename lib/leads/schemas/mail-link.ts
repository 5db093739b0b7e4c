import * as z from 'zod/mini';
import { about } from '../../truck/json.ts';

/** Of the links in mails, which do their work by a POST. */
export const MailLinkParams = z.object({
  token: about(z.string().check(z.maxLength(1_000)), 'From the link in the mail.'),
});
