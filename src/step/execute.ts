import type { AgentEvent } from '../api/agent-event.js';
import type { ExecuteOptions, ExecuteResult, PermissionMode } from '../api/execute-options.js';
import type { ApprovalMode } from '../api/provider-config.js';
import { readInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { readResult } from '../base/events/read-result.js';
import { listNames } from '../base/text/list-names.js';
import { createSuggest } from '../base/text/nearest-name.js';
import { readOptions } from '../config/accept-config.js';
import { invalidConfig, toProblem } from '../config/config-problem.js';
import { splitOptions } from '../config/split-options.js';
import { StepMessages } from '../sessions/messages/step-messages.js';
import { GeminiCliProvider } from './gemini-cli-provider.js';
import { unifyStep } from './unify-step.js';

const MODES: Readonly<Record<PermissionMode, ApprovalMode>> = {
  default: 'default',
  acceptEdits: 'auto_edit',
  bypassPermissions: 'yolo',
  plan: 'plan',
};

/**
 * Runs one step with a provider of its own. A failed step is returned with `success: false`, not thrown; so is a wrong
 * option. For more than one step, a provider is faster: it can keep its processes.
 */
export async function execute(options: ExecuteOptions): Promise<ExecuteResult> {
  const step = new StepMessages();
  try {
    const { prompt, promptFile, onEvent, signal, config } = readInput(
      'options',
      () => readExecuteOptions(options),
      'INVALID_CONFIG',
    );
    const provider = GeminiCliProvider.fromConfig(config);
    const stream = provider.stream(prompt, { promptFile }, { signal });
    const reading = readResult(observe(stream, step, onEvent));
    const { context: _, ...result } = await reading.finally(() => provider.dispose());
    return { ...result, success: true, messages: await unifyStep(step) };
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    const { text = '', files = [], usage, sessionId = error.sessionId } = error.partial ?? {};
    const messages = await unifyStep(step);
    return { success: false, error, messages, text, files, usage, sessionId };
  }
}

async function* observe(
  events: AsyncIterable<AgentEvent>,
  step: StepMessages,
  onEvent: ExecuteOptions['onEvent'],
): AsyncGenerator<AgentEvent, void> {
  for await (const event of events) {
    step.accept(event);
    onEvent?.(event);
    yield event;
  }
}

/** Options as they are given: no compiler has checked those of a caller in JavaScript. */
type Given = Partial<Record<keyof ExecuteOptions | 'approvalMode' | 'approval_mode', unknown>>;

function readExecuteOptions(options: ExecuteOptions) {
  const { signal, overrides } = splitOptions(readOptions(options, 'options'));
  const { prompt, promptFile, permissionMode, onEvent, ...config }: Given = overrides;
  const isMissing = permissionMode === undefined || permissionMode === null;
  const { approvalMode = config.approval_mode } = config;
  const text = prompt ?? (promptFile === undefined ? undefined : '');
  const problems = [
    ...(typeof text === 'string' ? [] : [toProblem(['prompt'], prompt, 'must be a text')]),
    ...(isMissing || isMode(permissionMode) ? [] : [describeMode(permissionMode)]),
    ...(isMissing || approvalMode === undefined
      ? []
      : [toProblem(['approvalMode'], approvalMode, 'cannot be combined with permissionMode')]),
    ...(onEvent === undefined || typeof onEvent === 'function'
      ? []
      : [toProblem(['onEvent'], typeof onEvent, 'must be a function')]),
    ...(promptFile === undefined || typeof promptFile === 'string'
      ? []
      : [toProblem(['promptFile'], promptFile, 'must be the path of a file')]),
  ];
  if (problems.length > 0) throw invalidConfig(problems);
  return {
    prompt: typeof text === 'string' ? text : '',
    promptFile: options.promptFile,
    onEvent: options.onEvent,
    signal,
    config: isMode(permissionMode) ? { ...config, approvalMode: MODES[permissionMode] } : config,
  };
}

function isMode(value: unknown): value is PermissionMode {
  return typeof value === 'string' && Object.hasOwn(MODES, value);
}

function describeMode(value: unknown) {
  const names = Object.keys(MODES);
  const suggestion = typeof value === 'string' ? createSuggest(names)(value) : '';
  const allowed = listNames(names.map((name) => JSON.stringify(name)));
  return toProblem(['permissionMode'], value, `must be ${allowed}${suggestion}`);
}
