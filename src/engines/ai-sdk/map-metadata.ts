import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { ProviderErrorData } from '../../api/error.js';
import type { GenerateResult, StepOutput } from '../../api/result.js';
import { NAMESPACE, toJsonObject } from './to-json.js';

/** Facts about a call that are not in the result of its step. */
export interface CallFacts {
  /** API requests that the CLI has repeated. */
  readonly apiRetries: number;
  /** Milliseconds until the first text, thought or tool call. Undefined if there was none. */
  readonly ttftMs: number | undefined;
  /** Text of the answer, if it differs from the text that was streamed. */
  readonly text: string | undefined;
}

/** Maps everything that a step tells beside its text: manifest, refused tools, session, warnings, usage. */
export function mapMetadata(
  output: StepOutput | GenerateResult | undefined,
  facts: CallFacts,
  error?: ProviderErrorData,
): SharedV3ProviderMetadata {
  // The text is the content of the answer, and the context is the caller's own.
  const { text: _text, ...step } = output ?? { text: '' };
  const { context: _context, ...rest }: Partial<GenerateResult> = step;
  const { partial: _partial, ...failure } = error ?? {};
  const failed = error === undefined ? {} : { error: failure };
  return { [NAMESPACE]: toJsonObject({ ...rest, ...facts, ...failed }) };
}
