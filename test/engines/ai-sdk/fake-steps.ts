import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { GenerateOptions } from '../../../src/api/generate-options.js';
import type { ResponseProvider } from '../../../src/api/response-provider.js';
import type { GenerateResult, Usage } from '../../../src/api/result.js';
import { ProviderError, type ProviderErrorInit } from '../../../src/base/errors/provider-error.js';
import { readResult } from '../../../src/base/events/read-result.js';

const TOKENS = { total: 1525, input: 1000, output: 20, cached: 400, thoughts: 500, tool: 5 };
export const USAGE: Usage = { ...TOKENS, models: { 'gemini-2.5-flash': TOKENS }, toolCalls: 1 };

export interface RecordedStep {
  readonly prompt: string;
  readonly context: object;
  readonly options: GenerateOptions;
  isLeft: boolean;
}

export interface FakeSteps extends ResponseProvider {
  readonly steps: RecordedStep[];
  readonly disposals: { count: number };
}

/** Events of one step, an error that it throws after them, or a function that makes the events. */
export type FakeStep =
  | readonly (AgentEvent | ProviderError)[]
  | ((step: RecordedStep) => AsyncIterable<AgentEvent>);

/** Creates a provider whose steps yield prepared events: the last entry is used for all further steps. */
export function fakeSteps(...scripts: readonly FakeStep[]): FakeSteps {
  const steps: RecordedStep[] = [];
  const disposals = { count: 0 };
  async function* stream(prompt = '', context: object = {}, options: GenerateOptions = {}) {
    const step: RecordedStep = { prompt, context, options, isLeft: true };
    const script = scripts[Math.min(steps.length, scripts.length - 1)] ?? [];
    steps.push(step);
    const events = typeof script === 'function' ? script(step) : script;
    for await (const event of events) {
      if (ProviderError.isInstance(event)) {
        step.isLeft = false;
        throw event;
      }
      yield event;
    }
    step.isLeft = false;
  }
  const dispose = async () => {
    disposals.count += 1;
  };
  return {
    steps,
    disposals,
    metadata: {
      name: 'fake',
      description: 'Steps of a test',
      requiresConfig: false,
      configKeys: ['model', 'priority'],
      defaultResponseTimeout: 1,
      fsAbility: 'none',
    },
    validate: () => Promise.reject(new Error('not used')),
    generate: (...call: Parameters<typeof stream>) => readResult(stream(...call)) as never,
    stream,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

export const session: AgentEvent = {
  type: 'session-init',
  sessionId: 'session-1',
  model: 'gemini-2.5-flash',
  timestamp: '2026-11-18T10:00:00.000Z',
};

export function text(piece: string, textKind: 'text' | 'thinking' | 'plan' = 'text'): AgentEvent {
  return { type: 'text-delta', text: piece, textKind };
}

export function calls(callId: string, input: Record<string, unknown> = {}): AgentEvent {
  const category = 'file-write';
  return { type: 'tool-invocation', callId, toolName: 'write_file', kind: 'edit', category, input };
}

export function completes(
  callId: string,
  more: Partial<Extract<AgentEvent, { type: 'tool-completion' }>> = {},
): AgentEvent {
  return {
    type: 'tool-completion',
    callId,
    toolName: 'write_file',
    kind: 'edit',
    category: 'file-write',
    status: more.isError === true ? 'failed' : 'completed',
    isError: false,
    ...more,
  };
}

export function resultOf(more: Partial<GenerateResult> = {}): GenerateResult {
  return {
    generationId: 'generation-1',
    text: '',
    files: [],
    filesWritten: {},
    deniedTools: [],
    warnings: [],
    usage: USAGE,
    sessionId: 'session-1',
    model: 'gemini-2.5-flash',
    durationMs: 12,
    transport: 'acp',
    cliVersion: '0.61.0',
    recovered: false,
    repairs: 0,
    context: {},
    ...more,
  };
}

export function succeeds(more: Partial<GenerateResult> = {}): AgentEvent {
  const result = resultOf(more);
  return { type: 'turn-complete', subtype: 'success', isError: false, usage: result.usage, result };
}

/** The last event of a failed step, and the error that its stream throws. */
export function fails(init: Omit<ProviderErrorInit, 'message'>): (AgentEvent | ProviderError)[] {
  const error = new ProviderError({ message: 'The step failed', ...init });
  const { code: subtype } = init;
  return [{ type: 'turn-complete', subtype, isError: true, error: error.toJSON() }, error];
}
