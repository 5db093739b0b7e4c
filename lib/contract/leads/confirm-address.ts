import * as z from 'zod/mini';
import { about } from '../json.ts';

export const ConfirmAddressQuery = z.object({
  token: about(z.string().check(z.maxLength(1_000)), 'From the link in the mail.'),
});
