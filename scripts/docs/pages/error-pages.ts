import { ERRORS, type ErrorCode, findStage, STAGES } from '../../../lib/errors.ts';
import { toCurl } from '../call.ts';
import type { ErrorRecording, Recording } from '../recording.ts';
import type { SidebarGroup } from '../site/layout.ts';
import { commandBlocks } from './guide.ts';
import { OPERATIONS } from './operations.ts';

/** One page per error code, and the page that lists them, as Markdown. */

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function errorPage(code: ErrorCode, { errors, wrongMethod }: Recording): string {
  const { when, fix, causes } = ERRORS[code];
  return `# \`${code}\`

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

${example(code, errors[code])}
${code === 'NOT_FOUND' ? `## The right path, the wrong method\n\n${commandBlocks(wrongMethod.exchange)}` : ''}`;
}

function badges(code: ErrorCode): string {
  const stage = findStage(code);
  return `**Status ${ERRORS[code].status}**${stage ? ` · stage: ${stage}` : ''}`;
}

function occurrences(code: ErrorCode): string {
  const stage = findStage(code);
  const stageText = `For a single record, inside [PIPELINE_FAILED](PIPELINE_FAILED.md), under \`details.stages.${stage}\`. In a batch, as the \`error.code\` of the record’s result.`;
  const outer = stage ? 'PIPELINE_FAILED' : code;
  const operations = OPERATIONS.filter(({ codes }) => codes.includes(outer));
  const links = operations.map(({ call, reference }) => `- [\`${call}\`](${reference})`);
  const all = operations.length > 8 ? `${ERRORS[code].source}.` : links.join('\n');
  return [...(stage ? [stageText] : []), all || ERRORS[code].source].join('\n\n');
}

function example(code: ErrorCode, recording: ErrorRecording): string {
  const { note, exchange, fixed } = recording;
  const isOutage = isServiceFault(code, recording);
  const title = ERRORS[code].retryable ? 'The same request, a little later' : 'A request that works';
  return [
    isOutage ? '## A request that met it' : '## A request that causes it',
    describeAccount(recording),
    ...(note ? [note] : []),
    ...(isOutage
      ? ['Nothing in the request causes it, so the same request succeeds on a service that is well.']
      : []),
    commandBlocks(exchange),
    ...(fixed ? [`## ${title}`, commandBlocks(fixed)] : []),
  ].join('\n\n');
}

const isServiceFault = (code: ErrorCode, { isFault }: ErrorRecording) => isFault || code === 'CONFIG_ERROR';

/** Whose key the samples send, and what the account has done, as commands. */
function describeAccount({ tier, before, times }: ErrorRecording): string {
  const account = `\`$KEY\` is a secret key of a new ${tier === 'pro' ? 'Pro' : 'Starter'} account.`;
  if (before.length === 0) return `${account} The account is empty.`;
  const commands = before.map(toCurl).join('\n');
  const repeated = times > 1 ? `for _ in {1..${times}}; do ${commands}; done` : commands;
  return `${account} It has first made ${times > 1 ? `this call ${times} times` : 'this:'}\n\n\`\`\`sh\n${repeated}\n\`\`\``;
}

/** What a client should do on its own, by the retry rules of the contract. */
function retryAdvice(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code];
  if (code === 'ALREADY_CAPTURED') return 'Nothing to retry: the lead is there.';
  if (code === 'PIPELINE_FAILED')
    return 'Look at `details.retryable`. When it is `false`, correct the record first. When it is `true`, send the same record again after a few seconds.';
  if (code === 'CONFIG_ERROR')
    return 'Only after `Retry-After`, which is five minutes. Chat works once whoever runs the service sets up an AI provider; until then offer the lead form.';
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
  const groupByStatus = (title: string, belongs: (status: number) => boolean) => ({
    title,
    codes: CODES.filter((code) => findStage(code) === null && belongs(ERRORS[code].status)),
  });
  return [
    groupByStatus('Access', (status) => status === 401 || status === 403),
    groupByStatus('The request', (status) => [400, 404, 409].includes(status)),
    groupByStatus('The pipeline', (status) => status === 422),
    ...STAGES.map((stage) => ({
      title: `Stage: ${stage}`,
      codes: CODES.filter((code) => findStage(code) === stage),
    })),
    groupByStatus('Limits and outages', (status) => status >= 429),
  ];
}

export function errorSidebar(): SidebarGroup[] {
  const sections = groups().map(({ title, codes }) => ({
    text: title,
    items: codes.map((code) => ({ text: code, link: `errors/${code}.html` })),
  }));
  return [{ text: 'Errors', items: [{ text: 'All errors', link: 'errors/index.html' }] }, ...sections];
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
