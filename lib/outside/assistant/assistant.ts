import { Unavailable } from '../faults.ts';

/** The language model behind chat. */

/** A tool that the model may call. What `run` returns goes to the model as JSON; a throw ends the choice. */
export interface AssistantTool {
  name: string;
  description: string;
  /** JSON Schema of the input; the model may not keep to it. */
  parameters: object;
  run(input: unknown): Promise<unknown>;
}

export interface AssistantRequest {
  instructions: string;
  /** Oldest first; the last is the one to answer. */
  messages: readonly { role: 'user' | 'assistant'; text: string }[];
  tools: readonly AssistantTool[];
  /** JSON Schema of what is to be chosen. */
  answer: object;
  /** Calls of the model at most. */
  steps: number;
  signal: AbortSignal;
  /** Called once with the tokens that the choice cost, however it ended: as the provider says, else by their characters. */
  onTokens(tokens: number): void;
}

/** A language model. */
export interface Assistant {
  /**
   * What it chose, which may not keep to the schema; null when it chose nothing, or not in time. Throws `AssistantFailure`, and
   * what a tool throws.
   */
  choose(request: AssistantRequest): Promise<unknown>;
}

/** Nothing of a message or of the provider's answer is in it: both may be personal. */
export class AssistantFailure extends Unavailable {
  override name = 'AssistantFailure';
  override readonly publicMessage = 'The assistant does not answer right now; the lead form works.';
  readonly reason: 'unreachable' | 'refused' | 'aborted';

  /** The provider's HTTP status. */
  readonly status: number | undefined;

  constructor(reason: AssistantFailure['reason'], status?: number) {
    super(`the assistant: ${reason}${status === undefined ? '' : ` (${status})`}`);
    this.reason = reason;
    this.status = status;
  }
}
