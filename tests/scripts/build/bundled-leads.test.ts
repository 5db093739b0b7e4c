import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOCALHOST_TLS } from '../../fixtures/localhost-tls.ts';
import { readAdf, textAt } from '../../support/oracles/adf.ts';
import { runBundled } from '../../support/processes/bundled-function.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { NO_DETAILS, storedLead } from '../../support/samples/leads.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { startReceiver, verified } from '../../support/servers/webhook-receiver.ts';

/** What leads load lazily (mail, XML, CSV, signatures, phone numbers, bots) has to work from the bundle, too. */

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const folder = await suiteFolder();

const LEAD = storedLead({ name: 'Jane', email: 'jane@visitor.example', message: '=1+1' });
const DEALER = { ...NO_DETAILS, slug: 'a', name: 'A', lead_email: 'crm@dealer.example' };

const SOURCE = `
  import { connect } from '../../lib/connect.ts';
  import { isBot } from '../../lib/leads/spam/is-bot.ts';
  import { safeCsv } from '../../lib/http/safe-csv.ts';
  import { parsePhone } from '../../lib/leads/contacts.ts';
  import { composeLeadMail } from '../../lib/leads/delivery/mail.ts';
  import { postSigned, toLeadEvent } from '../../lib/leads/delivery/webhook.ts';
  const [lead, dealer] = [${JSON.stringify(LEAD)}, ${JSON.stringify(DEALER)}];
  export default async (url) => [
    await connect().mailer.send(await composeLeadMail(connect(), { accountId: 'a', lead, update: 0, dealer }, dealer.lead_email, true), new AbortController().signal) ?? { kind: 'delivered' },
    { kind: (await postSigned(connect(), url, ['${SECRET}'], toLeadEvent(lead, 0))).kind },
    (await safeCsv())([[lead.message]]).startsWith("'=1+1"),
    await parsePhone('(210) 555-0142 x7'),
    [await isBot('Googlebot/2.1'), await isBot('Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36')],
  ];`;

test('a bundled function mails a lead and posts it, signed', async () => {
  const [smtp, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  await writeFile(join(folder, 'ca.pem'), LOCALHOST_TLS.cert);
  const printed = await runBundled({
    file: 'api/cron/due.js',
    source: SOURCE,
    argument: receiver.url,
    env: {
      OUTBOUND_ALLOW: receiver.host,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'leads@trucks.example',
    },
  });
  await Promise.all([smtp.close(), receiver.close()]);
  const outcome = { kind: 'delivered' };
  const phone = { e164: '+12105550142', extension: '7' };
  expect(printed).toBe(JSON.stringify([outcome, outcome, true, phone, [true, false]]));
  expect(textAt(readAdf(smtp.mails[0]?.text?.trim() ?? ''), 'prospect/id')).toBe('lead_1');
  const [call] = receiver.calls;
  expect(call && verified(call, SECRET).data.id).toBe('lead_1');
});
