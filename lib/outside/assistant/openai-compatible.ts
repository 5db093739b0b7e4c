import type { JSONSchema7 } from 'ai';
import { type Assistant, AssistantFailure, type AssistantRequest, type AssistantTool } from './assistant.ts';

export interface AssistantConfig {
  /** With the version: `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

/** Timeout of a choice with its tools. */
const TIMEOUT_MS = 15_000;
/** Most tokens of a step, thinking included. */
const MAX_TOKENS = 1_500;
/** A larger number is no count of one message. */
const MAX_COUNTED = 1_000_000;
/** Rather too many tokens than too few: English has four characters or more. */
const CHARACTERS_PER_TOKEN = 3;
/** Any endpoint that speaks OpenAI's chat completions, by the AI SDK; both packages are loaded when first needed. */
export const openAiCompatible = (config: AssistantConfig, timeoutMs = TIMEOUT_MS): Assistant => ({
  choose: (request) => choose(config, request, AbortSignal.timeout(timeoutMs)),
});

async function choose(
  config: AssistantConfig,
  request: AssistantRequest,
  timeout: AbortSignal,
): Promise<unknown> {
  const { instructions, signal, onTokens } = request;
  const { generateText, isStepCount, jsonSchema, tool } = await import('ai');
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  // The SDK would print warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { baseUrl: baseURL, apiKey, model } = config;
  let choice: unknown = null;
  const broken = new AbortController();
  const toSdkTool = ({ description, parameters, run }: AssistantTool) =>
    tool({
      description,
      inputSchema: jsonSchema<unknown>(parameters as JSONSchema7),
      execute: (input) =>
        run(input).catch((error: unknown) => {
          broken.abort(error);
          throw error;
        }),
    });
  const answer: AssistantTool = {
    name: 'answer',
    description: 'Ends the choice: what is said to the visitor.',
    parameters: request.answer,
    run: async (input) => {
      choice = input;
    },
  };
  const tools = [...request.tools, answer];
  let tokens = Math.ceil(
    JSON.stringify([instructions, tools, request.messages]).length / CHARACTERS_PER_TOKEN,
  );
  try {
    const { totalUsage } = await generateText({
      model: createOpenAICompatible({ name: 'assistant', baseURL, apiKey })(model),
      instructions,
      messages: request.messages.map(({ role, text }) => ({ role, content: text })),
      tools: Object.fromEntries(tools.map((definition) => [definition.name, toSdkTool(definition)])),
      toolChoice: 'required',
      stopWhen: [isStepCount(request.steps), () => choice !== null],
      maxOutputTokens: MAX_TOKENS,
      // A visitor waits: a retry would take too long.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout, broken.signal]),
    });
    tokens = Math.min(Math.max(Math.trunc(totalUsage.totalTokens ?? 0), 0) || tokens, MAX_COUNTED);
  } catch (error) {
    broken.signal.throwIfAborted();
    if (signal.aborted) throw new AssistantFailure('aborted');
    const { name, statusCode: status } = Object(error);
    // Only the kind of failure is passed on, because the SDK's errors carry messages and answers. Nonsense is no
    // failure.
    if (!timeout.aborted && name === 'AI_APICallError' && !(Number(status) < 400)) {
      tokens = 0;
      throw new AssistantFailure(status ? 'refused' : 'unreachable', status);
    }
  } finally {
    onTokens(tokens);
  }
  return choice;
}
