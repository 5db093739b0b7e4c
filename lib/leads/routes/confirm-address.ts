import { html } from 'hono/html';
import type { Context } from '../../http/context.ts';
import { endpoint } from '../../http/endpoint.ts';
import { mailLink, plainPage, wrongLink } from '../../http/pages/mail-link.ts';
import { readConfirmationToken } from '../confirm-address.ts';
import { confirmDestination } from '../queries/sends.ts';

const shared = mailLink('/api/confirm-address/{token}');

function readSubject({ ports }: Context, token: string) {
  const subject = readConfirmationToken(ports, token);
  if (subject === null) throw wrongLink('older than 30 days: the next lead’s mail has a new one');
  return subject;
}

export const getConfirmAddress = endpoint({
  ...shared,
  id: 'getConfirmAddress',
  method: 'GET',
  summary: 'Show the page that confirms an address',
  description: 'The page behind the link in a mail; confirming is one tap on it.',
  async handle({ ctx, params: { token } }) {
    const { address } = readSubject(ctx, token);
    return plainPage(
      'Confirm this address',
      html`<p>Should enquiries from the dealer’s website be sent to <b>${address}</b>?</p>
<form method="post" action="/api/confirm-address/${token}"><button>Yes, send them here</button></form>
<p>If this is not for you, close the page: an unconfirmed address gets at most 20 mails an hour.</p>`,
    );
  },
});

export const postConfirmAddress = endpoint({
  ...shared,
  id: 'postConfirmAddress',
  method: 'POST',
  summary: 'Confirm an address for leads',
  async handle({ ctx, params }) {
    const { accountId, address } = readSubject(ctx, params.token);
    await confirmDestination(ctx.ports.db, accountId, address);
    return plainPage('Confirmed', html`<p>Enquiries are sent to this address from now on.</p>`);
  },
});
