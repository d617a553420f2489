import { z } from 'zod';
import { cleanLine } from '../../base/text/clean-text.js';

/** Name that is shown. Progress is not signed: a name must not steer a terminal. */
const shownName = z.string().transform(cleanLine);

const lostSchema = z.object({ attempt: z.int(), worker: shownName, host: shownName });

export const jobReportSchema = z.object({
  jobId: z.string(),
  worker: z.string(),
  host: z.string(),
  attempt: z.int().min(1),
  waitMs: z.number(),
  lost: z.array(lostSchema).readonly(),
});

const progressSchema = z.object({
  attempt: z.int().min(1),
  worker: shownName,
  host: shownName,
  startedAtMs: z.number(),
  waitMs: z.number(),
  lost: z.array(lostSchema).readonly(),
  /** How and when the worker itself has ended the attempt. An attempt without an end whose job is free again is lost. */
  end: z
    .object({
      kind: z.enum(['returned', 'failed']),
      atMs: z.number(),
      /** Why the worker has given the job back. */
      reason: shownName.optional(),
    })
    .optional(),
  /** Pauses after RATE_LIMITED, and their time. */
  rateLimits: z.int(),
  rateLimitedMs: z.number(),
  /** Doubts about the signature: a text for each secret whose workers have given the job back. */
  refusedBy: z.array(z.string()).readonly().optional(),
});
/** State of a job that its workers write: who has it, and what happened before. */
export type Progress = z.output<typeof progressSchema>;

/** Reads the progress of a job. Undefined before the first attempt. */
export function parseProgress(value: unknown): Progress | undefined {
  return progressSchema.safeParse(value).data;
}

/**
 * Returns the progress of the next attempt. An attempt that its worker has not ended is lost. The time in the queue is that
 * before the first attempt, and that after each attempt that was given back: when a lost worker has died is not known.
 */
export function beginAttempt(
  before: Progress | undefined,
  now: Pick<Progress, 'worker' | 'host' | 'startedAtMs'> & { readonly createdAtMs: number },
): Progress {
  const { createdAtMs, ...begun } = now;
  const since = (ms: number): number => Math.max(0, now.startedAtMs - ms);
  if (before === undefined) {
    const start = { attempt: 1, lost: [], rateLimits: 0, rateLimitedMs: 0 };
    return { ...start, ...begun, waitMs: since(createdAtMs) };
  }
  const { end, ...earlier } = before;
  const { attempt, worker, host } = earlier;
  const lost = end === undefined ? [...before.lost, { attempt, worker, host }] : before.lost;
  const waitMs = before.waitMs + (end === undefined ? 0 : since(end.atMs));
  return { ...earlier, ...begun, attempt: attempt + 1, waitMs, lost };
}
