import { type Assistant, AssistantFailure, type AssistantTool } from '../../ports/assistant.ts';
import { countTokens } from './count-tokens.ts';

export interface AssistantConfig {
  /** With the version: `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

export interface AssistantTimeouts {
  /** Without any sign from the provider, at the beginning too. */
  idleMs: number;
  /** For everything, tools included. */
  totalMs: number;
}

const TIMEOUTS: AssistantTimeouts = { idleMs: 15_000, totalMs: 60_000 };
/** Of a step, thinking included. */
const MAX_TOKENS = 1_500;

/** Any endpoint that speaks OpenAI's chat completions, by the AI SDK; both packages are loaded when first needed. */
export function openAiCompatible(config: AssistantConfig, timeouts = TIMEOUTS): Assistant {
  return {
    async *reply({ onTokens, ...request }) {
      const { instructions, messages, tools, steps, signal } = request;
      const { streamText, isStepCount, jsonSchema, tool } = await import('ai');
      const model = await loadModel(config);
      const watchdog = startWatchdog(timeouts);
      let broken: { error: unknown } | undefined;
      const toSdkTool = ({ description, parameters, run }: AssistantTool) =>
        tool({
          description,
          inputSchema: jsonSchema<unknown>(parameters),
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
      const { stream } = streamText({
        model,
        instructions,
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        tools: Object.fromEntries(tools.map((one) => [one.name, toSdkTool(one)])),
        stopWhen: isStepCount(steps),
        // The last step has to say something.
        prepareStep: ({ stepNumber }) => (stepNumber >= steps - 1 ? { toolChoice: 'none' } : undefined),
        maxOutputTokens: MAX_TOKENS,
        // Somebody is waiting: better to say so at once.
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, watchdog.signal]),
        // What failed comes as a part of the stream; by default it would be printed, messages and all.
        onError: () => undefined,
      });
      const count = countTokens(request);
      let finished = false;
      try {
        for await (const part of stream) {
          count.add(part);
          if (broken) break;
          watchdog.resetIdleTimer();
          if (part.type === 'text-delta') yield part.text;
          // Texts of two steps are not one sentence.
          else if (part.type === 'text-end') yield '\n';
          else if (part.type === 'error') throw part.error;
          else if (part.type === 'abort') throw new AssistantFailure('timeout');
          else if (part.type === 'finish') finished = part.rawFinishReason !== undefined;
        }
      } catch (error) {
        if (signal.aborted) throw new AssistantFailure('aborted');
        throw watchdog.signal.aborted ? new AssistantFailure('timeout') : toFailure(error);
      } finally {
        watchdog.stop();
        onTokens(count.total());
      }
      if (broken) throw broken.error;
      if (signal.aborted) throw new AssistantFailure('aborted');
      if (!finished) throw new AssistantFailure('broke_off');
    },
  };
}

async function loadModel({ baseUrl, apiKey, model }: AssistantConfig) {
  const [{ wrapLanguageModel, extractReasoningMiddleware }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  // It would print warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return wrapLanguageModel({
    model: createOpenAICompatible({ name: 'assistant', baseURL: baseUrl, apiKey, includeUsage: true })(model),
    // Open models think aloud; that is not for visitors.
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  });
}

/** Only what kind of failure it was: the SDK's errors carry messages and answers. */
function toFailure(error: unknown): AssistantFailure {
  if (error instanceof AssistantFailure) return error;
  if (typeof error !== 'object' || error === null) return new AssistantFailure('broke_off');
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
  if (status !== null && status >= 400) return new AssistantFailure('refused', status);
  const uncalled = status === null && 'name' in error && error.name === 'AI_APICallError';
  return new AssistantFailure(uncalled ? 'unreachable' : 'broke_off');
}

/** Aborts when nothing came for too long, or when all of it takes too long. */
function startWatchdog({ idleMs, totalMs }: AssistantTimeouts) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const total = setTimeout(abort, totalMs);
  let idle = setTimeout(abort, idleMs);
  return {
    signal: controller.signal,
    resetIdleTimer() {
      clearTimeout(idle);
      idle = setTimeout(abort, idleMs);
    },
    stop() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}
