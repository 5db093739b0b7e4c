import { html } from 'hono/html';
import { endpoint } from '../../http/endpoint.ts';
import { mailLink, plainPage, wrongLink } from '../../http/pages/mail-link.ts';
import { isAlertsOffToken, turnAlertsOff } from './alert-links.ts';

const shared = mailLink('/api/alerts-off/{token}');
const WHY_WRONG = 'its person has left the account';

export const getAlertsOff = endpoint({
  ...shared,
  id: 'getAlertsOff',
  method: 'GET',
  summary: 'Show the page that ends an owner’s mails',
  description: 'The page behind the link in a mail to an owner; ending the mails is one tap on it.',
  async handle({ ctx, params }) {
    if (!isAlertsOffToken(ctx.ports, params.token)) throw wrongLink(WHY_WRONG);
    return plainPage(
      'No more mails?',
      html`<p>We write to you at most once a day, when a feed, a lead or a truck of yours needs you.</p>
<form method="post" action="/api/alerts-off/${params.token}"><button>Send me no such mails</button></form>
<p>What needs you always stands in your dashboard.</p>`,
    );
  },
});

export const postAlertsOff = endpoint({
  ...shared,
  id: 'postAlertsOff',
  method: 'POST',
  summary: 'End the mails to an owner',
  description: 'Also what mail programs call whose user unsubscribes (RFC 8058).',
  async handle({ ctx, params }) {
    if (!(await turnAlertsOff(ctx.ports, params.token))) throw wrongLink(WHY_WRONG);
    return plainPage(
      'Done',
      html`<p>You get no such mails any more. You can turn them on again in the dashboard: Settings, People.</p>`,
    );
  },
});
