import { html } from 'hono/html';
import { endpoint } from '../../http/endpoint.ts';
import { mailLink, plainPage, wrongLink } from '../../http/pages/mail-link.ts';
import { confirmAddress, readConfirmationToken } from '../confirm-address.ts';

const shared = mailLink('/api/confirm-address/{token}');
const WHY_WRONG = 'older than 30 days: the next lead’s mail has a new one';

export const getConfirmAddress = endpoint({
  ...shared,
  id: 'getConfirmAddress',
  method: 'GET',
  summary: 'Ask whether an address takes enquiries',
  description: 'The page behind the link in a mail; confirming is one tap on it.',
  async handle({ ctx, params }) {
    const subject = readConfirmationToken(ctx.ports, params.token);
    if (subject === null) throw wrongLink(WHY_WRONG);
    const action = `/api/confirm-address/${params.token}`;
    return plainPage(
      'Confirm this address',
      html`<p>Should enquiries from the dealer’s website be sent to <b>${subject.address}</b>?</p>
<form method="post" action="${action}"><button>Yes, send them here</button></form>
<p>If you know nothing of this, close the page: an unconfirmed address gets only a few mails an hour.</p>`,
    );
  },
});

export const postConfirmAddress = endpoint({
  ...shared,
  id: 'postConfirmAddress',
  method: 'POST',
  summary: 'Confirm that an address takes enquiries',
  async handle({ ctx, params }) {
    if (!(await confirmAddress(ctx.ports, params.token))) throw wrongLink(WHY_WRONG);
    return plainPage('Confirmed', html`<p>Enquiries are sent to this address from now on.</p>`);
  },
});
