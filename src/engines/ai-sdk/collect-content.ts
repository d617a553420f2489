import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { PartMapper } from './part-mapper.js';
import { NAMESPACE } from './to-json.js';

type PartOf<Type extends LanguageModelV3StreamPart['type']> = Extract<
  LanguageModelV3StreamPart,
  { type: Type }
>;

/** Collects the parts of a step into the result of a call: tool calls and their results as well as text. */
export async function collectContent(
  parts: AsyncIterator<LanguageModelV3StreamPart, void>,
  mapper: PartMapper,
): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = [];
  const blocks = new Map<string, { type: 'text' | 'reasoning'; text: string }>();
  let start: PartOf<'stream-start'> | undefined;
  let response: PartOf<'response-metadata'> | undefined;
  let finish: PartOf<'finish'> | undefined;
  let restarts = 0;
  for (;;) {
    const { value: part } = await parts.next();
    if (part === undefined) break;
    if (part.type === 'error') throw part.error;
    if (mapper.restarts > restarts) {
      restarts = mapper.restarts;
      content.length = 0;
    }
    if (part.type === 'stream-start') start = part;
    if (part.type === 'response-metadata') response = part;
    if (part.type === 'finish') finish = part;
    if (part.type === 'tool-call' || (part.type === 'tool-result' && hasCall(content, part)))
      content.push(part);
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const { id, type, ...rest } = part;
      const block = {
        ...rest,
        type: type === 'text-start' ? 'text' : 'reasoning',
        text: '',
      } as const;
      blocks.set(id, block);
      content.push(block);
    }
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const block = blocks.get(part.id);
      if (block !== undefined) block.text += part.delta;
    }
  }
  if (finish === undefined) throw new Error('The parts of a step end with finish');
  const { finishReason, usage, providerMetadata } = finish;
  return {
    content: correctText(content, providerMetadata?.[NAMESPACE]?.['text']),
    finishReason,
    usage,
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
    ...(response === undefined ? {} : { response: toResponse(response) }),
    warnings: [...(start?.warnings ?? []), ...mapper.lateWarnings],
  };
}

/** False for the result of a call from before the step has begun again. */
function hasCall(content: readonly LanguageModelV3Content[], result: PartOf<'tool-result'>) {
  return content.some((part) => {
    return part.type === 'tool-call' && part.toolCallId === result.toolCallId;
  });
}

/** Replaces the text of a stream that broke and was repeated by the text of the result. */
function correctText(content: LanguageModelV3Content[], text: unknown): LanguageModelV3Content[] {
  if (typeof text !== 'string') return content;
  return [...content.filter(({ type }) => type !== 'text'), { type: 'text', text }];
}

function toResponse({ id, modelId, timestamp }: PartOf<'response-metadata'>) {
  return {
    ...(id === undefined ? {} : { id }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}
