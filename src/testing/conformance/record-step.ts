import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, TurnCompleteEvent } from '../../api/agent-event.js';

/** Everything that a caller sees of one `stream()`. */
export interface StepRecording {
  readonly events: readonly AgentEvent[];
  /** Value that the stream has thrown. Undefined if it has ended normally. */
  readonly thrown: unknown;
}

/** Reads a stream to its end. */
export async function recordStep(events: AsyncIterable<AgentEvent>): Promise<StepRecording> {
  const recorded: AgentEvent[] = [];
  try {
    for await (const event of events) recorded.push(event);
    return { events: recorded, thrown: undefined };
  } catch (thrown) {
    return { events: recorded, thrown };
  }
}

/** Returns the last event of a step, or undefined if it is of another type. */
export function findEnd({ events }: StepRecording): TurnCompleteEvent | undefined {
  const last = events.at(-1);
  return last?.type === 'turn-complete' ? last : undefined;
}

/** Waits for a promise, at most some seconds. Throws a message that names what did not end. */
export async function endsWithin<T>(seconds: number, what: string, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(seconds * 1_000, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} has not ended within ${seconds} seconds`);
  });
  // The timer is aborted when the work is over, which rejects it.
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/** Returns a function that runs the work once and gives every caller the same promise. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
