import { ERRORS, type ErrorCode, findStage } from '../../lib/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import type { Examples } from '../../lib/http/openapi/openapi.ts';
import type { ExampleCall } from '../../lib/http/openapi/openapi-responses.ts';
import { ENDPOINTS } from '../../lib/routes.ts';
import type { Call, Exchange } from './call.ts';
import { type ErrorExample, EXAMPLES, WRONG_METHOD } from './examples.ts';
import { FAULTS } from './faults.ts';
import { readGuides, stepsIn } from './pages/guide.ts';
import type { ErrorRecording, Recording } from './recording.ts';
import { openRehearsal, type Rehearsal, type Seller } from './rehearsal.ts';
import { MARKET, STORY, type Step, type StepName } from './story.ts';

/** Performs the story and every error example against the service and keeps what was answered. */

/** A recording with the examples of the OpenAPI documents. */
export interface FullRecording extends Recording {
  /** Exchanges of the whole story: the examples of the reference. */
  steps: Readonly<Record<StepName, Exchange>>;
  /** Examples of the OpenAPI document, by operation. */
  examples: Examples;
}

/** Throws when a call is not answered as its example says. */
export async function record(url?: string): Promise<FullRecording> {
  const rehearsal = await openRehearsal(url);
  try {
    await stockMarket(rehearsal);
    const steps = await performSteps(
      rehearsal,
      storySteps().map(([name]) => name),
    );
    const guides: Record<string, Partial<Record<StepName, Exchange>>> = {};
    for (const [path, text] of await readGuides())
      guides[path] = await performSteps(rehearsal, stepsIn(text));
    const errors = {} as Record<ErrorCode, ErrorRecording>;
    for (const [code, example] of errorExamples())
      errors[code] = await performError(rehearsal, example, code);
    const wrongMethod = await performError(rehearsal, WRONG_METHOD, 'NOT_FOUND');
    return { steps, guides, errors, wrongMethod, examples: toExamples(steps, errors, wrongMethod) };
  } finally {
    await rehearsal.close();
  }
}

function errorExamples(): [ErrorCode, ErrorExample][] {
  return Object.entries(EXAMPLES) as [ErrorCode, ErrorExample][];
}

/** The trucks of other sellers that the story's figures are about. */
export async function stockMarket(rehearsal: Rehearsal): Promise<void> {
  for (const call of MARKET) {
    const others = await rehearsal.perform(call, await rehearsal.newSeller('pro'));
    expectStatus(others, 200, 'the market');
  }
  // The clock of the rehearsal stands still; the market has been there for a while.
  await rehearsal.sql.query({ text: "update listing_events set at = timestamptz '2025-12-30 09:00Z'" });
}

/** Steps one after the other on a new account. */
async function performSteps(
  rehearsal: Rehearsal,
  names: readonly StepName[],
): Promise<Record<StepName, Exchange>> {
  const seller = await rehearsal.newSeller('pro');
  const leave = leaveMarket(seller);
  const exchanges: [string, Exchange][] = [];
  for (const name of names) {
    const { call, status } = STORY[name];
    const exchange = await rehearsal.perform(call, seller);
    expectStatus(exchange, status, name);
    exchanges.push([name, exchange]);
  }
  await rehearsal.perform(leave, seller);
  return Object.fromEntries(exchanges) as Record<StepName, Exchange>;
}

/** What an account lists is in nobody else’s market figures: each run sees the same ones. */
const leaveMarket = ({ values }: Seller): Call => ({
  method: 'PATCH',
  path: `/api/admin/accounts/${values.get('account_id')}`,
  as: 'operator',
  json: { in_market: false },
});

export function storySteps(): [StepName, Step][] {
  return Object.entries(STORY) as [StepName, Step][];
}

async function performError(
  rehearsal: Rehearsal,
  example: ErrorExample,
  code: ErrorCode,
): Promise<ErrorRecording> {
  const { tier = 'starter', before = [], times = 1, note } = example;
  const seller = await rehearsal.newSeller(tier);
  for (const call of before)
    for (let count = 0; count < times; count += 1) await rehearsal.perform(call, seller);
  const mend = example.fault && (await FAULTS[example.fault](rehearsal));
  let exchange: Exchange;
  try {
    exchange = await rehearsal.perform(example.call, seller);
  } finally {
    if (mend) await mend();
  }
  if (!carries(exchange, code))
    throw new Error(`${code}: the example was answered otherwise\n${exchange.answer}`);
  const fixedCall = example.fixed ?? (mend && example.call);
  const fixed = fixedCall && (await rehearsal.perform(fixedCall, seller));
  if (fixed && fixed.status >= 300) throw new Error(`${code}: the corrected call failed\n${fixed.answer}`);
  const account = { tier, before, times, isFault: example.fault !== undefined };
  return { ...(note ? { note } : {}), ...account, exchange, ...(fixed ? { fixed } : {}) };
}

/** Whether the answer has this code: a stage's code is inside PIPELINE_FAILED. */
function carries({ answerJson }: Pick<Exchange, 'answerJson'>, code: ErrorCode): boolean {
  const error = readMember(answerJson, 'error');
  const stage = findStage(code);
  if (stage === null) return readMember(error, 'code') === code;
  const stageCode = readMember(readMember(readMember(error, 'details'), 'stages'), stage);
  return readMember(error, 'code') === 'PIPELINE_FAILED' && stageCode === code;
}

const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function expectStatus(exchange: Exchange, status: number, name: string): void {
  if (exchange.status !== status) throw new Error(`${name}: expected ${status}\n${exchange.answer}`);
}

/** The endpoint that answers a call. */
function findEndpoint({ method, path }: Call): Endpoint | undefined {
  const pathname = path.split('?')[0] ?? '';
  return ENDPOINTS.find((endpoint) => {
    const pattern = new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return endpoint.method === method && pattern.test(pathname);
  });
}

function toExamples(
  steps: Readonly<Record<StepName, Exchange>>,
  errors: Recording['errors'],
  wrongMethod: ErrorRecording,
): Examples {
  const examples: Record<string, ExampleCall[]> = {};
  const add = (call: Call, example: ExampleCall) => {
    const id = findEndpoint(call)?.id ?? '405';
    examples[id] = [...(examples[id] ?? []), example];
  };
  for (const [name, { call, title }] of storySteps()) add(call, toExample(name, title, steps[name]));
  for (const [code, { call, note }] of errorExamples()) {
    const example = toExample(code, note ?? ERRORS[code].when, errors[code].exchange);
    add(call, { ...example, code: outerCode(code) });
  }
  add(WRONG_METHOD.call, toExample('wrong-method', 'A method the path does not have', wrongMethod.exchange));
  return examples;
}

function outerCode(code: ErrorCode): ErrorCode {
  return findStage(code) === null ? code : 'PIPELINE_FAILED';
}

function toExample(name: string, summary: string, { status, sentJson, answerJson }: Exchange): ExampleCall {
  return { name, summary, status, request: sentJson, answer: answerJson };
}
