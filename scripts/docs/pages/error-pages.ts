import { ERRORS, type ErrorCode, findStage, STAGES } from '../../../lib/errors.ts';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { listCodes } from '../../../lib/http/openapi/openapi-responses.ts';
import { endpointsFor } from '../describe-service.ts';
import type { ErrorRecording, Recording } from '../record.ts';
import { commandBlocks } from './guide.ts';

/** One page per error code, and the page that lists them, as Markdown. */

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function errorPage(code: ErrorCode, { errors, wrongMethod }: Recording): string {
  const { when, fix, causes } = ERRORS[code];
  const recording = errors.get(code);
  return `---
title: ${code}
outline: false
---

# \`${code}\`

${badges(code)}

${when}

## How to fix it

${fix}

## May I retry?

${retryAdvice(code)}

## Where it usually comes from

${causes.map((cause) => `- ${cause}`).join('\n')}

## Where it occurs

${occurrences(code)}

${recording ? example(code, recording) : ''}
${code === 'NOT_FOUND' ? `## The right path, the wrong method\n\n${commandBlocks(wrongMethod.exchange)}` : ''}`;
}

function badges(code: ErrorCode): string {
  const stage = findStage(code);
  const retry =
    code === 'PIPELINE_FAILED'
      ? 'retry when it says so'
      : ERRORS[code].retryable
        ? 'may be retried'
        : 'do not retry unchanged';
  return [`**Status ${ERRORS[code].status}**`, ...(stage ? [`stage: ${stage}`] : []), retry].join(' · ');
}

function occurrences(code: ErrorCode): string {
  const stage = findStage(code);
  const inside = `For a single record, inside [PIPELINE_FAILED](PIPELINE_FAILED.md), under \`details.stages.${stage}\`. In a batch, as the \`error.code\` of the record’s result.`;
  const outer = stage ? 'PIPELINE_FAILED' : code;
  const found = endpointsFor('sellers').filter((endpoint) => listCodes(endpoint).includes(outer));
  const links = found.map(
    (endpoint) => `- [\`${endpoint.method} ${endpoint.path}\`](${referenceLink(endpoint)}){target="_self"}`,
  );
  const all = found.length > 8 ? `On ${found.length} routes: ${ERRORS[code].source}.` : links.join('\n');
  return [...(stage ? [inside] : []), all || ERRORS[code].source].join('\n\n');
}

/** Where Scalar shows the operation. */
export function referenceLink({ tag, method, path }: Endpoint): string {
  return `/docs/reference.html#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
}

function example(code: ErrorCode, { note, exchange, fixed }: ErrorRecording): string {
  const title = ERRORS[code].retryable ? 'The same request, a little later' : 'A request that works';
  return [
    '## A request that causes it',
    ...(note ? [note] : []),
    commandBlocks(exchange),
    ...(fixed ? [`## ${title}`, commandBlocks(fixed)] : []),
  ].join('\n\n');
}

/** What a client should do on its own, by the retry rules of the contract. */
function retryAdvice(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code];
  if (code === 'ALREADY_CAPTURED') return 'Nothing to retry: the lead is there.';
  if (code === 'PIPELINE_FAILED')
    return 'Look at `details.retryable`. When it is `false`, correct the record first. When it is `true`, send the same record again after a few seconds.';
  if (status === 429)
    return 'Wait the seconds in `Retry-After`. Without that header: 1 second plus up to 500 ms of random jitter, then twice as long each time, at most 60 seconds. Give up after 5 attempts and log it.';
  if (status >= 500)
    return 'Send the same request again, up to 3 times, with exponential backoff, and not before `Retry-After`. With an `Idempotency-Key`, a write that did get through is not done twice. If it persists, contact support and quote the `x-request-id`.';
  if (retryable)
    return 'Send the same record again after a few seconds. Nothing of it was stored, and repeating it does no harm.';
  return status === 422
    ? 'Do not send the same record again. Correct it first.'
    : 'Do not send the same request again. Correct it first.';
}

/** Codes by where they arise, in the order of the catalogue. */
function groups(): { title: string; codes: ErrorCode[] }[] {
  const outside = (title: string, belongs: (status: number) => boolean) => ({
    title,
    codes: CODES.filter((code) => findStage(code) === null && belongs(ERRORS[code].status)),
  });
  return [
    outside('Access', (status) => status === 401 || status === 403),
    outside('The request', (status) => [400, 404, 409].includes(status)),
    outside('The pipeline', (status) => status === 422),
    ...STAGES.map((stage) => ({
      title: `Stage: ${stage}`,
      codes: CODES.filter((code) => findStage(code) === stage),
    })),
    outside('Limits and outages', (status) => status >= 429),
  ];
}

/** For VitePress' sidebar. */
export function errorSidebar(): { text: string; items: { text: string; link: string }[] }[] {
  return groups().map(({ title, codes }) => ({
    text: title,
    items: codes.map((code) => ({ text: code, link: `/errors/${code}` })),
  }));
}

export function errorIndexPage(): string {
  const sections = groups().map(({ title, codes }) => {
    const rows = codes.map(
      (code) => `| [\`${code}\`](${code}.md) | ${ERRORS[code].status} | ${ERRORS[code].when} |`,
    );
    return `## ${title}\n\n| Code | Status | When |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `# Errors

There are ${CODES.length} codes, and they are stable: branch on \`error.code\`, never on the message. Each page tells the cause, the fix, and whether a retry makes sense, and shows a request that really causes it.

${sections.join('\n\n')}
`;
}
