import type { TurnCompleteEvent } from '../../api/agent-event.js';
import type { StepOutput } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import type { FollowedEnd } from './follow-job.js';
import { type ReceiveRequest, receiveChanges, withApplied } from './receive-changes.js';

export interface EndRequest extends ReceiveRequest {
  readonly generationId: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
}

export interface EndOfStep {
  readonly event: TurnCompleteEvent;
  readonly error: ProviderError | undefined;
}

/** Turns the end of a job into the end of the caller's step: its own id, its own context, and where the step ran. */
export async function endOfStep(end: FollowedEnd, request: EndRequest): Promise<EndOfStep> {
  const { generationId, context, jobId, durationMs } = request;
  const applied = await receiveChanges(end, request).catch((error: unknown) =>
    toProviderError(error),
  );
  if (ProviderError.isInstance(applied))
    return endOfStep({ outcome: end.outcome, error: applied }, { ...request, applyTo: undefined });
  const job = end.outcome?.job ?? { jobId, worker: '', host: '', attempt: 1, waitMs: 0, lost: [] };
  if (end.result !== undefined) {
    const result = { ...withApplied(end.result, applied), generationId, context, job };
    const { usage } = result;
    return {
      event: {
        type: 'turn-complete',
        subtype: 'success',
        isError: false,
        usage,
        durationMs,
        result,
      },
      error: undefined,
    };
  }
  const failed = end.error ?? new ProviderError({ code: 'UNKNOWN', message: 'The job has no end' });
  const partial: StepOutput | undefined = failed.partial && {
    ...withApplied(failed.partial, applied),
    generationId,
    job,
  };
  const error = new ProviderError({
    ...failed.toJSON(),
    generationId,
    partial,
    cause: failed.cause,
  });
  return {
    event: {
      type: 'turn-complete',
      subtype: error.code,
      isError: true,
      usage: partial?.usage,
      durationMs,
      error: error.toJSON(),
    },
    error,
  };
}
