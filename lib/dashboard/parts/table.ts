import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';

/** A label alone is a column of texts. */
export type Column = string | LabelledColumn;

interface LabelledColumn {
  label: string;
  /** Aligned at the right, digits of one width. */
  isNumber?: true;
  /** A column of buttons: its label is for those who do not see the page. */
  isHidden?: true;
}

/** A column of numbers. */
export const numeric = (label: string): Column => ({ label, isNumber: true });

type Cell = Html | string | number;

/** A dense table; on a phone each row becomes a card, its first cell the title. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Html {
  const labelled = columns.map((column) => (typeof column === 'string' ? { label: column } : column));
  const head = labelled.map(
    ({ label, isNumber, isHidden }: LabelledColumn) =>
      html`<th scope="col"${isNumber && html` class="number"`}>${isHidden ? html`<span class="unseen">${label}</span>` : label}</th>`,
  );
  return html`<table><caption class="unseen">${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, at) => toCell(cell, labelled[at], at === 0))}</tr>\n`)}</tbody></table>`;
}

function toCell(cell: Cell, column: LabelledColumn | undefined, isFirst: boolean): Html {
  const { label = '', isNumber, isHidden } = column ?? {};
  const name = isHidden || isFirst ? '' : html` data-label="${label}"`;
  const kind = isNumber ? html` class="number"` : '';
  return isFirst ? html`<th scope="row"${kind}>${cell}</th>` : html`<td${kind}${name}>${cell}</td>`;
}

/** Names with their values, such as what is known of one key. */
export function facts(entries: readonly (readonly [name: string, value: Cell])[]): Html {
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
