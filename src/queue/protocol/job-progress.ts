import { z } from 'zod';

const lostSchema = z.object({ attempt: z.int(), worker: z.string(), host: z.string() });

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
  worker: z.string(),
  host: z.string(),
  startedAtMs: z.number(),
  waitMs: z.number(),
  lost: z.array(lostSchema).readonly(),
  /** True if the worker itself has given the job back: the attempt is not lost. */
  isReturned: z.boolean(),
  /** Pauses after RATE_LIMITED, and their time. */
  rateLimits: z.int(),
  rateLimitedMs: z.number(),
});
/** State of a job that its workers write: who has it, and what happened before. */
export type Progress = z.output<typeof progressSchema>;

/** Reads the progress of a job. Undefined before the first attempt. */
export function parseProgress(value: unknown): Progress | undefined {
  return progressSchema.safeParse(value).data;
}

/** Returns the progress of the next attempt. An attempt that was not given back is lost. */
export function beginAttempt(
  before: Progress | undefined,
  now: Pick<Progress, 'worker' | 'host' | 'startedAtMs' | 'waitMs'>,
): Progress {
  const start = { lost: [], rateLimits: 0, rateLimitedMs: 0 };
  if (before === undefined) return { ...start, ...now, attempt: 1, isReturned: false };
  const { attempt, worker, host } = before;
  const lost = before.isReturned ? before.lost : [...before.lost, { attempt, worker, host }];
  return { ...before, ...now, attempt: attempt + 1, isReturned: false, lost };
}
