import { listDealers } from '../../accounts/dealers/dealers.ts';
import type { Context } from '../../http/context.ts';
import type { Html, PageCall } from '../../http/pages/page.ts';
import { field } from './form.ts';

type Dealers = readonly { slug: string; name: string }[];

/** A list has no more of them; the others are reached by the address of their page. */
const MAX_DEALERS = 200;

export async function readDealers(ctx: Context): Promise<Dealers> {
  return (await listDealers(ctx, { limit: MAX_DEALERS })).dealers;
}

/** As people call it; the short name of one that is gone. */
export const nameDealer = (dealers: Dealers, slug: string): string =>
  dealers.find((dealer) => dealer.slug === slug)?.name ?? slug;

/** One of the account's dealers; `none` is the choice of not naming one. */
export function dealerSelect(
  call: Pick<PageCall, 'formValues' | 'problem'>,
  dealers: Dealers,
  { name = 'dealer', none, ...choice }: DealerChoice,
): Html {
  const value = call.formValues[name] ?? choice.value ?? '';
  const names = new Map([['', none], ...dealers.map(({ slug, name }) => [slug, name] as const)]);
  if (!names.has(value)) names.set(value, value);
  return field(call, { label: 'Dealer', ...choice, name, choices: [...names] });
}

interface DealerChoice {
  name?: string;
  none: string;
  label?: string;
  value?: string | null;
}
