import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';

/** Addresses with a query. */

type Values = Readonly<Record<string, string | undefined>>;

/** `?a=1&b=2` of what is there; '' when nothing is. */
export function toQuery(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** A link to the next page of a list, where there is one. */
export function nextPage(path: string, values: Values, cursor: string | null): Html | string {
  if (cursor === null) return '';
  return html`<p><a class="button" href="${path}${toQuery({ ...values, cursor })}">Show more</a></p>`;
}
