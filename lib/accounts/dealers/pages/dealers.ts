import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, field } from '../../../dashboard/parts/form.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { badge, empty } from '../../../dashboard/parts/text.ts';
import { invalid } from '../../../http/context.ts';
import { page } from '../../../http/pages/page.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { addDealer, listDealers } from '../dealers.ts';
import { toSlug } from '../profile/slug.ts';
import { Slug } from '../schemas.ts';

/** The dealers of the account. */
export const dealers = page({
  notices: { removed: 'The dealer is removed.' },
  async show(call) {
    const found = (await listDealers(call.ctx, { limit: 200 })).dealers;
    const list = table(
      'Dealers',
      ['Dealer', 'Place', 'Phone', 'Leads go to'],
      found.map(({ slug, name, city, state, phone, lead_email, lead_webhook_url }) => [
        html`<a href="/dashboard/settings/dealers/${slug}">${name}</a><br><code>${slug}</code>`,
        [city, state].filter(Boolean).join(', ') || '–',
        phone ?? '–',
        [lead_email, lead_webhook_url && 'a webhook'].filter(Boolean).join(', ') || badge('nowhere', 'warn'),
      ]),
    );
    return {
      title: 'Dealers',
      main: html`${settingsTabs(call.session, '/dashboard/settings/dealers')}
${found.length === 0 ? empty('No dealer yet', 'A dealer is a place that sells trucks. Its name, phone and hours stand in the widget, and leads go to it.') : list}
<section><h2>Add a dealer</h2><form method="post" class="card">
${field(call, { name: 'name', label: 'Name', isRequired: true, maxLength: 200 })}
${field(call, { name: 'slug', label: 'Short name', hint: 'Lower case, digits and hyphens; made from the name if you leave it empty. Files and the widget’s tag name the dealer by it; it cannot be changed.', placeholder: 'lone-star-trucks', maxLength: 64 })}
${button('create', 'Add it', { look: 'primary' })}</form></section>`,
    };
  },
  actions: {
    create: {
      form: z.object({ name: z.string().check(z.maxLength(200)), slug: z.optional(Slug) }),
      async run({ ctx, form: { name, slug: given } }) {
        const slug = given ?? toSlug(name);
        if (slug === '') throw invalid('slug', 'cannot be made from this name: type one');
        await addDealer(ctx, { slug, name });
        return { to: `/dashboard/settings/dealers/${slug}`, done: 'created' };
      },
    },
  },
});
