import { html } from 'hono/html';
import { dealerSelect, readDealers } from '../../../dashboard/parts/dealer-select.ts';
import { button, field, hidden } from '../../../dashboard/parts/form.ts';
import type { Html, PageCall } from '../../../http/pages/page.ts';
import type { KeptFile } from '../../uploads/kept-file.ts';

/** What the platform takes in one request. */
export const MAX_BYTES = 4 * 1024 ** 2;
/** The other fields take the rest. */
const MAX_FILE_BYTES = MAX_BYTES - 64 * 1024;

/** A file that was looked at, and what its columns are. */
interface Checked {
  checked: Pick<KeptFile, 'id' | 'name'>;
  columns: Html | string;
}

export async function uploadForm(
  call: Pick<PageCall, 'ctx' | 'sent' | 'problem' | 'session'>,
  looked?: Checked,
): Promise<Html> {
  if (call.session.isOperator) return html`<p>Only people of the account upload files.</p>`;
  const dealers = await readDealers(call.ctx);
  const [sole] = dealers;
  const none =
    dealers.length === 1 && sole ? `${sole.name}, unless a row names another` : 'The one that each row names';
  const whose =
    dealers.length === 0
      ? field(call, {
          name: 'dealer_name',
          label: 'Name of the dealer',
          isRequired: true,
          maxLength: 200,
          hint: 'Who sells these trucks, as visitors know it. You can add its phone and hours later.',
        })
      : dealerSelect(call, dealers, { label: 'Trucks of', none });
  const checked = looked?.checked ?? refusedFile(call);
  const look = checked === undefined ? 'primary' : 'plain';
  return html`<form method="post" action="/dashboard/upload" enctype="multipart/form-data" class="card${checked ? ' wide' : ''}">
${checked === undefined ? filePicker() : html`${hidden({ checked: checked.id })}<p><strong>${checked.name}</strong> · <a href="/dashboard/upload">choose another file</a></p>`}
${whose}${looked?.columns ?? ''}
<p class="actions">${button('check', checked ? 'Check it again' : 'Check the file', { look })}${button('push', 'List the trucks', checked ? { look: 'primary' } : {})}</p></form>`;
}

/** After a refusal that was not about the file itself. */
function refusedFile({ sent, problem }: Pick<PageCall, 'sent' | 'problem'>): Checked['checked'] | undefined {
  if (sent.checked === undefined || problem?.field === 'file') return undefined;
  return { id: sent.checked, name: 'The file that you chose' };
}

const filePicker = () => html`<div class="field" data-drop>
<label for="file">File</label><p class="hint" id="file-hint">CSV, Excel (.xlsx), JSON or XML, up to 4 MB; larger ones packed with gzip or zip, or as a <a href="/dashboard/feeds/new">feed</a>.</p>
<input id="file" name="file" type="file" required aria-describedby="file-hint" data-max-bytes="${MAX_FILE_BYTES}" data-too-large="This file is over 4 MB: pack it with gzip or zip, or set it up as a feed."></div>`;
