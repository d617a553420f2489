import { messageOf } from '../../../base/errors/message-of.js';
import { ProviderError } from '../../../base/errors/provider-error.js';
import type { HostAnswer } from './host-methods.js';

/** Turns the end of a call into data for another process. A `ProviderError` keeps its code and its details. */
export function toAnswer<T>(settled: PromiseSettledResult<T>): HostAnswer<T> {
  if (settled.status === 'fulfilled') return { value: settled.value };
  const { reason } = settled;
  return { error: ProviderError.isInstance(reason) ? reason.toJSON() : messageOf(reason) };
}

/** Reverts `toAnswer`. */
export function fromAnswer<T>(answer: HostAnswer<T>): PromiseSettledResult<T> {
  if ('value' in answer) return { status: 'fulfilled', value: answer.value };
  const { error } = answer;
  const isText = typeof error === 'string';
  return {
    status: 'rejected',
    reason: isText ? new Error(error) : new ProviderError(Object(error)),
  };
}
