import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ERRORS,
  type ErrorCode,
  REASON_MEANINGS,
  REASONS,
  STAGE_CODES,
  STAGES,
} from '../../../lib/errors.ts';
import { FIELDS } from '../../../lib/truck/record/fields.ts';
import { PARTS, PLACE_PARTS } from '../../../lib/truck/record/parts.ts';
import { type Exchange, toCurl } from '../call.ts';
import { ROOT } from '../deployment.ts';
import { isForAll, LANGUAGES, type Language } from '../languages.ts';
import type { Recording } from '../recording.ts';
import { STORY, type StepName } from '../story.ts';

/** The guides of sellers by file name: what is in docs/ but for what only whoever runs the service needs. */
export async function readGuides(): Promise<Map<string, string>> {
  const guides = new Map<string, string>();
  for await (const path of glob('*.md', { cwd: join(ROOT, 'docs') }))
    if (!NO_GUIDES.includes(path)) guides.set(path, await readFile(join(ROOT, 'docs', path), 'utf8'));
  return guides;
}

const NO_GUIDES = ['benchmarks.md', 'operators.md', 'scale.md', 'truth.md'];

/** The calls that a guide shows, and those it supposes (`<!-- before: create-dealer post-truck -->`), in order. */
export function stepsIn(guide: string): StepName[] {
  const marks = guide.matchAll(/<!-- (?:before|example|answer): ([\w -]+) -->/g);
  return [...marks].flatMap(([, names = '']) => names.split(' ')) as StepName[];
}

/**
 * The guides name their examples and tables, `<!-- example: read -->`. Each is replaced by what the service really
 * answered on an account that made the guide's calls in its order, or by a table of the code.
 */
export function fillGuide(path: string, guide: string, recording: Recording): string {
  const steps = recording.guides[path] ?? {};
  return guide.replace(
    /<!-- (before|example|answer|error answer|error|fields|reasons|sales|stage codes|support|widget preview)(?:: ([\w -]+))? -->/g,
    (_, kind: string, name: string | undefined) => renderContent(kind, name ?? '', { ...recording, steps }),
  );
}

/** The site puts its form in place of the tag. */
export const WIDGET_TAG = '<try-widget></try-widget>';
const TRY_WIDGET = `## Try it\n\n${WIDGET_TAG}`;

type Contents = Pick<Recording, 'errors'> & { steps: Partial<Record<StepName, Exchange>> };

function renderContent(kind: string, name: string, { steps, errors }: Contents): string {
  if (kind === 'before') return describeBefore(name.split(' ') as StepName[]);
  if (kind === 'fields') return fieldsTable();
  if (kind === 'reasons') return reasonsTable();
  if (kind === 'sales') return mailLink(process.env.SALES_EMAIL || 'sales@example.com');
  if (kind === 'support') return mailLink(process.env.SUPPORT_EMAIL || 'support@example.com');
  if (kind === 'stage codes') return stageCodesTable();
  if (kind === 'widget preview') return TRY_WIDGET;
  const exchange = kind.startsWith('error') ? errors[name as ErrorCode]?.exchange : steps[name as StepName];
  if (!exchange) throw new Error(`a guide asks for the example ${name}, which is not there`);
  return kind.endsWith('answer') ? answerBlock(exchange) : exchangeBlocks(exchange);
}

/** What an account has done before a guide's first call. */
function describeBefore(names: readonly StepName[]): string {
  const titles = names.map((name) => STORY[name].title.toLowerCase()).join(', ');
  return `*The answers on this page are those of a new Pro account that first made these calls, which the [quick start](quick-start.md) and [Send trucks](trucks.md) show: ${titles}. Yours differ where your account has done more.*`;
}

/** A call in every language and its real answer. */
function exchangeBlocks(exchange: Exchange): string {
  return `${callBlocks(exchange)}\n\n${answerBlock(exchange)}`;
}

/** A command and its real answer. */
export function commandBlocks(exchange: Exchange): string {
  return `${commandBlock(exchange)}\n\n${answerBlock(exchange)}`;
}

const commandBlock = ({ call }: Exchange) => `\`\`\`sh\n${toCurl(call)}\n\`\`\``;

/** The call in every language a reader may want, labelled, which the site shows as tabs; the operator's and what only a shell can make as a command. */
function callBlocks(exchange: Exchange): string {
  const { call } = exchange;
  const block = ([name, { fence, toSample }]: [string, (typeof LANGUAGES)[Language]]) =>
    `\`\`\`${fence} [${name}]\n${toSample(call)}\n\`\`\``;
  if (!isForAll(call)) return commandBlock(exchange);
  return Object.entries(LANGUAGES).map(block).join('\n\n');
}

const answerBlock = ({ answer }: Exchange) => `\`\`\`http\n${answer}\n\`\`\``;

function fieldsTable(): string {
  const rows = [
    ['vin', PARTS.vin.names, 'VIN, 17 characters once white space and dashes are stripped.', true],
    ...Object.entries(FIELDS).map(([name, { names, about }]) => [
      name,
      names,
      about,
      name === 'year' || name === 'make',
    ]),
    [
      'location',
      Object.values(PLACE_PARTS).flatMap(({ names }): readonly string[] => names),
      'Place of the truck; its members may stand at the top level too.',
    ],
    ['images', PARTS.images.names, 'Image URLs (http or https), at most 100.'],
    ['dealer', ['dealer', 'dealer_slug'], 'Slug of one of your dealers; with just one, it may be left out.'],
    ['status', ['status'], '`available`, `sold` or `delisted`.'],
    [
      'source_provider_id',
      ['source_provider_id'],
      'Where the record comes from; part of the listing’s identity.',
    ],
  ] as [string, readonly string[], string, boolean?][];
  const lines = rows.map(([name, names, about, required]) => {
    const others = names.filter((other) => other !== name).map((other) => `\`${other}\``);
    return `| \`${name}\`${required ? ' (required)' : ''} | ${others.join(', ')} | ${about} |`;
  });
  return ['| Field | Also accepted | Meaning |', '| --- | --- | --- |', ...lines].join('\n');
}

const mailLink = (address: string) => `[${address}](mailto:${address})`;

function reasonsTable(): string {
  const meanings = { ...REASONS, ...REASON_MEANINGS };
  const lines = Object.entries(meanings).map(([reason, text]) => `| \`${reason}\` | ${text} |`);
  return ['| `reason` | Meaning, or fix |', '| --- | --- |', ...lines].join('\n');
}

function stageCodesTable(): string {
  const lines = STAGES.flatMap((stage) =>
    STAGE_CODES[stage].map((code) => `| [${code}](errors/${code}.md) | ${stage} | ${ERRORS[code].fix} |`),
  );
  return ['| Code | Stage | Fix |', '| --- | --- | --- |', ...lines].join('\n');
}
