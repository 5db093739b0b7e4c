/** Stands in where the widget cannot run: a file of its own, which few pages load. */

/** Reports why there is no widget, with the page of the docs that explains it. */
export function refuse({ src }: HTMLScriptElement): void {
  const docs = new URL('docs/widget#when-nothing-shows', src);
  // biome-ignore lint/suspicious/noConsole: it is for who built the page
  console.error(
    `Truck widget: data-dealer or data-key is missing, unknown, or not for this site. See ${docs}`,
  );
}

const LOOK =
  'position:fixed;bottom:20px;right:20px;z-index:2147483647;padding:14px 20px;border-radius:30px;background:#14505c;color:#fff;font:16px sans-serif;text-decoration:none';

/** Shows the dealer's phone in a browser that cannot run the panel: the tag's, else the service's. */
export async function replace(script: HTMLScriptElement): Promise<void> {
  const phone = script.dataset.phone ?? (await readPhone(script).catch(() => null));
  if (!phone) return;
  const link = document.createElement('a');
  link.href = `tel:${phone.replace(/[ex].*|[^+\d]/gi, '')}`;
  link.textContent = phone;
  link.style.cssText = LOOK;
  document.documentElement.append(link);
}

async function readPhone({ src, dataset }: HTMLScriptElement): Promise<string | null> {
  const { dealer = '', key = '' } = dataset;
  const query = new URLSearchParams({ key, dealerSlug: dealer, visitorId: 'v_0', limit: '1' });
  const answer = await fetch(new URL(`v1/widget/inventory?${query}`, src), { credentials: 'omit' });
  return (await answer.json()).dealer.phone;
}
