import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { ProviderError } from '../../base/errors/provider-error.js';

/** Longest input or result of an earlier tool call in a transcript. */
const LONGEST_TOOL_TEXT = 2_000;
const TEXT_FILE = /^(?:text\/|application\/(?:json|xml|yaml|javascript|typescript)$)/;

/** Prompt of the AI SDK as one prompt for an agent. */
export interface MappedPrompt {
  readonly prompt: string;
  /** Text of all system messages. Undefined if there is none. */
  readonly system: string | undefined;
  readonly warnings: readonly SharedV3Warning[];
}

/**
 * Maps messages to one prompt. An agent takes one prompt at a time: a longer conversation is sent as a transcript, or, if a
 * session is resumed, the messages of the user after the last answer are sent.
 */
export function mapPrompt(messages: LanguageModelV3Prompt, isResumed: boolean): MappedPrompt {
  const warnings: SharedV3Warning[] = [];
  const system = messages.flatMap((message) => (message.role === 'system' ? message.content : []));
  const turns = messages.filter(({ role }) => role !== 'system');
  const lastAnswer = turns.findLastIndex(({ role }) => role !== 'user');
  const asked = turns.slice(lastAnswer + 1);
  const isTranscript = !isResumed && lastAnswer >= 0;
  if (asked.length === 0 && (isResumed || turns.length === 0)) throw noUserMessage();
  if (isTranscript) warnings.push(TRANSCRIPT);
  const texts = (isTranscript ? turns : asked).map((message) => ({
    role: message.role,
    text: textOf(message, warnings),
  }));
  return {
    prompt: isTranscript ? toTranscript(texts) : texts.map(({ text }) => text).join('\n\n'),
    system: system.length === 0 ? undefined : system.join('\n\n'),
    warnings,
  };
}

const TRANSCRIPT: SharedV3Warning = {
  type: 'compatibility',
  feature: 'message history',
  details:
    "The messages are sent as a transcript in one prompt. To continue the agent's own session, give its id as providerOptions['gemini-cli'].resume.",
};

function noUserMessage(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The prompt has no message of the user after the last answer',
    hint: 'End the messages with one of the role "user".',
  });
}

function toTranscript(texts: readonly { readonly role: string; readonly text: string }[]): string {
  const lines = texts.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`);
  return ['This is a conversation so far. Continue it: answer its last message.', ...lines].join(
    '\n\n',
  );
}

function textOf(message: LanguageModelV3Message, warnings: SharedV3Warning[]): string {
  if (message.role === 'system') return message.content;
  const parts = message.content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text;
      case 'file':
        return describeFile(part, warnings);
      case 'tool-call':
        return `[tool call ${part.toolName}: ${shorten(part.input)}]`;
      case 'tool-result':
        return `[result of ${part.toolName}: ${shorten(outputOf(part))}]`;
      case 'tool-approval-response':
        return `[tool call ${part.approved ? 'approved' : 'refused'}]`;
      // Thoughts of an earlier answer are not repeated: the model would take them for instructions.
      case 'reasoning':
        return '';
      default:
        return part satisfies never;
    }
  });
  return parts.filter((text) => text !== '').join('\n');
}

function outputOf({ output }: LanguageModelV3ToolResultPart): unknown {
  return output.type === 'execution-denied' ? `denied ${output.reason ?? ''}` : output.value;
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= LONGEST_TOOL_TEXT ? text : `${text.slice(0, LONGEST_TOOL_TEXT)} …`;
}

/** Puts text files into the prompt and names others. A step has no channel for the bytes of an image or a document. */
function describeFile(
  { filename, mediaType, data }: LanguageModelV3FilePart,
  warnings: SharedV3Warning[],
): string {
  const name = filename ?? 'without a name';
  const isText = TEXT_FILE.test(mediaType);
  if (isText && !(data instanceof URL)) return `[file ${name}]\n${decode(data)}\n[end of file]`;
  const feature = `file part (${mediaType})`;
  if (data instanceof URL) {
    warnings.push({ type: 'compatibility', feature, details: 'The agent gets the address alone.' });
    return `[file ${name}: ${data.href}]`;
  }
  const details =
    'The file is left out. Write it into the working directory and name its path in the prompt.';
  warnings.push({ type: 'unsupported', feature, details });
  return `[file ${name} (${mediaType}) was left out]`;
}

function decode(data: string | Uint8Array): string {
  return typeof data === 'string'
    ? Buffer.from(data, 'base64').toString('utf8')
    : Buffer.from(data).toString('utf8');
}
