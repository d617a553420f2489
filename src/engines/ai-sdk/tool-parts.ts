import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResult,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { DeniedTool, ToolCategory } from '../../api/tool.js';
import type {
  ToolCompletionEvent,
  ToolInvocationEvent,
  ToolUpdateEvent,
} from '../../api/tool-event.js';
import { NAMESPACE, toJsonObject } from './to-json.js';

/** Categories whose calls cannot change anything. */
const HARMLESS: readonly ToolCategory[] = ['file-read', 'search-fetch', 'planning', 'ask-user'];

interface OpenCall {
  readonly toolName: string;
  /** Arguments as they were sent with the call. */
  readonly sent: string;
  /** Arguments as they are known now. */
  latest: string;
}

/**
 * Maps tool calls of the agent. Every call is `dynamic` and `providerExecuted`: the AI SDK does not know the tools, and must
 * not run them. Each call gets exactly one result.
 */
export class ToolParts {
  readonly #open = new Map<string, OpenCall>();
  readonly #seen = new Set<string>();
  #hasActed = false;

  /** True if a call may have changed something, so that a second run of the step would repeat it. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  begin(event: ToolInvocationEvent): LanguageModelV3StreamPart[] {
    const { callId, toolName, title, kind, category, locations, parentCallId } = event;
    if (this.#seen.has(callId)) return [];
    const input = JSON.stringify(event.input);
    this.#seen.add(callId);
    this.#open.set(callId, { toolName, sent: input, latest: input });
    const providerMetadata = metadataOf({ kind, category, locations, parentCallId });
    const run = { providerExecuted: true, dynamic: true };
    const named = title === undefined ? {} : { title };
    return [
      { type: 'tool-input-start', id: callId, toolName, ...run, ...named },
      { type: 'tool-input-delta', id: callId, delta: input },
      { type: 'tool-input-end', id: callId },
      { type: 'tool-call', toolCallId: callId, toolName, input, ...run, providerMetadata },
    ];
  }

  /** Remembers arguments that the agent told later. The part of the call is out by then; its result carries them. */
  update({ callId, input }: ToolUpdateEvent): void {
    const call = this.#open.get(callId);
    if (call !== undefined) call.latest = JSON.stringify(input);
  }

  end(event: ToolCompletionEvent): LanguageModelV3StreamPart[] {
    const { callId, kind, category, status, isError, output, error, derived } = event;
    const missing = this.#seen.has(callId) ? [] : this.begin(toInvocation(event));
    const call = this.#open.get(callId);
    // The call has its result already.
    if (call === undefined) return missing;
    this.#open.delete(callId);
    if (!isError && !HARMLESS.includes(category)) this.#hasActed = true;
    // A command that failed may have done half of its work.
    if (isError && category === 'command' && error?.type !== 'policy_violation')
      this.#hasActed = true;
    const result: LanguageModelV3ToolResult = {
      type: 'tool-result',
      toolCallId: callId,
      toolName: call.toolName,
      result: isError ? toJsonObject({ ...error, output }) : (output ?? ''),
      isError,
      dynamic: true,
      providerMetadata: metadataOf({ kind, category, status, ...derived, ...changedInput(call) }),
    };
    return [...missing, result];
  }

  /** Gives every call that is still open an error as its result, once the step is over. */
  closeAll(deniedTools: readonly DeniedTool[]): LanguageModelV3StreamPart[] {
    const parts = [...this.#open].map(([toolCallId, call]): LanguageModelV3StreamPart => {
      const denied = deniedTools.find(({ toolId }) => toolId === toolCallId);
      // A call without an outcome may have done its work.
      if (denied === undefined) this.#hasActed = true;
      const result = denied ?? {
        type: 'no_result',
        message: 'The step ended before the agent reported the result of this call',
      };
      return {
        type: 'tool-result',
        toolCallId,
        toolName: call.toolName,
        result: toJsonObject(result),
        isError: true,
        dynamic: true,
        providerMetadata: metadataOf({ status: 'failed', ...changedInput(call) }),
      };
    });
    this.#open.clear();
    return parts;
  }
}

/** Makes up the call of a result that came without one: the AI SDK takes no result without its call. */
function toInvocation(event: ToolCompletionEvent): ToolInvocationEvent {
  const { callId, toolName = 'unknown', kind, category } = event;
  return { type: 'tool-invocation', callId, toolName, kind, category, input: {} };
}

function changedInput({ sent, latest }: OpenCall): { readonly input?: unknown } {
  return sent === latest ? {} : { input: JSON.parse(latest) };
}

function metadataOf(facts: object): SharedV3ProviderMetadata {
  return { [NAMESPACE]: toJsonObject(facts) };
}
