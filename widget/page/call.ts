import type { PageContext } from '../options.ts';

/** Offers the dealer's phone beside the button, which tries again: what the tag says, else the service. */
export async function offerCall({ script, first, frame }: PageContext): Promise<void> {
  const answer = async () => first && (await (await first.response).clone().json()).dealer.phone;
  const phone: string | null = script.dataset.phone ?? (await answer().catch(() => null));
  if (!phone || frame.querySelector('a')) return;
  const link = document.createElement('a');
  link.href = `tel:${phone.replace(/[ex].*|[^+\d]/gi, '')}`;
  link.textContent = phone;
  frame.append(link);
}
