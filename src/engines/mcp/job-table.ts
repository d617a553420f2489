import { ProviderError } from '../../base/errors/provider-error.js';
import { Job, type JobWork } from './job.js';
import { MOST_ENDED_CHARACTERS, MOST_ENDED_JOBS, MOST_WAITING_JOBS } from './mcp-limits.js';

/** Jobs of the server: those that run, those that wait for them, and the last ones that have ended. */
export class JobTable {
  readonly #maxJobs: number;
  /** All known jobs, oldest first. */
  readonly #jobs = new Map<string, Job>();
  readonly #waiting: Job[] = [];
  readonly #running = new Set<Job>();
  #isClosed = false;

  constructor(maxJobs: number) {
    this.#maxJobs = maxJobs;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts a job, or lets it wait until another one has ended. Throws RATE_LIMITED if too many wait already. */
  start(work: JobWork): Job {
    if (this.#isClosed) throw closed();
    this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter((job) => !job.hasEnded));
    if (this.#waiting.length >= MOST_WAITING_JOBS) throw this.#tooMany();
    const job = new Job(work);
    this.#jobs.set(job.id, job);
    this.#waiting.push(job);
    this.#fill();
    return job;
  }

  /** Returns a job. Throws INVALID_INPUT if the id is wrong or the job is forgotten. */
  get(id: string): Job {
    const job = this.#jobs.get(id);
    if (job !== undefined) return job;
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `There is no job ${JSON.stringify(id.slice(0, 40))}`,
      hint: `Call gemini_status for the ids of all jobs. The server forgets all but the last ${MOST_ENDED_JOBS} jobs, and all jobs when it ends.`,
    });
  }

  /** Returns all known jobs, newest first. */
  list(): Job[] {
    return [...this.#jobs.values()].reverse();
  }

  /** Cancels all jobs and waits until their processes have ended. No job can be started any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const jobs = this.list();
    for (const job of jobs) job.cancel();
    await Promise.all(jobs.map((job) => job.settled()));
    await Promise.all(jobs.map((job) => job.outcome.patch?.release()));
  }

  #fill(): void {
    while (this.#running.size < this.#maxJobs) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#running.add(job);
      void job.run().then(() => {
        this.#running.delete(job);
        this.#fill();
        this.#forget();
      });
    }
  }

  /** Forgets the oldest ended jobs, beyond a number and a size. The newest one is always kept. */
  #forget(): void {
    let [count, characters] = [0, 0];
    for (const job of this.list()) {
      if (!job.hasEnded) continue;
      count++;
      characters += sizeOf(job);
      const isTooMuch = count > MOST_ENDED_JOBS || characters > MOST_ENDED_CHARACTERS;
      if (count === 1 || !isTooMuch || job.state === 'running') continue;
      this.#jobs.delete(job.id);
      void job.outcome.patch?.release();
    }
  }

  #tooMany(): ProviderError {
    return new ProviderError({
      code: 'RATE_LIMITED',
      message: `${this.#running.size} jobs are at work and ${this.#waiting.length} wait: the server takes no more`,
      hint: 'Wait for jobs with gemini_wait, or cancel some with gemini_cancel.',
    });
  }
}

/** Estimates the characters that an ended job keeps in memory. */
function sizeOf({ outcome: { output, batch } }: Job): number {
  const files = [...(output?.files ?? []), ...(batch?.steps.flatMap((step) => step.files) ?? [])];
  const diffs = files.reduce((sum, { diff, path }) => sum + path.length + (diff?.length ?? 0), 0);
  const texts = batch?.steps.map(({ text, prompt }) => (text?.length ?? 0) + (prompt?.length ?? 0));
  return diffs + (output?.text.length ?? 0) + (texts ?? []).reduce((sum, size) => sum + size, 0);
}

function closed(): ProviderError {
  return new ProviderError({ code: 'CANCELLED', message: 'The server is about to end' });
}
