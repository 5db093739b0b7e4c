import type { TextStreamPart, ToolSet } from 'ai';
import type { AssistantRequest } from '../../ports/assistant.ts';

/** Rather too many than too few: English has four or more. */
const CHARACTERS_PER_TOKEN = 3;

/** Counts the tokens of a reply, step by step: as the provider says, else by the characters sent and received so far. */
export function countTokens({ instructions, messages, tools }: Omit<AssistantRequest, 'onTokens'>) {
  let characters = JSON.stringify([instructions, messages, tools]).length;
  let tokens = 0;
  let isOpen = false;
  const estimate = () => Math.ceil(characters / CHARACTERS_PER_TOKEN);
  return {
    add(part: TextStreamPart<ToolSet>): void {
      if (part.type === 'start-step') isOpen = true;
      else if ('text' in part) characters += part.text.length;
      else if (part.type === 'tool-result') characters += JSON.stringify(part.output).length;
      else if (part.type === 'finish-step') {
        tokens += part.usage.totalTokens || estimate();
        isOpen = false;
      }
    },
    /** A step that broke off is estimated. */
    total: () => tokens + (isOpen ? estimate() : 0),
  };
}
