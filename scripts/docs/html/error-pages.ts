import { ERRORS, type ErrorCode, STAGES, type StageName } from '../../../lib/errors.ts';
import { retryAdvice } from '../advice.ts';
import type { ErrorRecording } from '../record.ts';
import { codeBlock, exchangeBlock } from './code-block.ts';
import { inline, list } from './markdown.ts';
import { html, type Markup } from './markup.ts';
import { page } from './page.ts';
import { type Operation, operationAnchor } from './reference.ts';

/** One page per error code, and the page that lists them. */

const CODES = Object.keys(ERRORS) as ErrorCode[];
const stageOf = (code: ErrorCode): StageName | null => {
  const entry = ERRORS[code];
  return 'stage' in entry ? entry.stage : null;
};

export interface ErrorPage {
  recording: ErrorRecording | null;
  /** A second answer with the code, such as 405. */
  variant?: { title: string; recording: ErrorRecording };
  /** The operations that may answer with it. */
  operations: readonly Operation[];
}

export function errorPage(code: ErrorCode, { recording, variant, operations }: ErrorPage): string {
  const { when, fix } = ERRORS[code];
  return page({
    title: `${code} · Truck Inventory API`,
    description: when,
    section: 'errors',
    contents: contentsOf(code),
    main: html`<article class="error">
<p class="crumb"><a href="/docs/errors/">Errors</a></p>
<h1><code>${code}</code></h1>
${badges(code)}
<p class="lead">${inline(when)}</p>
<h2>How to fix it</h2>
<p>${inline(fix)}</p>
<h2>May I retry?</h2>
<p>${inline(retryAdvice(code))}</p>
<h2>Where it usually comes from</h2>
${list(ERRORS[code].causes)}<h2>Where it occurs</h2>
${occurs(code, operations)}
${recording && example(code, recording)}${variant && variantOf(variant)}</article>
`,
  });
}

function badges(code: ErrorCode): Markup {
  const { status } = ERRORS[code];
  const stage = stageOf(code);
  return html`<ul class="badges">
<li><span class="status s${String(status).charAt(0)}">${status}</span></li>
${stage && html`<li>stage: ${stage}</li>`}<li>${retryWord(code)}</li>
</ul>`;
}

function retryWord(code: ErrorCode): string {
  if (code === 'PIPELINE_FAILED') return 'retry when it says so';
  return ERRORS[code].retryable ? 'may be retried' : 'do not retry unchanged';
}

function occurs(code: ErrorCode, operations: readonly Operation[]): Markup {
  const { source } = ERRORS[code];
  const links = operations.map(
    ({ id, method, path }) =>
      html`<li><a href="/docs/#${operationAnchor(id)}"><code>${method} ${path}</code></a></li>\n`,
  );
  const single = stageOf(code)
    ? html`<p>For a single record, inside <a href="/docs/errors/PIPELINE_FAILED.html">PIPELINE_FAILED</a>, under <code>details.stages.${stageOf(code)}</code>. In a batch, as the <code>error.code</code> of the record’s result.</p>\n`
    : null;
  if (links.length === 0) return html`<p>${source}</p>`;
  const all =
    links.length > 6
      ? html`<details><summary>All ${links.length} routes that may answer with it</summary><ul>${links}</ul></details>`
      : html`<ul>${links}</ul>`;
  return html`${single}${all}`;
}

function example(code: ErrorCode, { note, exchange, inBatch, fixed }: ErrorRecording): Markup {
  return html`<h2>A request that causes it</h2>
${note && html`<p>${inline(note)}</p>\n`}${exchangeBlock(exchange)}${
  inBatch &&
  html`<h3>The same in a batch</h3>
<p>The batch is answered with 200. This is the record’s entry in <code>results</code>:</p>
${codeBlock('json', inBatch)}`
}${fixed && corrected(code, fixed.curl, fixed.answer)}`;
}

function corrected(code: ErrorCode, curl: string, answer: string): Markup {
  const isFault = ERRORS[code].retryable;
  return html`<h2>${isFault ? 'The same request, a little later' : 'A request that works'}</h2>
${exchangeBlock({ curl, answer })}`;
}

function variantOf({ title, recording }: { title: string; recording: ErrorRecording }): Markup {
  return html`<h2>${title}</h2>\n${exchangeBlock(recording.exchange)}`;
}

/** Codes by where they arise, in the order of the catalogue. */
function groups(): { title: string; codes: ErrorCode[] }[] {
  const outside = CODES.filter((code) => stageOf(code) === null);
  const of = (title: string, codes: ErrorCode[]) => ({ title, codes });
  return [
    of(
      'Access',
      outside.filter((code) => [401, 403].includes(ERRORS[code].status)),
    ),
    of(
      'The request',
      outside.filter((code) => [400, 404, 409].includes(ERRORS[code].status)),
    ),
    of(
      'The pipeline',
      outside.filter((code) => ERRORS[code].status === 422),
    ),
    ...STAGES.map((stage) =>
      of(
        `Stage: ${stage}`,
        CODES.filter((code) => stageOf(code) === stage),
      ),
    ),
    of(
      'Limits and outages',
      outside.filter((code) => ERRORS[code].status >= 429),
    ),
  ];
}

function contentsOf(current: ErrorCode | null): Markup {
  const entry = (code: ErrorCode) =>
    html`<li><a href="/docs/errors/${code}.html"${code === current && CURRENT}>${code}</a></li>\n`;
  return html`<ul class="codes">${groups().map(
    ({ title, codes }) => html`<li><span class="group">${title}</span><ul>${codes.map(entry)}</ul></li>\n`,
  )}</ul>`;
}

const CURRENT = html` aria-current="page"`;

export function errorIndexPage(): string {
  const row = (
    code: ErrorCode,
  ) => html`<tr><td><a href="/docs/errors/${code}.html"><code>${code}</code></a></td><td><span class="status s${String(ERRORS[code].status).charAt(0)}">${ERRORS[code].status}</span></td><td>${inline(ERRORS[code].when)}</td></tr>
`;
  const sections = groups().map(
    ({ title, codes }) => html`<h2>${title}</h2>
<div class="table"><table class="errors"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">When</th></tr></thead>
<tbody>${codes.map(row)}</tbody></table></div>
`,
  );
  return page({
    title: 'Errors · Truck Inventory API',
    description: 'Every error code with its cause, its fix and a request that causes it.',
    section: 'errors',
    contents: contentsOf(null),
    main: html`<article>
<h1>Errors</h1>
<p class="lead">There are ${CODES.length} codes, and they are stable: branch on <code>error.code</code>, never on the message. Each page tells the cause, the fix, and whether a retry makes sense, and shows a request that really causes it.</p>
${sections}</article>
`,
  });
}
