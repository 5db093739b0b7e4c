import type { JSONSchema7 } from 'ai';
import {
  type Assistant,
  AssistantFailure,
  type AssistantRequest,
  type AssistantTool,
} from '../../ports/assistant.ts';

export interface AssistantConfig {
  /** With the version: `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

/** For a choice, tools included. */
const TIMEOUT_MS = 20_000;
/** Of a step, thinking included. */
const MAX_TOKENS = 1_500;
/** Rather too many tokens than too few: English has four characters or more. */
const CHARACTERS_PER_TOKEN = 3;
/** By which providers say that they know no tools, or not these. */
const WITHOUT_TOOLS: ReadonlySet<number | undefined> = new Set([400, 404, 422, 501]);

/** Any endpoint that speaks OpenAI's chat completions, by the AI SDK; both packages are loaded when first needed. */
export function openAiCompatible(config: AssistantConfig, timeoutMs = TIMEOUT_MS): Assistant {
  let knowsTools = true;
  return {
    async choose(request) {
      if (knowsTools)
        try {
          return await choose(config, request, timeoutMs, true);
        } catch (error) {
          if (!(error instanceof AssistantFailure && WITHOUT_TOOLS.has(error.status))) throw error;
        }
      const answer = await choose(config, request, timeoutMs, false);
      knowsTools = false;
      return answer;
    },
  };
}

async function choose(
  config: AssistantConfig,
  request: AssistantRequest,
  timeoutMs: number,
  withTools: boolean,
): Promise<unknown> {
  const { signal, onTokens } = request;
  const { generateText, isStepCount, jsonSchema, tool } = await import('ai');
  const model = await loadModel(config);
  const late = AbortSignal.timeout(timeoutMs);
  let chosen: unknown = null;
  let broken: { error: unknown } | undefined;
  const toSdkTool = ({ description, parameters, run }: AssistantTool) =>
    tool({
      description,
      inputSchema: jsonSchema<unknown>(parameters as JSONSchema7),
      async execute(input) {
        try {
          return await run(input);
        } catch (error) {
          broken ??= { error };
          // The message of what is thrown goes to the model.
          throw new Error('The tool does not answer.');
        }
      },
    });
  const answer: AssistantTool = {
    name: 'answer',
    description: 'Ends the choice: what is said to the visitor.',
    parameters: request.answer,
    run: async (input) => {
      chosen = input;
    },
  };
  const tools = withTools ? [...request.tools, answer] : [];
  const instructions = withTools
    ? request.instructions
    : `${request.instructions}\nThere are no tools: reply with nothing but JSON of this schema: ${JSON.stringify(request.answer)}`;
  let tokens = Math.ceil(
    JSON.stringify([instructions, tools, request.messages]).length / CHARACTERS_PER_TOKEN,
  );
  try {
    const { text, totalUsage } = await generateText({
      model,
      instructions,
      messages: request.messages.map(({ role, text }) => ({ role, content: text })),
      tools: Object.fromEntries(tools.map((one) => [one.name, toSdkTool(one)])),
      toolChoice: withTools ? 'required' : 'none',
      stopWhen: [isStepCount(request.steps), () => chosen !== null || broken !== undefined],
      maxOutputTokens: MAX_TOKENS,
      // Somebody is waiting: better to go on at once.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, late]),
    });
    tokens = totalUsage.totalTokens || tokens;
    chosen ??= parseJson(text);
  } catch (error) {
    if (signal.aborted) throw new AssistantFailure('aborted');
    const failure = late.aborted ? null : toFailure(error);
    if (failure !== null) throw failure;
  } finally {
    onTokens(tokens);
  }
  if (broken) throw broken.error;
  return chosen;
}

/** What stands between the outermost braces of a text; null when that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

async function loadModel({ baseUrl, apiKey, model }: AssistantConfig) {
  const [{ wrapLanguageModel, extractReasoningMiddleware }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  // It would print warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return wrapLanguageModel({
    model: createOpenAICompatible({ name: 'assistant', baseURL: baseUrl, apiKey })(model),
    // Open models think aloud.
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  });
}

/** Only what kind of failure it was: the SDK's errors carry messages and answers. Null: it was reached, and talked nonsense. */
function toFailure(error: unknown): AssistantFailure | null {
  if (typeof error !== 'object' || error === null) return null;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
  if (status !== null && status >= 400) return new AssistantFailure('refused', status);
  const isUncalled = status === null && 'name' in error && error.name === 'AI_APICallError';
  return isUncalled ? new AssistantFailure('unreachable') : null;
}
