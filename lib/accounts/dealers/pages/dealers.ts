import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm } from '../../../dashboard/parts/form.ts';
import { nextPage } from '../../../dashboard/parts/links.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { badge, empty } from '../../../dashboard/parts/text.ts';
import { invalid, requireAccount } from '../../../http/context.ts';
import { page } from '../../../http/pages/page.ts';
import { Cursor } from '../../../truck/json.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { listDealers } from '../dealers.ts';
import { findDealer } from '../find-dealer.ts';
import { saveDealer } from '../save-dealer.ts';
import { DealerCreate, Slug, toSlug } from '../schemas.ts';

const NewDealer = z.object({ name: DealerCreate.shape.name, slug: z.optional(Slug) });

/** The dealers of the account. */
export default page({
  notices: { removed: 'The dealer is removed.' },
  query: z.object({ cursor: Cursor }),
  async show(call) {
    const { dealers, next_cursor } = await listDealers(call.ctx, { limit: 200, cursor: call.query.cursor });
    const list = table(
      'Dealers',
      ['Dealer', 'Place', 'Phone', 'Leads go to'],
      dealers.map(({ slug, name, city, state, phone, lead_email, lead_webhook_url }) => [
        html`<a href="/dashboard/settings/dealers/${slug}">${name}</a><br><code>${slug}</code>`,
        [city, state].filter(Boolean).join(', ') || '–',
        phone ?? '–',
        [lead_email, lead_webhook_url && 'a webhook'].filter(Boolean).join(', ') || badge('nowhere', 'warn'),
      ]),
    );
    return {
      title: 'Dealers',
      main: html`${settingsTabs(call.session, '/dashboard/settings/dealers')}
${dealers.length === 0 ? empty('No dealer yet', 'A dealer is a place that sells trucks. Its name, phone and hours stand in the widget, and leads go to it.') : list}
${nextPage('/dashboard/settings/dealers', {}, next_cursor)}
<section><h2>Add a dealer</h2>${actionForm(call, fields(call, { schema: NewDealer }, ['name', 'slug']), 'create', 'Add it')}</section>`,
    };
  },
  actions: {
    create: {
      form: NewDealer,
      async run({ ctx, form: { name, slug: formSlug } }) {
        const slug = formSlug ?? toSlug(name);
        if (slug === '') throw invalid('slug', 'cannot be made from this name: type one');
        if (await findDealer(ctx.ports.db, requireAccount(ctx).id, slug))
          throw invalid('slug', 'is taken: choose another');
        await saveDealer(ctx, { slug, name });
        return { to: `/dashboard/settings/dealers/${slug}`, done: 'created' };
      },
    },
  },
});
