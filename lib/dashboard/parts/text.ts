import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import { DAY_MS } from '../../truck/time.ts';

/** Small pieces of text, the same on every page. */

/** `12,480` */
export const number = (value: number): string => value.toLocaleString('en-US');

/** `1 truck`, `12 trucks` */
export const count = (value: number, singular: string, plural = `${singular}s`): string =>
  `${number(value)} ${value === 1 ? singular : plural}`;

const SHOWN: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZone: 'UTC',
};

/** A moment; the script shows it in the reader's own time. */
export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', SHOWN)} UTC</time>`;
}

/** Its day alone, where a table is narrow; the time is in its tooltip. */
export function day(iso: string): Html {
  const { day, month } = SHOWN;
  const text = new Date(iso).toLocaleString('en-GB', { day, month, timeZone: 'UTC' });
  return html`<time datetime="${iso}" data-relative>${text}</time>`;
}

export const momentOr = (iso: string | null, otherwise: string): Html | string =>
  iso === null ? otherwise : moment(iso);

const UNITS = [
  [DAY_MS, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** `5 minutes ago` */
export function ago(iso: string, nowMs: number): Html {
  const passedMs = Math.max(0, nowMs - Date.parse(iso));
  const [unitMs, unit] = UNITS.find(([ms]) => passedMs >= ms) ?? [0, ''];
  const words = unitMs === 0 ? 'just now' : `${count(Math.floor(passedMs / unitMs), unit)} ago`;
  return html`<time datetime="${iso}" data-relative>${words}</time>`;
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A short status. */
export function badge(text: string, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** How a dealer finds a truck in his own list. */
export const truckNumbers = (vin: string | null, stockNumber: string | null): Html =>
  html`<code>${vin ?? 'no VIN'}</code>${stockNumber && html` <small>stock ${stockNumber}</small>`}`;

/** What stands where there is nothing yet: what it would be, and what to do. */
export function empty(title: string, advice: Html | string): Html {
  return html`<div class="empty"><h2>${title}</h2><p>${advice}</p></div>`;
}

/** Text to take along; the script adds a button that copies it. */
export function copyable(text: string, name: string): Html {
  return html`<div class="copy" data-copy="${name}"><code>${text}</code></div>`;
}
