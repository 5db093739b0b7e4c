import { MailLinkQuery } from '../../contract/leads/mail-link.ts';
import { ApiError } from '../../errors.ts';
import { HTML } from './plain-page.ts';

/** What both methods of a link in a mail share: GET asks and only POST acts, because programs that check mails follow links. */
export const mailLink = <Path extends string>(path: Path) =>
  ({
    path,
    tag: 'Platform',
    guard: 'anyone',
    query: MailLinkQuery,
    errors: ['INVALID_PARAMS'],
    media: [HTML],
    answers: { 200: null },
  }) as const;

export function wrongLink(why: string): ApiError {
  return new ApiError('INVALID_PARAMS', `This link is not one of ours, or ${why}.`, {
    details: { field: 'token', reason: 'unknown_token' },
  });
}
