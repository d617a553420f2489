import type { AgentEvent, SessionMessagesEvent } from '../../api/agent-event.js';
import type { GenerateResult } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isObject } from '../../base/json/is-object.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { Takeover } from '../../base/process/takeover.js';
import { sleep } from '../../base/process/timing.js';
import type { QueuePause } from '../job-info.js';
import { parseBatch } from '../protocol/event-batch.js';
import { type Outcome, reviveError, unpackOutcome } from '../protocol/outcome.js';
import { readPayload } from '../protocol/payload.js';
import { describeQueuePause } from '../protocol/queue-controls.js';
import { type FollowRequest, JobInbox, type NoResult } from './job-inbox.js';
import type { JobEnd } from './job-watch.js';

/** Time that events may be later than the result. What is missing then comes from the result. */
const LATE_EVENTS_MS = 100;
const LATE_EVENTS_LOOKS = 10;

/** Longest wait for the end of a job that was cancelled. */
const CANCEL_WAIT_MS = 10_000;

/** Signals that end the following before the job has ended. */
export interface FollowSignals {
  readonly detached?: AbortSignal | undefined;
  readonly cancelled?: AbortSignal | undefined;
}

/** How a job ended, for the caller. */
export interface FollowedEnd {
  readonly outcome: Outcome | undefined;
  /** Result of the worker, with the worker's own context. */
  readonly result?: GenerateResult | undefined;
  readonly error?: ProviderError | undefined;
  /** True if no worker took the job in time, and the job is still there. */
  readonly isExpired?: boolean | undefined;
}

/** Follows a job: yields its events in order, and returns its end. */
export async function* followJob(
  request: FollowRequest,
  { detached, cancelled }: FollowSignals = {},
): AsyncGenerator<AgentEvent, FollowedEnd> {
  const { id, watch, queueName } = request;
  const inbox = new JobInbox(request);
  const stops = [watch.follow(id, queueName, inbox)];
  if (detached) stops.push(callOnAbort(detached, () => inbox.ended({ kind: 'detached' })));
  if (cancelled)
    stops.push(
      callOnAbort(cancelled, () => {
        if (Takeover.isInstance(cancelled.reason)) return inbox.ended({ kind: 'detached' });
        const timer = setTimeout(() => inbox.ended({ kind: 'unconfirmed' }), CANCEL_WAIT_MS);
        stops.push(() => clearTimeout(timer));
      }),
    );
  try {
    // A job that has ended already is answered at once. While the store is away, the timer of the watch asks again.
    if (request.isNew === true && !watch.hasEndedEarly(id)) inbox.waiting();
    else void watch.look(id).catch(() => {});
    for (;;) {
      yield* inbox.take();
      const { end } = inbox;
      if (end !== undefined) return yield* conclude(request, inbox, end);
      await inbox.wait();
    }
  } finally {
    for (const stop of stops) stop();
  }
}

async function* conclude(
  request: FollowRequest,
  inbox: JobInbox,
  end: NonNullable<JobInbox['end']>,
): AsyncGenerator<AgentEvent, FollowedEnd> {
  const { id, store, trust } = request;
  if (end.kind !== 'completed' && end.kind !== 'failed')
    return {
      outcome: undefined,
      error: explain(end.kind, inbox.pause),
      isExpired: end.kind === 'expired',
    };
  const [kind, value] =
    end.kind === 'completed' ? (['result', end.value] as const) : (['error', end.reason] as const);
  const outcome = unpackOutcome(kind, id, value, trust);
  if (outcome === undefined) return { outcome, error: explainUnknownEnd(end) };
  const text = await store.ask(() => readPayload(outcome.content, store.blobs));
  const content: unknown = JSON.parse(text);
  if (!isObject(content)) return { outcome, error: reviveError(undefined) };
  inbox.assigned(outcome.job);
  yield* fillGaps(inbox, content);
  if (isResult(content['result'])) {
    const { messages, result } = content;
    if (isMessages(messages)) yield messages;
    return { outcome, result };
  }
  return { outcome, error: reviveError(content['error']) };
}

/** Waits a moment for late events, takes the last ones from the result, and the rest of the text if some were lost. */
async function* fillGaps(
  inbox: JobInbox,
  { sent, tail: given, result, error }: Readonly<Record<string, unknown>>,
): AsyncGenerator<AgentEvent, void> {
  const count = typeof sent === 'number' ? sent : 0;
  const tail = parseBatch(given);
  const before = tail?.seq ?? count;
  for (let look = 0; look < LATE_EVENTS_LOOKS && (inbox.guard?.seen ?? 0) < before; look++) {
    await sleep(LATE_EVENTS_MS / LATE_EVENTS_LOOKS);
  }
  if (tail !== undefined) inbox.events(tail);
  yield* inbox.take();
  inbox.guard?.end(count);
  const lost = inbox.guard?.lost ?? 0;
  if (lost === 0) return;
  const output = isResult(result) ? result : isObject(error) ? error['partial'] : undefined;
  const text = isObject(output) && typeof output['text'] === 'string' ? output['text'] : '';
  const rest = inbox.guard?.restOf(text) ?? '';
  if (rest !== '') yield { type: 'text-delta', text: rest, textKind: 'text' };
  const message = `${lost} events were lost between worker and caller. The result is complete.`;
  yield { type: 'session-status', status: 'warning', message };
}

const EXPLANATIONS = {
  gone: {
    code: 'CANCELLED',
    message: 'The job was removed from the queue',
    hint: 'The job was cancelled, drained, or removed because of its age. Run the step again if that was not meant.',
  },
  expired: {
    code: 'TIMEOUT',
    message: 'No worker took the job in time',
    hint: 'Start a worker with the labels that the step asks for, or raise `waitTimeout` (`--wait-timeout`).',
  },
  detached: {
    code: 'CANCELLED',
    message: 'The caller has left the job on the queue',
    hint: 'Call with the same `idempotencyKey` again to get the result.',
  },
  unconfirmed: {
    code: 'CANCELLED',
    message: 'The job is cancelled, but its worker or the store has given no answer yet',
    hint: 'The worker ends the step as soon as it sees the store again.',
  },
} as const;

function explain(kind: NoResult, pause: QueuePause | undefined): ProviderError {
  const explanation = EXPLANATIONS[kind];
  if (kind !== 'expired' || pause === undefined) return new ProviderError(explanation);
  return new ProviderError({
    ...explanation,
    message: `${explanation.message}: ${describeQueuePause(pause)}`,
    hint: 'Wait until then, end the pause with `gemini-cli-provider queue resume`, or raise `waitTimeout` (`--wait-timeout`).',
  });
}

/** BullMQ itself ended the job: its workers were lost too often. */
function explainUnknownEnd(end: JobEnd): ProviderError {
  const reason = end.kind === 'failed' ? end.reason : 'no result';
  return new ProviderError({
    code: 'INCOMPLETE',
    message: `The job ended without a result of a worker: ${reason.slice(0, 200)}`,
    hint: 'Its workers were lost again and again: look at their logs and their memory, then run the step again.',
  });
}

function isResult(value: unknown): value is GenerateResult {
  return isObject(value) && typeof value['text'] === 'string' && Array.isArray(value['files']);
}

function isMessages(value: unknown): value is SessionMessagesEvent {
  return isObject(value) && value['type'] === 'session-messages';
}
