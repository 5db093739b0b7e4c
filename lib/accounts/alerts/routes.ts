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
      html`<p>We write at most once a day, when a feed, a lead or a truck of yours needs attention.</p>
<form method="post" action="/api/alerts-off/${params.token}"><button>Stop these mails</button></form>
<p>Your dashboard shows all that needs attention.</p>`,
    );
  },
});

export const postAlertsOff = endpoint({
  ...shared,
  id: 'postAlertsOff',
  method: 'POST',
  summary: 'End the mails to an owner',
  description: 'Mail programs also call it for one-click unsubscribe (RFC 8058).',
  async handle({ ctx, params }) {
    if (!(await turnAlertsOff(ctx.ports, params.token))) throw wrongLink(WHY_WRONG);
    return plainPage(
      'Done',
      html`<p>You no longer get these mails. You can turn them on again in the dashboard: Settings, People.</p>`,
    );
  },
});
