import { Unavailable } from './faults.ts';

/** The language model behind chat. */

/** A tool that the model may call. Whatever `run` answers goes to the model as JSON; a throw ends the reply. */
export interface AssistantTool {
  name: string;
  description: string;
  /** JSON Schema of the input; the model may not keep to it. */
  parameters: {
    type: 'object';
    properties: Record<string, { type: 'string' | 'integer'; description: string; enum?: string[] }>;
    required: string[];
    additionalProperties: false;
  };
  run(input: unknown): Promise<unknown>;
}

export interface AssistantRequest {
  instructions: string;
  /** Oldest first; the last is the one to reply to. */
  messages: readonly { role: 'user' | 'assistant'; text: string }[];
  tools: readonly AssistantTool[];
  /** Calls of the model at most; in the last it may not call tools. */
  steps: number;
  signal: AbortSignal;
  /** Called once with the tokens that the reply cost, however it ended: as the provider says, else by their characters. */
  onTokens(tokens: number): void;
}

/** A language model. */
export interface Assistant {
  /**
   * The reply in pieces, as the model writes it. Throws `AssistantFailure`, also in the midst of it, and what a tool
   * throws.
   */
  reply(request: AssistantRequest): AsyncIterable<string>;
}

/** Nothing of a message or of the provider's answer is in it: both may be personal. */
export class AssistantFailure extends Unavailable {
  override name = 'AssistantFailure';
  readonly reason: 'unreachable' | 'refused' | 'timeout' | 'broke_off' | 'aborted';

  /** `status`: the provider's HTTP status. */
  constructor(reason: AssistantFailure['reason'], status?: number) {
    super(`the assistant: ${reason}${status === undefined ? '' : ` (${status})`}`);
    this.reason = reason;
  }
}
