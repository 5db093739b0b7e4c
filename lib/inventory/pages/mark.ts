import { html } from 'hono/html';
import * as z from 'zod/mini';
import { audited } from '../../accounts/audited.ts';
import { button } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { count } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import type { ListingStatus } from '../../truck/fields.ts';
import { changeStatuses } from '../change-status.ts';

/** Marking of trucks on the pages that show them. */

const Selected = z.object({
  vin: z._default(z.array(z.string().check(z.length(17))).check(z.maxLength(100)), []),
});

export const markNotices = {
  sold: 'Marked sold. “Mark available”, also under Sold, undoes it.',
  delisted: 'Delisted. “Mark available”, also under Delisted, undoes it.',
  available: 'Available again.',
};

export const markActions = {
  sold: markAs('sold'),
  delisted: markAs('delisted'),
  available: markAs('available'),
};

/** Sets the status of all selected trucks, or of none. */
function markAs(status: ListingStatus) {
  type Call = PageCall<unknown, Parameters<typeof toQuery>[0] | undefined> & {
    form: z.output<typeof Selected>;
  };
  return {
    form: Selected,
    async run({ ctx, address, query, form }: Call) {
      if (form.vin.length === 0) throw new ApiError('INVALID_PAYLOAD', 'Select one truck or more first.');
      const vins = [...new Set(form.vin)];
      const act = { action: `listing.${status}`, target: count(vins.length, 'truck'), detail: { vins } };
      await audited(ctx, act, async (transaction) => {
        const changes = vins.map((vin) => ({ vin, status, sourceProviderId: null }));
        const results = await changeStatuses(transaction, changes);
        // Thrown inside the transaction, so that no truck is changed.
        const rejected = results.find(({ refusal }) => refusal !== undefined);
        if (rejected) throw rejected.refusal;
      });
      return { to: address + toQuery(query ?? {}), done: status };
    },
  };
}

/** The buttons that mark trucks, but for the status that they have; `#` stands for how many are selected. */
export const markButtons = (trucks: '#' | 'this truck', status?: ListingStatus): Html =>
  html`${status !== 'sold' && button('sold', 'Mark sold', { confirm: `Mark ${trucks} sold?` })}${status !== 'delisted' && button('delisted', 'Delist', { confirm: `Delist ${trucks}?` })}${status !== 'available' && button('available', 'Mark available')}`;
