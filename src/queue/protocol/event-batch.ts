import { z } from 'zod';
import type { AgentEvent } from '../../api/agent-event.js';
import { isObject } from '../../base/json/is-object.js';
import { isTrusted, type SigningTrust, sign } from './signature.js';

/** Name of the event in BullMQ's stream. */
export const AGENT_EVENT = 'agent';
/** Name of the event that asks a worker to cancel a job. */
export const CANCEL_EVENT = 'cancel';

/** Events of one attempt in a row. `seq` is the number of events before them. */
export interface EventBatch {
  readonly attempt: number;
  readonly seq: number;
  readonly events: readonly AgentEvent[];
}

const fieldsSchema = z.object({ text: z.string(), signature: z.string().optional() });

/** Packs events as the fields of one event of BullMQ. */
export function packEvents(
  jobId: string,
  batch: EventBatch,
  trust: SigningTrust,
): Record<string, string> {
  const { text, signature } = sign('events', jobId, JSON.stringify(batch), trust);
  return { id: jobId, text, ...(signature !== undefined && { signature }) };
}

/** Reads events. Undefined if they are not trusted or broken: events are hints, and the result has everything. */
export function unpackEvents(
  jobId: string,
  fields: unknown,
  trust: SigningTrust,
): EventBatch | undefined {
  const parsed = fieldsSchema.safeParse(fields);
  if (!parsed.success || !isTrusted('events', jobId, parsed.data, trust)) return undefined;
  try {
    return parseBatch(JSON.parse(parsed.data.text));
  } catch {
    return undefined;
  }
}

/** Reads a batch of a source that is trusted. Undefined if it is none. */
export function parseBatch(value: unknown): EventBatch | undefined {
  return isBatch(value) ? value : undefined;
}

function isBatch(value: unknown): value is EventBatch {
  if (!isObject(value) || !Array.isArray(value['events'])) return false;
  const isEvent = (event: unknown): boolean => isObject(event) && typeof event['type'] === 'string';
  const numbers = [value['attempt'], value['seq']];
  return numbers.every(Number.isInteger) && value['events'].every(isEvent);
}
